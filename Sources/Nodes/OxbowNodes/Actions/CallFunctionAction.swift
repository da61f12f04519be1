internal import OxbowDocuments

/// `CallFunc`: calls the function `selector` of the target with `object`, or with `object1`,
/// `object2` and so on.
struct CallFunctionAction: NodeAction {
  func run(_ call: ActionCall) throws {
    let name = try call.arguments.required("selector", as: String.self)
    let functions = type(of: call.target).functions
    // The function of the class itself is last in the list and overrides an inherited one.
    guard let function = functions.last(where: { $0.name == name }) else {
      throw NodeError(
        .unknownFunction, "\(call.target.className) has no function \"\(name)\"",
        at: call.arguments.values["selector"]?.location,
        nearNames: nearNames(to: name, among: functions.map(\.name)))
    }
    let values = Self.names(function.count).map { names in
      names.lazy.compactMap { call.arguments[$0] }.first
    }
    try function.call(
      call.target,
      FunctionArguments(
        values: values, function: name, definition: call.definition,
        context: call.arguments.context))
  }

  /// The possible names of each argument; the first one may also be called `object`.
  private static func names(_ count: Int) -> [[String]] {
    guard count > 1 else { return count == 1 ? [["object"]] : [] }
    return [["object1", "object"]] + (2...count).map { ["object\($0)"] }
  }
}
