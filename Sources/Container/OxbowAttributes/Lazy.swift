/// Where `@Lazy` keeps the value of a property of a class or actor.
///
/// Its first reader makes the value: when several threads read first, one makes it and the others
/// wait for it. A value that was assigned before is never made.
public final class LazySlot<Value> {
  private let made = MadeOnce<Value>()

  /// Creates a slot without a value.
  public init() {}

  /// Whether the value is there, made or assigned; asking makes nothing.
  public var isMade: Bool { made.isMade }

  /// Forgets the value: the next reader makes it anew.
  public func reset() { made.set(nil) }

  /// Assigns the value; nil has the next reader make it.
  public func _set(_ value: Value?) { made.set(value) }

  /// The value, made if there is none.
  public func _value(_ name: String, of owner: any Any.Type, _ make: () -> Value) -> Value {
    made.value(or: { madeValue(name, of: owner, make) })
  }

  @inline(never) private func madeValue(
    _ name: String, of owner: any Any.Type, _ make: () -> Value
  ) -> Value {
    while true {
      if let value = _optionalValue(name, of: owner, make) { return value }
      // Reset by another thread since it was made.
    }
  }

  /// The value of an optional property, made if there is none.
  public func _optionalValue(
    _ name: String, of owner: any Any.Type, _ make: () -> Value?
  ) -> Value? {
    do {
      return try made.value(named: "\(owner).\(name)", make)
    } catch {
      refuse("'\(owner).\(name)' is lazy, and making its value needs the value: \(error)")
    }
  }
}

extension LazySlot: Sendable where Value: Sendable {}
