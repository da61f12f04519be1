/// A slot whose value is forgotten.
protocol InjectableSlot: AnyObject {
  var property: AttributedProperty { get }
  var isOptional: Bool { get }
  var isInjected: Bool { get }
  func bind(to binding: InjectionBinding, keeping keeper: AnyObject?)
  func place(in owner: AnyObject) -> InjectedPlace
}

enum InjectedSlots {
  /// The slots among an object's stored properties, those of superclasses first.
  static func of(_ object: AnyObject) -> [any InjectableSlot] {
    var levels: [[any InjectableSlot]] = []
    var mirror: Mirror? = Mirror(reflecting: object)
    while let level = mirror {
      levels.append(level.children.compactMap { $0.value as? any InjectableSlot })
      mirror = level.superclassMirror
    }
    return levels.reversed().flatMap(\.self)
  }
}
