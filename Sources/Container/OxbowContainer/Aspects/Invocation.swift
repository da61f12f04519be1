/// One call of a method or property, as aspects see it: arguments and result can be read and
/// changed.
///
/// It belongs to the call that made it, and is not `Sendable`.
open class Invocation: CustomStringConvertible {
  /// The method with its labels, `lend(to:days:)`, or the property.
  ///
  /// Where a property is assigned, the value is the one argument; where it is read, the result.
  public final var name: String { method.description }

  /// The name of the protocol that declares the method.
  public final var protocolName: String { owner.description }

  // Texts are made where they are asked for: most aspects ask for none.
  private let method: StaticString
  private let owner: StaticString

  /// The number of arguments.
  public final let argumentCount: Int

  // No exclusivity checks: it is written and read as a whole, and a call is not `Sendable`.
  /// The name of the object in its container; nil for a call that no container runs aspects around.
  @exclusivity(unchecked) public internal(set) final var objectName: String?

  /// The object whose method is called: that behind the proxy, or the woven object itself; nil for
  /// a call that says nothing of it.
  ///
  /// Use it for what the object is, not to call it again: `proceed` does.
  open var target: Any? { nil }

  /// Describes a call; `@Proxied` writes the classes that do.
  public init(_ name: StaticString, of protocolName: StaticString, arguments: Int) {
    method = name
    owner = protocolName
    argumentCount = arguments
  }

  /// The argument with a number, from 0.
  ///
  /// - Precondition: The method has so many.
  open func argument(_ index: Int) -> Any {
    preconditionFailure(
      "'\(name)' has \(argumentCount) arguments, and none has the number \(index)")
  }

  /// Gives the target another argument.
  ///
  /// - Throws: ``ContainerError`` with code `typeMismatch` for a value of another type than the
  ///   parameter, or a number that the method does not have.
  open func setArgument(_ index: Int, to value: Any) throws { throw misfit(index, value, nil) }

  /// What the target or an aspect has returned; nil before, and for a method that returns nothing.
  open var result: Any? { nil }

  /// Gives the caller another result.
  ///
  /// - Throws: ``ContainerError`` with code `typeMismatch` for a value of another type than the
  ///   method's.
  open func setResult(_ value: Any) throws {}

  /// All arguments, in order.
  public final var arguments: [Any] { (0..<argumentCount).map { argument($0) } }

  /// The argument with a number, if the method has so many and it is a `T`.
  public final func argument<T>(_ index: Int, as type: T.Type) -> T? {
    (0..<argumentCount).contains(index) ? argument(index) as? T : nil
  }

  /// The labels of the method; `_` where there is none.
  public final var labels: [String] {
    let list = name.drop { $0 != "(" }.dropFirst().dropLast()
    return list.split(separator: ":").map(String.init)
  }

  /// The call as source would spell it: `lend(to: Ada, days: 14)`.
  ///
  /// Of a property it is `title`, and where it is assigned `title = Emma`.
  public final var description: String {
    let name = name
    guard name.contains("(") else {
      return argumentCount == 0 ? name : "\(name) = \(argument(0))"
    }
    let list = zip(labels, arguments).map { $0 == "_" ? "\($1)" : "\($0): \($1)" }
    return name.prefix { $0 != "(" } + "(" + list.joined(separator: ", ") + ")"
  }

  /// Sets a stored argument; for the classes that `@Proxied` writes.
  public final func _set<T>(_ argument: inout T, _ index: Int, to value: Any) throws {
    guard let value = value as? T else { throw misfit(index, value, "\(T.self)") }
    argument = value
  }

  private func misfit(_ index: Int, _ value: Any, _ wanted: String?) -> ContainerError {
    ContainerError(
      .wrongArgument(
        "argument \(index)", of: name, count: argumentCount, value: value, wanted: wanted),
      task: "change a call")
  }
}

/// A call of a method with a type of result; `@Proxied` writes a subclass for each method.
///
/// What runs in each call is inlinable, so that the module with the subclass has it for the type of
/// result: in generic code, types would be looked up each time (`docs/performance.md`,
/// K/aspects-empty).
open class TypedInvocation<Result>: Invocation {
  // No exclusivity checks: it is written and read as a whole, and a call is not `Sendable`.
  /// The result, once there is one.
  @exclusivity(unchecked) public final var _result: Result?

  /// Describes a call.
  @inlinable public override init(
    _ name: StaticString, of protocolName: StaticString, arguments: Int
  ) { super.init(name, of: protocolName, arguments: arguments) }

  @inlinable deinit {}

  /// Calls a target that may throw.
  open func _call() throws -> Result { preconditionFailure("abstract") }

  /// Calls a target that does not throw.
  open func _callQuietly() -> Result { preconditionFailure("abstract") }

  /// Calls a target that is async.
  nonisolated(nonsending) open func _callAsync() async throws -> Result {
    preconditionFailure("abstract")
  }

  /// What the target or an aspect has returned.
  public final override var result: Any? { Result.self == Void.self ? nil : _result }

  /// Gives the caller another result.
  public final override func setResult(_ value: Any) throws {
    guard let value = value as? Result else {
      throw ContainerError(
        .wrongArgument(
          "the result", of: name, count: argumentCount, value: value, wanted: "\(Result.self)"),
        task: "change a call")
    }
    _result = value
  }

  /// Runs aspects around a call that may throw.
  @inlinable @inline(never) public final func _run(_ chain: AspectChain) throws -> Result {
    try chain.run(self) { _result = try _call() }
    return try found()
  }

  /// Runs aspects around a call that does not throw.
  @inlinable @inline(never) public final func _runQuietly(_ chain: AspectChain) -> Result {
    chain.runQuietly(self) { _result = _callQuietly() }
    if let result = _result ?? () as? Result { return result }
    // An aspect that neither proceeds nor sets a result has not answered the caller, who cannot be
    // given an error.
    return _callQuietly()
  }

  /// Runs aspects around an async call.
  nonisolated(nonsending) public final func _runAsync(
    _ chain: AspectChain
  ) async throws -> Result {
    try await chain.runAsync(self) { _result = try await _callAsync() }
    return try found()
  }

  @inlinable final func found() throws -> Result {
    if let _result { return _result }
    if let nothing = () as? Result { return nothing }
    throw unanswered()
  }

  @usableFromInline final func unanswered() -> any Error {
    ContainerError(.noResult(of: name, typeName: "\(Result.self)"), task: "call \(name)")
  }
}
