// A component belongs to no actor, unless its superclass belongs to the module's default one.
// flags: -default-isolation MainActor
// expect-error: ComponentOfTheDefaultActor.swift:18:41: error: cannot convert value of type '(@MainActor @Sendable () -> ()).Type' to expected argument type 'ComponentIsolation.`none: declare it 'nonisolated', or write '@Component(isolation: .mainActor)'`'

import Oxbow

@Component class Shelf {
  var height = 1
  init(height: Int) { self.height = height }
}

class View {
  var height = 1
  init(height: Int) { self.height = height }
  init(width: Int) {}
}

@Component class Button: View {
  var label = ""
}

@Component(isolation: .mainActor) class Slider: View {
  var value = 1
}
