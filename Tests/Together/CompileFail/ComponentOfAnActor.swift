// An actor whose name says nothing, written on the class and inherited.
// expect-error: ComponentOfAnActor.swift:11:41: error: cannot convert value of type '(@Storage @Sendable () -> ()).Type' to expected argument type 'ComponentIsolation.`none: declare it 'nonisolated', or write '@Component(isolation: .mainActor)'`'
// expect-error: ComponentOfAnActor.swift:23:41: error: cannot convert value of type '(@MainActor @Sendable () -> ()).Type' to expected argument type

import Oxbow

@globalActor actor Storage {
  static let shared = Storage()
}

@Component @Storage final class Shelf {
  var height = 1
  init() {}
  init(height: Int) { self.height = height }
  func clean() throws {}
}

@MainActor class View {
  init(width: Int) {}
  init(height: Int) {}
}

@Component class Button: View {
  var label = ""
}
