internal import OxbowPlatform

/// One reading or assignment of a property, as an attribute sees it.
public struct AttributeAccess<Value> {
  /// The object whose property it is; nil in a struct, and for the initial value.
  public let owner: AnyObject?

  /// The property.
  public let property: AttributedProperty

  /// In `get` what the reader receives, at first the stored value; in `set` what is stored in the
  /// end, at first the new value.
  ///
  /// Nil where nothing was assigned; a `set` that leaves nil here, or puts ``stored`` here, refuses
  /// the new value.
  public var value: Value?

  /// The stored value; nil where nothing was assigned.
  ///
  /// What `get` puts here is kept.
  public var stored: Value? { didSet { storesInGet = true } }

  /// Whether `get` has put something into ``stored``.
  @usableFromInline var storesInGet = false

  @inlinable init(
    _ owner: AnyObject?, _ property: AttributedProperty, value: Value?, stored: Value?
  ) {
    self.owner = owner
    self.property = property
    self.value = value
    self.stored = stored
  }
}

/// What happens when a property is read and assigned: an attribute of your own, without a macro.
///
/// ```swift
/// struct Clamp: PropertyAttribute {
///   let range: ClosedRange<Int>
///   func set(_ access: inout AttributeAccess<Int>) {
///     access.value = access.value.map { min(max($0, range.lowerBound), range.upperBound) }
///   }
/// }
///
/// final class Radio {
///   @Attributed(Clamp(range: 0...11)) var volume: Int = 5
/// }
/// ```
///
/// Each property of each object has a value of its own of the attribute. In a class, one thread at
/// a time runs its `get` or `set`, which may use the property themselves. The initial value goes
/// through `set`, too.
public protocol PropertyAttribute<Value> {
  /// The type of the properties that can have it.
  associatedtype Value

  /// Receives the stored value on its way to a reader.
  func get(_ access: inout AttributeAccess<Value>)

  /// Receives a new value on its way into the property.
  func set(_ access: inout AttributeAccess<Value>)
}

extension PropertyAttribute {
  /// Lets the stored value pass.
  public func get(_ access: inout AttributeAccess<Value>) {}

  /// Lets the new value pass.
  public func set(_ access: inout AttributeAccess<Value>) {}
}

// MARK: - Slots

/// Where `@Attributed` keeps the value of a property of a class or actor, with the attribute.
///
/// Inlinable, because the accessors that a macro writes call it: without the types, a reading takes
/// several times as long.
public final class AttributedSlot<Attribute: PropertyAttribute> {
  private let guarding = BareLock(isRecursive: true)
  @usableFromInline let attribute: Attribute
  @usableFromInline var stored: Attribute.Value?

  @usableFromInline func lock() { guarding.lock() }

  @usableFromInline func unlock() { guarding.unlock() }

  /// Creates a slot; an initial value goes through the attribute.
  ///
  /// - Parameters:
  ///   - attribute: The attribute.
  ///   - name: The name of the property.
  ///   - owner: The type that declares the property.
  ///   - type: The type of the property.
  ///   - initial: The initial value; nil for none.
  public init<Value>(
    _ attribute: Attribute, _ name: String, of owner: any Any.Type, as type: Value.Type,
    initial: Value?
  ) where Value == Attribute.Value {
    self.attribute = attribute
    stored = initial.flatMap {
      attribute.setting($0, stored: nil, AttributedProperty(name, of: owner, type: type), in: nil)
    }
  }

  /// Reads through the attribute.
  @inlinable public func _get(
    _ object: AnyObject, _ name: String, of owner: any Any.Type
  ) -> Attribute.Value {
    lock()
    let property = AttributedProperty(name, of: owner, type: Attribute.Value.self)
    let access = attribute.getting(stored: stored, property, in: object)
    var old: Attribute.Value?
    if access.storesInGet {
      old = stored
      stored = access.stored
    }
    unlock()
    // As in `_set`.
    withExtendedLifetime(old) {}
    return Attribute.required(access.value, property)
  }

  /// Assigns through the attribute.
  @inlinable public func _set(
    _ new: Attribute.Value, _ object: AnyObject, _ name: String, of owner: any Any.Type
  ) {
    lock()
    let old = stored
    stored = attribute.setting(
      new, stored: old, AttributedProperty(name, of: owner, type: Attribute.Value.self),
      in: object)
    unlock()
    // The old value ends outside of the lock.
    withExtendedLifetime(old) {}
  }
}

extension AttributedSlot: @unchecked Sendable where Attribute: Sendable, Attribute.Value: Sendable {
  // Sendable by argument: `guarding` guards `stored`.
}

/// Where `@Attributed` keeps the value of a property of a struct, with the attribute.
public struct AttributedValue<Attribute: PropertyAttribute> {
  private let attribute: Attribute
  private var stored: Attribute.Value?

  /// Creates a value; an initial one goes through the attribute.
  public init<Value>(
    _ attribute: Attribute, _ name: String, of owner: any Any.Type, as type: Value.Type,
    initial: Value?
  ) where Value == Attribute.Value {
    self.attribute = attribute
    if let initial { _set(initial, name, of: owner) }
  }

  /// Reads through the attribute.
  public func _get(_ name: String, of owner: any Any.Type) -> Attribute.Value {
    let property = AttributedProperty(name, of: owner, type: Attribute.Value.self)
    let access = attribute.getting(stored: stored, property, in: nil)
    if access.storesInGet {
      refuse(
        "'\(property)' is a property of a struct, and '\(Attribute.self).get' stores a value: "
          + "reading changes no struct. Declare it in a class, or store in 'set'.")
    }
    return Attribute.required(access.value, property)
  }

  /// Assigns through the attribute.
  public mutating func _set(_ new: Attribute.Value, _ name: String, of owner: any Any.Type) {
    stored = attribute.setting(
      new, stored: stored, AttributedProperty(name, of: owner, type: Attribute.Value.self), in: nil)
  }
}

extension AttributedValue: Sendable where Attribute: Sendable, Attribute.Value: Sendable {}

extension AttributedValue: Equatable where Attribute.Value: Equatable {
  /// Compares what is stored.
  public static func == (a: AttributedValue, b: AttributedValue) -> Bool { a.stored == b.stored }
}

extension AttributedValue: Hashable where Attribute.Value: Hashable {
  /// Hashes what is stored.
  public func hash(into hasher: inout Hasher) { hasher.combine(stored) }
}

extension PropertyAttribute {
  /// What is stored when a value is assigned.
  @inlinable func setting(
    _ new: Value, stored: Value?, _ property: AttributedProperty, in object: AnyObject?
  ) -> Value? {
    var access = AttributeAccess(object, property, value: new, stored: stored)
    set(&access)
    return access.value ?? stored
  }

  /// What a reader receives, and what is stored.
  @inlinable func getting(
    stored: Value?, _ property: AttributedProperty, in object: AnyObject?
  ) -> AttributeAccess<Value> {
    var access = AttributeAccess(object, property, value: stored, stored: stored)
    get(&access)
    return access
  }

  @inlinable static func required(_ value: Value?, _ property: AttributedProperty) -> Value {
    if let value { return value }
    refuse(
      "'\(property)' was read before it was assigned, and '\(Self.self)' gave no value. "
        + "Give the property an initial value, or make it optional.")
  }
}
