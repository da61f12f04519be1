internal import OxbowContainer
internal import OxbowDocuments
internal import OxbowPlatform

/// A registry of initializers for `@Injected` properties.
///
/// It belongs to the containers that it is added to; there is none for the process. Initializers
/// may come at any time: what a property has received it keeps, and the next reader of one that has
/// nothing looks anew.
///
/// Of several initializers that fit, the most specific one is used: one for a name or key path
/// before one for the owner's type, that before one for the property's type, and that before one
/// for protocols.
///
/// ```swift
/// let initializers = PropertyInitializers()
/// initializers.register(Clock.self, scope: .shared) { _ in Clock() }
/// builder.add(initializers)
/// ```
public final class PropertyInitializers: Sendable {
  /// Which initializer is used for a property.
  public enum Matching: Sendable {
    /// The most specific one of those that fit; two that are equally specific are an error.
    case mostSpecific
    /// The first one that fits exactly, as in BloodMagic: subclasses do not match, and the sets of
    /// protocols are equal.
    case exact
  }

  private struct State {
    var entries: [Entry] = []
    /// Those that live, by container.
    var bindings: [ObjectIdentifier: WeakBinding] = [:]
  }

  struct Entry: Sendable {
    let number: Int
    let initializer: PropertyInitializer
  }

  private struct WeakBinding {
    weak var binding: InjectionBinding?
  }

  private let matching: Matching
  private let state = Lock(State())
  /// What properties share whose objects have no container.
  private let shared = SharedValues()

  /// Creates a registry without initializers.
  public init(matching: Matching = .mostSpecific) { self.matching = matching }

  private func register(_ initializer: PropertyInitializer) {
    state.withLock { state in
      state.entries.append(Entry(number: state.entries.count, initializer: initializer))
    }
  }

  // MARK: - Looking

  var entries: [Entry] { state.withLock { $0.entries } }

  /// The initializer for a property; nil when none fits.
  ///
  /// - Throws: `propertyNotInjected` when two are equally specific.
  func entry(for place: InjectedPlace) throws -> Entry? {
    let entries = entries
    if matching == .exact { return entries.first { $0.initializer.fitsExactly(place) } }
    let ranked = entries.compactMap { entry in
      entry.initializer.specificity(for: place).map { (entry: entry, specificity: $0) }
    }
    guard let best = ranked.map(\.specificity).max() else { return nil }
    let found = ranked.filter { $0.specificity == best }.map(\.entry)
    guard found.count == 1 else {
      throw ContainerError(
        .equallySpecific(place.property, found.map(\.initializer.location)),
        task: "inject '\(place.property)'")
    }
    return found.first
  }

  // MARK: - Bindings

  /// What objects without a container are bound to.
  var unboundBinding: InjectionBinding { InjectionBinding(self, nil, shared) }

  /// What a container's objects are bound to; one for each container.
  func binding(for container: WeakContainerReference) -> InjectionBinding {
    state.withLock { state in
      let key = ObjectIdentifier(container)
      if let binding = state.bindings[key]?.binding { return binding }
      state.bindings = state.bindings.filter { $0.value.binding != nil }
      let binding = InjectionBinding(self, container, SharedValues())
      state.bindings[key] = WeakBinding(binding: binding)
      return binding
    }
  }
}

extension PropertyInitializers {
  /// Adds an initializer for properties of a type.
  ///
  /// - Parameters:
  ///   - type: The type of the properties, without `Optional`. The object of a subclass is made for
  ///     properties of its superclass, too.
  ///   - property: The name of the property; nil for any.
  ///   - owner: The type that has the property, or a superclass of it; nil for any.
  ///   - scope: How often a value is made.
  ///   - file: The source file of the call, for messages.
  ///   - line: The line in that file.
  ///   - make: Makes the value.
  public func register<Value>(
    _ type: Value.Type, property: String? = nil, owner: (any Any.Type)? = nil,
    scope: InjectionScope<Value> = .each, file: String = #fileID, line: Int = #line,
    make: @escaping @Sendable (InjectionRequest<AnyObject>) throws -> Value
  ) {
    register(
      PropertyInitializer(
        type: type, property: property, owner: owner, isShared: scope.isShared,
        location: SourceLocation(file: file, line: line), make: make))
  }

  /// Adds an initializer for properties of a type in objects of a class, which `make` gets as one.
  ///
  /// ```swift
  /// initializers.register(Engine.self, owner: Van.self) { Engine(for: $0.owner) }
  /// ```
  ///
  /// The parameters are those of the function for any owner.
  public func register<Value, Owner: AnyObject>(
    _ type: Value.Type, property: String? = nil, owner: Owner.Type,
    scope: InjectionScope<Value> = .each, file: String = #fileID, line: Int = #line,
    make: @escaping @Sendable (InjectionRequest<Owner>) throws -> Value
  ) {
    register(
      PropertyInitializer(
        type: type, property: property, owner: owner, isShared: scope.isShared,
        location: SourceLocation(file: file, line: line)
      ) { try make($0.of(Owner.self)) })
  }

  /// Adds an initializer for one property.
  public func register<Owner: AnyObject, Value>(
    _ path: any KeyPath<Owner, Value> & Sendable, scope: InjectionScope<Value> = .each,
    file: String = #fileID, line: Int = #line,
    make: @escaping @Sendable (InjectionRequest<Owner>) throws -> Value
  ) {
    register(
      PropertyInitializer(
        path: path, owner: Owner.self, isShared: scope.isShared,
        location: SourceLocation(file: file, line: line)
      ) { try make($0.of(Owner.self)) })
  }

  /// Adds an initializer for properties whose types are protocols, or for properties of any type.
  ///
  /// The protocols are such as `[(any Engine).self]`, none for properties of any type. A property
  /// that has more of them fits, too, and the value must fit the property.
  public func register<Value>(
    protocols: [any Any.Type], property: String? = nil, owner: (any Any.Type)? = nil,
    scope: InjectionScope<Value> = .each, file: String = #fileID, line: Int = #line,
    make: @escaping @Sendable (InjectionRequest<AnyObject>) throws -> Value
  ) {
    register(
      PropertyInitializer(
        property: property, owner: owner, protocols: protocols, isShared: scope.isShared,
        location: SourceLocation(file: file, line: line), make: make))
  }
}
