internal import OxbowContainer
internal import OxbowPlatform

/// Receives what the injected properties of an object get.
public protocol InjectionHook: AnyObject {
  /// A value was made for a property; it is stored when the method returns.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - property: The property.
  func didInject(_ value: Any, into property: AttributedProperty)
}

/// Where `@Injected` keeps the value of a property.
///
/// The container that makes the object binds the slot to its initializers; the first reader has one
/// of them make the value. Until then the slot holds the container, as a provider does.
public final class InjectedSlot<Value> {
  private let made = MadeOnce<Value>()
  private let lock = BareLock()
  private var binding: InjectionBinding?
  /// The container, for as long as the value is not made.
  private var keeper: AnyObject?
  let property: AttributedProperty
  let isOptional: Bool
  private let path: () -> AnyKeyPath?

  /// Creates a slot.
  ///
  /// - Parameters:
  ///   - property: The property.
  ///   - isOptional: Whether it may be nil.
  ///   - path: Its key path.
  public init(
    _ property: AttributedProperty, isOptional: Bool, path: @escaping () -> AnyKeyPath? = { nil }
  ) {
    self.property = property
    self.isOptional = isOptional
    self.path = path
  }

  /// Assigns the value, in place of what would be injected; nil has the next reader inject again.
  public func _set(_ value: Value?) {
    made.set(value)
    if value != nil { releaseKeeper() }
  }

  /// The value of a property that must have one.
  public func _value(of owner: AnyObject, _ hook: (Value) -> Void = { _ in }) -> Value {
    made.value(or: { madeValue(of: owner, hook) })
  }

  @inline(never) private func madeValue(of owner: AnyObject, _ hook: (Value) -> Void) -> Value {
    do {
      return try value(of: owner, hook)
    } catch {
      refuse("'\(property)' was read, and a getter cannot throw. \(error)")
    }
  }

  /// The value of an optional property.
  public func _optionalValue(of owner: AnyObject, _ hook: (Value) -> Void = { _ in }) -> Value? {
    if let value = made.current { return value }
    do {
      return try optionalValue(of: owner, hook)
    } catch {
      refuse("'\(property)' was read, and a getter cannot throw. \(error)")
    }
  }

  // MARK: - Injection

  var isInjected: Bool { made.isMade }

  fileprivate func value(of owner: AnyObject, _ hook: (Value) -> Void) throws -> Value {
    while true {
      let value = try made.value(named: "\(property)") {
        let place = place(in: owner)
        let value = try source(of: owner).requiredValue(for: place, in: owner, as: Value.self)
        tell(owner, value, hook)
        return value
      }
      if let value {
        releaseKeeper()
        return value
      }
    }
  }

  fileprivate func optionalValue(of owner: AnyObject, _ hook: (Value) -> Void) throws -> Value? {
    let value = try made.value(named: "\(property)") {
      let value = try source(of: owner).value(for: place(in: owner), in: owner, as: Value.self)
      if let value { tell(owner, value, hook) }
      return value
    }
    if value != nil { releaseKeeper() }
    return value
  }

  private func releaseKeeper() {
    // The container may end here: outside of the lock.
    _ = lock.withLock {
      let old = keeper
      keeper = nil
      return old
    }
  }

  private func tell(_ owner: AnyObject, _ value: Value, _ hook: (Value) -> Void) {
    hook(value)
    (owner as? any InjectionHook)?.didInject(value, into: property)
  }

  private func source(of owner: AnyObject) throws -> InjectionBinding {
    if let bound = lock.withLock({ binding }) ?? InjectionBinding.ofTask { return bound }
    throw ContainerError(.unbound(property, in: owner), task: "inject '\(property)'")
  }
}

extension InjectedSlot: @unchecked Sendable where Value: Sendable {
  // Sendable by argument: `lock` guards `binding`, and `path` makes a literal.
}

extension InjectedSlot: InjectableSlot {
  func bind(to binding: InjectionBinding, keeping keeper: AnyObject?) {
    lock.withLock {
      self.binding = binding
      self.keeper = keeper
    }
  }

  func place(in owner: AnyObject) -> InjectedPlace {
    InjectedPlace(property: property, path: path(), ownerClass: type(of: owner))
  }
}

/// The injection of one property: what `$name` gives for `@Injected var name`.
public struct InjectedProperty<Value> {
  private let slot: InjectedSlot<Value>
  private let owner: AnyObject
  private let hook: (Value) -> Void

  /// The injection of a slot.
  public init(_ slot: InjectedSlot<Value>, of owner: AnyObject, _ hook: @escaping (Value) -> Void) {
    self.slot = slot
    self.owner = owner
    self.hook = hook
  }

  /// Whether the property has a value, injected or assigned; asking makes nothing.
  public var isInjected: Bool { slot.isInjected }

  /// The value, made if there is none; nil where nothing is registered for an optional property.
  ///
  /// The property itself cannot throw: without a value it stops the process.
  ///
  /// - Throws: ``ContainerError``: `propertyNotInjected`, and what the initializer throws.
  public func injected() throws -> Value? {
    slot.isOptional ? try slot.optionalValue(of: owner, hook) : try slot.value(of: owner, hook)
  }

  /// Forgets the value: the next reader has it made anew.
  public func reset() { slot._set(nil) }
}
