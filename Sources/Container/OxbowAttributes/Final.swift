public import OxbowContainer
internal import Synchronization

/// Where `@Final` keeps the value of a property of a class or actor.
///
/// A value that is there is never changed: a reader follows a pointer and takes no lock.
public final class FinalSlot<Value> {
  /// Where the value is, once it was assigned.
  private let pointer = Atomic<UnsafeMutablePointer<Value>?>(nil)

  /// Creates a slot without a value.
  public init() {}

  deinit { Self.end(pointer.load(ordering: .acquiring)) }

  private static func end(_ pointer: UnsafeMutablePointer<Value>?) {
    pointer?.deinitialize(count: 1)
    pointer?.deallocate()
  }

  /// The value, if it was assigned.
  public var _value: Value? { pointer.load(ordering: .acquiring)?.pointee }

  /// The value of a property that is not optional.
  public func _required(_ name: String, of owner: any Any.Type) -> Value {
    if let pointer = pointer.load(ordering: .acquiring) { return pointer.pointee }
    FinalAssignment.refuseReading(name, of: owner)
  }

  /// Assigns the value, or stops the process when there is one; nil changes nothing.
  public func _assign(_ value: Value?, _ name: String, of owner: any Any.Type) {
    do {
      try assign(value, name, of: owner)
    } catch {
      FinalAssignment.report(error)
    }
  }

  func assign(_ value: Value?, _ name: String, of owner: any Any.Type) throws(ContainerError) {
    guard let value else {
      guard let present = _value else { return }
      throw .finalAssignedTwice(name, owner, present: present, refused: "nil")
    }
    let new = UnsafeMutablePointer<Value>.allocate(capacity: 1)
    new.initialize(to: value)
    let exchange = pointer.compareExchange(
      expected: nil, desired: new, ordering: .acquiringAndReleasing)
    guard exchange.exchanged else {
      Self.end(new)
      throw .finalAssignedTwice(name, owner, present: _value, refused: value)
    }
  }
}

extension FinalSlot: @unchecked Sendable where Value: Sendable {
  // Sendable by argument: what the pointer leads to never changes once it is published.
}

/// A property of an object that is assigned once: what `$name` gives for `@Final var name`.
public struct FinalProperty<Value> {
  private let slot: FinalSlot<Value>
  private let name: String
  private let owner: any Any.Type

  /// The property of a slot.
  public init(_ slot: FinalSlot<Value>, _ name: String, of owner: any Any.Type) {
    self.slot = slot
    self.name = name
    self.owner = owner
  }

  /// Whether it was assigned.
  public var isAssigned: Bool { slot._value != nil }

  /// Assigns the value, of several threads for one.
  ///
  /// - Throws: ``ContainerError`` with the code `alreadyAssigned`; the value that is there stays.
  public func trySet(_ value: Value) throws(ContainerError) {
    try slot.assign(value, name, of: owner)
  }
}

extension FinalProperty: Sendable where Value: Sendable {}

/// The value of a property of a struct that is assigned once: what `$name` gives for
/// `@Final var name`.
public struct FinalValue<Value> {
  /// The value, if it was assigned.
  public private(set) var _value: Value?
  private let name: String
  private let owner: any Any.Type

  /// The value that a struct has.
  public init(_ value: Value?, _ name: String, of owner: any Any.Type) {
    _value = value
    self.name = name
    self.owner = owner
  }

  /// Whether it was assigned.
  public var isAssigned: Bool { _value != nil }

  /// Assigns the value.
  ///
  /// - Throws: ``ContainerError`` with the code `alreadyAssigned`; the value that is there stays.
  public mutating func trySet(_ value: Value) throws(ContainerError) { try assign(value) }

  /// Assigns the value, or stops the process when there is one; nil changes nothing.
  public mutating func _assign(_ value: Value?) {
    do {
      try assign(value)
    } catch {
      FinalAssignment.report(error)
    }
  }

  /// The value of a property that is not optional.
  public var _required: Value {
    if let _value { return _value }
    FinalAssignment.refuseReading(name, of: owner)
  }

  private mutating func assign(_ value: Value?) throws(ContainerError) {
    if let _value {
      throw .finalAssignedTwice(name, owner, present: _value, refused: value as Any? ?? "nil")
    }
    _value = value
  }
}

extension FinalValue: Sendable where Value: Sendable {}

/// What becomes of a second assignment to a `@Final` property.
///
/// A setter cannot throw, so the process stops with the reason. `$name.trySet(_:)` throws instead.
public enum FinalAssignment {
  /// For tests: receives the error of each second assignment in a task, which then changes nothing
  /// and goes on.
  @TaskLocal public static var observer: (@Sendable (ContainerError) -> Void)?

  static func report(_ error: ContainerError) {
    guard let observer else { refuse("\(error)") }
    observer(error)
  }

  static func refuseReading(_ name: String, of owner: any Any.Type) -> Never {
    refuse(
      "'\(owner).\(name)' was read before it was assigned. Assign it first, ask "
        + "'$\(name).isAssigned', or make the property optional.")
  }
}

extension ContainerError.Code {
  /// A property that is assigned once has its value.
  public static let alreadyAssigned = Self(rawValue: "alreadyAssigned")
}

extension ContainerError {
  fileprivate static func finalAssignedTwice(
    _ name: String, _ owner: any Any.Type, present: Any?, refused: Any
  ) -> ContainerError {
    let present = present.map { "the value \($0), which stays" } ?? "a value, which stays"
    let problem = Problem(
      .alreadyAssigned, "'\(owner).\(name)' is final, and was assigned before",
      seen: "\(present), and a second one, \(refused)",
      expected: "one assignment",
      nextStep: "assign it once; where it may have happened before, use '$\(name).trySet(_:)', "
        + "which throws")
    return ContainerError(problem, task: "assign '\(owner).\(name)'")
  }
}
