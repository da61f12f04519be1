/// A function of a class of nodes that `CallFunc` calls by name.
///
/// ```swift
/// .function("move:to:", of: Panel.self) { panel in
///   { (name: String, place: Int) in try panel.move(name, to: place) }
/// }
/// ```
///
/// The closure is written out because `Panel.move` as a value is ambiguous if the class has
/// several functions of that name.
public struct NodeFunction: Sendable {
  /// The name, with a colon for each argument.
  public let name: String
  let count: Int
  let call: @Sendable (Node, FunctionArguments) throws -> Void

  /// Describes a function with any number of arguments; `function` returns that of an object.
  ///
  /// - Precondition: The name has a colon for each argument: `reset`, `_click:`, `move:to:`.
  public static func function<Owner: Node, each Argument: NodeConvertible>(
    _ name: String, of type: Owner.Type = Owner.self,
    _ function: @escaping @Sendable (Owner) -> (repeat each Argument) throws -> Void
  ) -> NodeFunction {
    var count = 0
    for _ in repeat (each Argument).self { count += 1 }
    precondition(
      name.count { $0 == ":" } == count,
      "Function \"\(name)\" has \(count) arguments, and needs a colon for each.")
    return NodeFunction(name: name, count: count) { node, arguments in
      guard let owner = node as? Owner else {
        throw NodeError(
          .wrongTarget, "\(name) is a function of \(Owner.self), not of \(node.className)",
          at: arguments.definition.location)
      }
      var arguments = arguments
      try function(owner)(repeat try arguments.next((each Argument).self))
    }
  }
}

/// The arguments of one call, in order.
struct FunctionArguments {
  let values: [NodeValue?]
  let function: String
  let definition: NodeValue
  let context: NodeValueContext
  var index = 0

  /// Returns the next argument as the type that the function takes.
  mutating func next<Argument: NodeConvertible>(_ type: Argument.Type) throws(NodeError) -> Argument
  {
    let number = index + 1
    defer { index += 1 }
    guard values.indices.contains(index), let value = values[index] else {
      throw NodeError(
        .missingArgument,
        "argument \(number) of \"\(function)\" is missing; it is a \(Argument.self)",
        at: definition.location)
    }
    do throws(NodeError) { return try Argument.convert(value, in: context) } catch {
      throw NodeError(
        error.code,
        "argument \(number) of \"\(function)\" is a \(Argument.self): \(error.message)",
        at: error.location, nearNames: error.nearNames)
    }
  }
}
