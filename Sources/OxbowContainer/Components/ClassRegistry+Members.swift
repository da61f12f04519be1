extension ClassRegistry {
  /// A class and the described ones that it inherits from, nearest first.
  package func line(of type: any Any.Type) -> [ComponentDescriptor] {
    var line = component(of: type).map { [$0] } ?? []
    var parent = superclass(of: type)
    while let step = parent {
      line.append(step)
      parent = superclass(of: step.type)
    }
    return line
  }

  /// The properties of a class, inherited ones included.
  package func propertyNames(of component: ComponentDescriptor) -> [String] {
    var seen: Set<String> = []
    return line(of: component.type).flatMap(\.propertyNames).filter { seen.insert($0).inserted }
  }

  package func callbackNames(of type: any Any.Type) -> [String] {
    var seen: Set<String> = []
    return line(of: type).flatMap(\.callbackNames).filter { seen.insert($0).inserted }
  }

  /// The callback of a name, the nearest class's.
  package func callback<Known>(
    _ name: String, on known: Known.Type, of type: any Any.Type
  ) -> Callback<Known>? {
    line(of: type).lazy.compactMap { $0.body.callback(name, on: known) }.first
  }
}
