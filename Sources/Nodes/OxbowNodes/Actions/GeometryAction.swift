/// `MoveBy`, `MoveTo` and `Resize`.
enum GeometryAction: String, CaseIterable, NodeAction {
  case moveBy = "MoveBy"
  case moveTo = "MoveTo"
  case resize = "Resize"

  func run(_ call: ActionCall) throws {
    let view = try call.target(as: ViewNode.self)
    try call.animate {
      switch self {
      case .moveBy: try Self.move(view, call)
      case .moveTo: try Self.place(view, call)
      case .resize: try Self.resize(view, call)
      }
    }
  }

  /// The distances apply to the point that is named.
  private static func move(_ view: ViewNode, _ call: ActionCall) throws {
    let (name, distance) = try point(of: ["origin", "center", "position"], call)
    if name == "position" { try anchor(view, call) }
    view.frame.origin.x += distance.x
    view.frame.origin.y += distance.y
  }

  private static func place(_ view: ViewNode, _ call: ActionCall) throws {
    // Checks that one of them is given.
    _ = try point(of: ["origin", "center", "position"], call, isChecked: false)
    try anchor(view, call)
    try view.place(by: call.arguments)
  }

  private static func resize(_ view: ViewNode, _ call: ActionCall) throws {
    guard call.arguments["size"] != nil else { throw call.arguments.missing("size") }
    try anchor(view, call)
    // The anchor point stays where it is.
    let position = view.position
    try view.place(by: call.arguments)
    view.position = position
  }

  private static func anchor(_ view: ViewNode, _ call: ActionCall) throws {
    guard let anchor = try call.arguments.value("anchorPoint", as: NodePoint.self) else { return }
    view.anchorPoint = anchor
  }

  private static func point(
    of names: [String], _ call: ActionCall, isChecked: Bool = true
  ) throws -> (name: String, NodePoint) {
    let given = names.filter { call.arguments[$0] != nil }
    guard given.count == 1, let name = given.first else {
      let seen = given.isEmpty ? "none" : given.joined(separator: " and ")
      throw NodeError(
        .missingArgument, "\(call.name) takes one of origin, center and position; it has \(seen)",
        at: call.definition.location)
    }
    guard isChecked else { return (name, NodePoint()) }
    return (name, try call.arguments.required(name, as: NodePoint.self))
  }
}
