/// A property or a parameter of a described class, its type forgotten.
///
/// What can be checked without the type is asked here, so that a file is checked by code that is
/// not generic; the type is fixed where the class is described.
class AnyInjectionPoint: @unchecked Sendable {
  // Sendable by argument: nothing changes, and everything that is kept is Sendable.

  /// What a point takes.
  enum Kind: Sendable {
    /// One object or value.
    case one
    /// A list of objects and values.
    case list
    /// Objects and values by text.
    case map
  }

  let typeName: String
  /// The type of what is delivered.
  let type: any Any.Type
  let kind: Kind
  /// Whether the object itself is delivered, or what fetches or makes it.
  let use: ReferenceUse
  let requiresSendable: Bool
  /// Whether objects of a type fit; of each of them, where the point takes several.
  let accepts: TypeTest
  /// Whether a text names a class.
  let holdsClass: Bool
  /// Whether the type itself can be nil.
  private let mayBeNil: Bool
  /// Whether an object that is referred to fits.
  let fit: @Sendable (any Any.Type) -> TypeFit

  fileprivate init(
    typeName: String, type: any Any.Type, kind: Kind, use: ReferenceUse, requiresSendable: Bool,
    accepts: @escaping TypeTest, fit: @escaping @Sendable (any Any.Type) -> TypeFit
  ) {
    self.typeName = typeName
    self.type = type
    self.kind = kind
    self.use = use
    self.requiresSendable = requiresSendable
    self.accepts = accepts
    self.fit = fit
    holdsClass = ValueConverters.isClass(type)
    mayBeNil = type is any OptionalType.Type
  }

  /// The type that `accepts` speaks of.
  var acceptedType: any Any.Type { preconditionFailure("abstract") }

  /// Whether nil can be delivered.
  var canBeNil: Bool { mayBeNil }

  /// Whether the container itself delivers the value, by the type alone.
  var takesContainer: Bool { preconditionFailure("abstract") }

  /// The point of one of several objects.
  func part() -> AnyInjectionPoint { preconditionFailure("abstract") }

  /// What the point asks for by type.
  func request(wantsAll: Bool) -> TypeRequest { preconditionFailure("abstract") }

  /// Delivers the value of a text.
  func constant(
    _ text: String, called name: String?, by values: ValueConverters
  ) throws(ValueConverters.Failure) -> AnyObjectProvider { preconditionFailure("abstract") }

  /// Delivers a type, where the point takes types.
  func constant(_ type: any Any.Type) -> AnyObjectProvider? {
    preconditionFailure("abstract")
  }

  /// The dependency on the object of a name.
  func dependency(
    to name: String, request: TypeRequest? = nil, when: Dependency.Moment, at site: InjectionSite,
    isOptional: Bool = false
  ) -> Dependency {
    Dependency(
      target: name, use: use, when: when, role: site.path, location: site.location, type: type,
      requiresSendable: requiresSendable, request: request,
      isOptional: request != nil && (isOptional || mayBeNil), fit: fit)
  }
}

/// An injection point of one type.
class InjectionPoint<Value>: AnyInjectionPoint, @unchecked Sendable {
  // Sendable by argument, as its superclass.

  /// The reference that is delivered in place of the object; nil for the object itself.
  private let late: (@Sendable (String) -> Ref<Value>)?
  /// Finds the way from the type of an object; of each of them, where the point takes several.
  private let upcast: Upcast.Search?

  init(
    typeName: String, requiresSendable: Bool, accepts: @escaping TypeTest,
    upcast: Upcast.Search? = nil, late: (@Sendable (String) -> Ref<Value>)? = nil
  ) {
    self.upcast = upcast
    let late = late ?? Self.provider(requiresSendable)
    let kind = Self.kindOfValue
    self.late = late
    super.init(
      typeName: typeName, type: Value.self, kind: kind, use: late?("").use ?? .object,
      requiresSendable: requiresSendable, accepts: accepts
    ) { type in
      // `accepts` is about each of several objects, and not about a collection of them.
      if kind == .one, accepts(type) { return .fits }
      return late?("").fit(type) ?? TypeFit.of(type, in: Value.self)
    }
  }

  /// A point that takes what another one takes.
  fileprivate init<Other>(like other: InjectionPoint<Other>) {
    (late, upcast) = (nil, nil)
    super.init(
      typeName: other.typeName, type: other.type, kind: other.kind, use: other.use,
      requiresSendable: other.requiresSendable, accepts: other.accepts, fit: other.fit)
  }

  /// A point for objects, values and providers; a provider is `Sendable` whatever it provides.
  convenience init(
    typeName: String, sendability: Sendability<Value>, accepts: @escaping TypeTest,
    upcast: Upcast.Search? = nil
  ) {
    let isProvider = Value.self is any DeferredReference.Type
    self.init(
      typeName: typeName,
      requiresSendable: isProvider ? sendability.providesSendable : sendability.isSendable,
      accepts: accepts, upcast: upcast)
  }

  /// How a provider is delivered, where the point takes one.
  private static func provider(_ requiresSendable: Bool) -> (@Sendable (String) -> Ref<Value>)? {
    guard let type = Value.self as? any DeferredReference.Type else { return nil }
    return { name in
      type.erasedReference(to: name, requiresSendable: requiresSendable) as? Ref<Value>
        ?? Ref(name, handle: nil, requiresSendable: requiresSendable)
    }
  }

  private static var group: (any InjectableGroup.Type)? { Value.self as? any InjectableGroup.Type }

  private static var kindOfValue: Kind {
    group.map { $0.kind == .map ? .map : .list } ?? .one
  }

  // MARK: - Types

  override var acceptedType: any Any.Type {
    if let group = Self.group { return group.partType }
    if let type = Value.self as? any DeferredReference.Type { return type.providedType }
    return (Value.self as? any OptionalType.Type)?.wrapped ?? Value.self
  }

  override var takesContainer: Bool { Value.self is any ContainerProvided.Type }

  override func request(wantsAll: Bool) -> TypeRequest {
    let provided = (Value.self as? any DeferredReference.Type)?.providedType
    let wanted = provided ?? (Value.self as? any OptionalType.Type)?.wrapped ?? Value.self
    return TypeRequest(
      wanted, typeName: "\(wanted)", wantsAll: wantsAll, isPlain: true, accepts: accepts)
  }

  override func part() -> AnyInjectionPoint {
    func open<Group: InjectableGroup>(_ type: Group.Type) -> AnyInjectionPoint {
      part(Group.Part.self)
    }
    return Self.group.map { open($0) } ?? self
  }

  private func part<Part>(_ type: Part.Type) -> InjectionPoint<Part> {
    InjectionPoint<Part>(
      typeName: "\(type)", requiresSendable: requiresSendable, accepts: accepts, upcast: upcast)
  }

  // MARK: - Values

  override func constant(
    _ text: String, called name: String?, by values: ValueConverters
  ) throws(ValueConverters.Failure) -> AnyObjectProvider {
    ConstantProvider(try values.convert(text, to: Value.self, called: name))
  }

  override func constant(_ type: any Any.Type) -> AnyObjectProvider? {
    (type as? Value).map { ConstantProvider($0) }
  }

  // MARK: - Linking

  /// The provider of what was planned for this point.
  func provider(for value: InjectionValue, _ linker: any Linking) throws -> ObjectProvider<Value> {
    switch value {
    case .object(let dependency):
      if dependency.isOptional, linker.isAbsent(dependency.target) { return own(nothing) }
      return try provider(named: dependency.target, linker)
    case .constant(let provider): return own(provider)
    case .nothing: return own(nothing)
    case .container:
      let ref = (Value.self as? any ContainerProvided.Type)?.delivered() as? Ref<Value>
      return own(try ref.map { try linker.provider(of: $0) })
    case .group(let values, let keys):
      return own(try Self.group.map { try group(of: values, keys: keys, $0, linker) })
    case .all(let dependency):
      let names = linker.names(for: dependency.target)
      let values = names.map { InjectionValue.object(dependency.directed(to: $0)) }
      return own(try Self.group.map { try group(of: values, keys: names, $0, linker) })
    }
  }

  /// Delivers nil where the type itself can be nil.
  private var nothing: AnyObjectProvider? {
    ((Value.self as? any OptionalType.Type)?.none as? Value).map { ConstantProvider($0) }
  }

  /// A provider that was made for this point.
  private func own(_ provider: AnyObjectProvider?) -> ObjectProvider<Value> {
    guard let provider = provider as? ObjectProvider<Value> else {
      preconditionFailure("a value is linked by the point that planned it")
    }
    return provider
  }

  private func group<Group: InjectableGroup>(
    of values: [InjectionValue], keys: [String], _ type: Group.Type, _ linker: any Linking
  ) throws -> AnyObjectProvider {
    let point = part(Group.Part.self)
    return ObjectProvider<Group>.group(
      of: try values.map { try point.provider(for: $0, linker) }, keys: keys)
  }

  private func provider(named name: String, _ linker: any Linking) throws -> ObjectProvider<Value> {
    if let late { return try linker.provider(of: late(name)) }
    return try linker.provider(named: name, as: Value.self, by: upcast)
  }
}

/// An injection point that takes what another one takes, or nil.
final class OptionalInjectionPoint<Wrapped>: InjectionPoint<Wrapped?>, @unchecked Sendable {
  // Sendable by argument, as its superclass.

  private let wrapped: InjectionPoint<Wrapped>

  init(_ wrapped: InjectionPoint<Wrapped>) {
    self.wrapped = wrapped
    super.init(like: wrapped)
  }

  override var acceptedType: any Any.Type { wrapped.acceptedType }
  override var canBeNil: Bool { true }
  override var takesContainer: Bool { wrapped.takesContainer }
  override func part() -> AnyInjectionPoint { wrapped.part() }

  override func request(wantsAll: Bool) -> TypeRequest {
    wrapped.request(wantsAll: wantsAll)
  }

  override func constant(
    _ text: String, called name: String?, by values: ValueConverters
  ) throws(ValueConverters.Failure) -> AnyObjectProvider {
    try wrapped.constant(text, called: name, by: values)
  }

  override func constant(_ type: any Any.Type) -> AnyObjectProvider? {
    wrapped.constant(type)
  }

  override func provider(
    for value: InjectionValue, _ linker: any Linking
  ) throws -> ObjectProvider<Wrapped?> {
    if case .nothing = value { return ConstantProvider(nil) }
    return try wrapped.provider(for: value, linker).optional
  }
}
