public import OxbowContainer
internal import Synchronization

/// How far the assignment of a slot has come.
private enum Step {
  static let open: UInt8 = 0
  static let writing: UInt8 = 1
  static let assigned: UInt8 = 2
}

/// Where `@Final` keeps the value of a property of a class or actor.
///
/// A value that is there is never changed: a reader looks at a flag and takes no lock.
public final class FinalSlot<Value> {
  private let step = Atomic<UInt8>(Step.open)
  /// Written once, by the thread that took the step to `writing`; read after `assigned`.
  private nonisolated(unsafe) var stored: Value?

  /// Creates a slot without a value.
  public init() {}

  /// The value, if it was assigned.
  public var _value: Value? { step.load(ordering: .acquiring) == Step.assigned ? stored : nil }

  /// The value of a property that is not optional.
  public func _required(_ name: String, of owner: any Any.Type) -> Value {
    if let value = _value { return value }
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
    let exchange = step.compareExchange(
      expected: Step.open, desired: Step.writing, ordering: .acquiringAndReleasing)
    guard exchange.exchanged else {
      throw .finalAssignedTwice(name, owner, present: _value, refused: value)
    }
    stored = value
    step.store(Step.assigned, ordering: .releasing)
  }
}

extension FinalSlot: @unchecked Sendable where Value: Sendable {
  // Sendable by argument: see `stored`.
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
    let present = present.map { "the value \($0), which stays" } ?? "an assignment by a thread"
    let problem = Problem(
      .alreadyAssigned, "'\(owner).\(name)' is final, and was assigned before",
      seen: "\(present), and a second one, \(refused)",
      expected: "one assignment",
      nextStep: "assign it once; where it may have happened before, use '$\(name).trySet(_:)', "
        + "which throws")
    return ContainerError(problem, task: "assign '\(owner).\(name)'")
  }
}
