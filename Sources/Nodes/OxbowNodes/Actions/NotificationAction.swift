/// `Notification`: posts `event`, with the whole dictionary of the action.
struct NotificationAction: NodeAction {
  // Observers receive the dictionary, so it may have any values.
  var takesAnything: Bool { true }

  func run(_ call: ActionCall) throws {
    let event = try call.arguments.required("event", as: String.self)
    try call.target.post(event, info: call.definition)
  }
}
