public import OxbowContainer
internal import OxbowDocuments
internal import OxbowPlatform

/// What the injected properties of one container's objects are bound to.
final class InjectionBinding: Sendable {
  /// The one of the present task, for properties that nothing else has bound.
  @TaskLocal static var ofTask: InjectionBinding?

  private let initializers: PropertyInitializers
  private let container: WeakContainerReference?
  private let shared: SharedValues
  /// The classes whose objects are known to have no injected property, and those whose
  /// initializers are known to name properties that exist.
  private let plainClasses = Lock<Set<ObjectIdentifier>>([])
  private let checkedClasses = Lock<Set<ObjectIdentifier>>([])

  init(
    _ initializers: PropertyInitializers, _ container: WeakContainerReference?,
    _ shared: SharedValues
  ) {
    self.initializers = initializers
    self.container = container
    self.shared = shared
  }

  // MARK: - Binding

  /// Binds the injected properties of an object, and finds out whether each will get a value.
  ///
  /// - Throws: `propertyNotInjected`, `unknownProperty`; `noObjectOfType` where several fit, and
  ///   `confinedEscapes` where the one belongs to a thread, task or tenant.
  func bind(_ object: AnyObject) throws {
    let key = ObjectIdentifier(type(of: object))
    if plainClasses.withLock({ $0.contains(key) }) { return }
    let slots = InjectedSlots.of(object)
    if slots.isEmpty { return _ = plainClasses.withLock { $0.insert(key) } }
    try checkNames(type(of: object), slots)
    let keeper = try container?.strong(for: "\(type(of: object))")
    for slot in slots {
      if !slot.isInjected { try check(slot, in: object) }
      slot.bind(to: self, keeping: slot.isInjected ? nil : keeper)
    }
  }

  /// Throws what a getter could only stop the process for.
  private func check(_ slot: any InjectableSlot, in object: AnyObject) throws {
    let place = slot.place(in: object)
    guard try initializers.entry(for: place) == nil, try !isInContainer(place), !slot.isOptional
    else { return }
    throw notFound(place)
  }

  private func notFound(_ place: InjectedPlace) -> ContainerError {
    ContainerError(
      .noPropertyInitializer(
        place.property, count: initializers.entries.count, hasContainer: container != nil),
      task: "inject '\(place.property)'")
  }

  /// Compares the names in initializers for a class with the names of its properties.
  private func checkNames(_ type: AnyClass, _ slots: [any InjectableSlot]) throws {
    guard checkedClasses.withLock({ $0.insert(ObjectIdentifier(type)).inserted }) else { return }
    let known = slots.map(\.property.name)
    for entry in initializers.entries {
      guard let name = entry.initializer.property, let owner = entry.initializer.owner,
        owner == type, !known.contains(name)
      else { continue }
      checkedClasses.withLock { _ = $0.remove(ObjectIdentifier(type)) }
      throw ContainerError(
        .unknownInjectedProperty(name, of: type, known: known).at(entry.initializer.location),
        task: "inject a \(type)")
    }
  }

  // MARK: - Values

  /// A value for a property: that of an initializer, else the container's object of the type.
  ///
  /// - Returns: The value; nil when neither fits, or when the initializer gave nil.
  func value<Value>(for place: InjectedPlace, in owner: AnyObject, as type: Value.Type) throws
    -> Value?
  {
    guard let entry = try initializers.entry(for: place) else {
      return try isInContainer(place)
        ? container?.container(for: "\(place.property)")
          .object(ofType: Value.self, place.property.accepts) : nil
    }
    let request = InjectionRequest<AnyObject>(
      owner: owner, property: place.property, reference: container)
    guard let made = try make(entry, request) else { return nil }
    guard let value = made as? Value else {
      throw ContainerError(
        .wrongInitializer(place.property, made: made, entry.initializer.location),
        task: "inject '\(place.property)'")
    }
    return value
  }

  /// The value of a property that must have one.
  func requiredValue<Value>(for place: InjectedPlace, in owner: AnyObject, as type: Value.Type)
    throws -> Value
  {
    if let value = try value(for: place, in: owner, as: type) { return value }
    throw notFound(place)
  }

  private func make(_ entry: PropertyInitializers.Entry, _ request: InjectionRequest<AnyObject>)
    throws -> Any?
  {
    let initializer = entry.initializer
    guard initializer.isShared else { return try initializer.make(request).presentValue }
    return try shared.cell(of: entry.number).value(named: "\(request.property)") {
      try initializer.make(request).presentValue.map(SharedValues.Value.init)
    }?.value
  }

  private func isInContainer(_ place: InjectedPlace) throws -> Bool {
    guard let container else { return false }
    func isDefined<Value>(_ type: Value.Type) throws -> Bool {
      try container.container(for: "\(place.property)")
        .hasObject(ofType: type, for: "'\(place.property)'", place.property.accepts)
    }
    return try _openExistential(place.property.type, do: isDefined)
  }
}

/// What initializers have made for all properties, by their numbers.
final class SharedValues: Sendable {
  /// Sendable by argument: `InjectionScope.shared` exists for Sendable values only.
  struct Value: @unchecked Sendable {
    let value: Any
  }

  private let cells = Lock<[Int: MadeOnce<Value>]>([:])

  func cell(of number: Int) -> MadeOnce<Value> {
    cells.withLock { cells in
      let cell = cells[number] ?? MadeOnce<Value>()
      cells[number] = cell
      return cell
    }
  }
}

extension Any? {
  /// The value; nil also for an optional in it that is nil.
  fileprivate var presentValue: Any? {
    guard let value = self else { return nil }
    guard let optional = value as? any Nilable else { return value }
    return optional.isNil ? nil : value
  }
}

private protocol Nilable {
  var isNil: Bool { get }
}

extension Optional: Nilable {
  fileprivate var isNil: Bool { self == nil }
}

// MARK: - Messages

extension ContainerError.Code {
  /// An `@Injected` property has no initializer, several, or nothing that would look for one.
  public static let propertyNotInjected = Self(rawValue: "propertyNotInjected")
}

extension ContainerError.Problem {
  static func noPropertyInitializer(
    _ property: AttributedProperty, count: Int, hasContainer: Bool
  ) -> Self {
    let objects = hasContainer ? ", and no object of the container has that type" : ""
    return Self(
      .propertyNotInjected, "nothing is registered for the injected property '\(property)'",
      seen: "\(count) initializer\(count == 1 ? "" : "s"), none of which makes a "
        + "\(property.type)\(objects)",
      expected: "an initializer for the type, the name or the protocols of the property",
      nextStep: "register one, define an object of the type, or make the property optional")
  }

  static func equallySpecific(_ property: AttributedProperty, _ locations: [SourceLocation]) -> Self
  {
    Self(
      .propertyNotInjected,
      "\(locations.count) initializers fit the injected property '\(property)' equally well",
      at: locations.first,
      seen: "those at " + locations.map(\.description).joined(separator: " and "),
      expected: "one that is the most specific",
      nextStep: "give one of them the name of the property or the type of its owner")
  }

  static func wrongInitializer(
    _ property: AttributedProperty, made: Any, _ location: SourceLocation
  ) -> Self {
    Self(
      .typeMismatch, "the initializer of the injected property '\(property)' made another type",
      at: location, seen: "a \(type(of: made))", expected: "a \(property.type)",
      nextStep: "make a \(property.type), or give the initializer a condition")
  }

  static func unknownInjectedProperty(
    _ name: String, of type: any Any.Type, known: [String]
  ) -> Self {
    Self(
      .unknownProperty, "\(type) has no injected property \"\(name)\"",
      seen: "an initializer for \"\(name)\"",
      expected: "one of " + quoted(known),
      nextStep: "correct the name, or mark the property '@Injected'",
      nearNames: OxbowDocuments.nearNames(to: name, among: known))
  }

  static func noContainer(_ property: AttributedProperty) -> Self {
    Self(
      .propertyNotInjected, "the initializer of '\(property)' asked for a container",
      seen: "initializers that were used without one",
      expected: "an object that a container made or injected",
      nextStep: "add the initializers to a builder, or pass the container")
  }

  static func wrongOwner(_ property: AttributedProperty, wanted: String) -> Self {
    Self(
      .propertyNotInjected, "the initializer of '\(property)' is for the owner \(wanted)",
      seen: "an owner of another type", expected: wanted,
      nextStep: "register an initializer for the owner's own type")
  }

  static func unbound(_ property: AttributedProperty, in owner: AnyObject) -> Self {
    let slot = "'_\(property.name)'"
    // A container finds slots in the mirror of an object.
    let mayHide = owner is any CustomReflectable
    return Self(
      .propertyNotInjected, "the injected property '\(property)' is bound to no container",
      seen: "an object that no container with property initializers made, or a reader in the "
        + "object's own initializer"
        + (mayHide ? ", or a 'customMirror' of \(type(of: owner)) without \(slot)" : ""),
      expected: "an object of a container whose builder has 'add(initializers)'",
      nextStep: "define the object in the container; or call 'container.inject(into:)' or "
        + "'initializers.inject(into:)' before it is read; or read it inside of "
        + "'initializers.serve { … }'"
        + (mayHide ? "; or make \(slot) a child of the 'customMirror'" : ""))
  }
}
