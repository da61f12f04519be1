internal import OxbowDocuments

/// What a node does at an event: its `events`, `actions` and `notifications`, or those of its
/// `eventHandler`.
public struct NodeHandling: Sendable {
  /// The actions by the names of events.
  public private(set) var events: [String: [NodeValue]] = [:]
  /// Named actions.
  public private(set) var actions: [String: NodeValue] = [:]
  /// The notifications that are handled as events, without duplicates.
  public private(set) var notifications: [String] = []
  /// The class of the handler that runs around events.
  public private(set) var handlerClass: NodeValue?

  init() {}

  init(_ node: NodeDictionary, notes: inout [DocumentNote]) throws(NodeError) {
    if let bundle = node["eventHandler"] { try read(bundle: bundle, &notes) }
    try read(node, &notes)
  }

  private mutating func read(
    bundle: NodeValue, _ notes: inout [DocumentNote]
  ) throws(NodeError) {
    guard let dictionary = bundle.dictionary else {
      throw Self.wrongForm("eventHandler", bundle, "a dictionary")
    }
    let known = ["Class", "events", "actions", "notifications", "comment"]
    if let other = dictionary.entries.first(where: { !known.contains($0.key) }) {
      throw NodeError(
        .unknownAttribute, "an event handler has no \"\(other.key)\"", at: other.location,
        nearNames: nearNames(to: other.key, among: known))
    }
    handlerClass = dictionary["Class"]
    try read(dictionary, &notes)
  }

  private mutating func read(
    _ dictionary: NodeDictionary, _ notes: inout [DocumentNote]
  ) throws(NodeError) {
    for entry in try Self.entries("events", of: dictionary) {
      try Self.refuseSecond(events[entry.key] != nil, "event", entry)
      events[entry.key] = try Self.actions(entry)
    }
    for entry in try Self.entries("actions", of: dictionary) {
      try Self.refuseSecond(actions[entry.key] != nil, "action", entry)
      actions[entry.key] = try Self.action(entry.value)
    }
    try readNotifications(dictionary["notifications"], &notes)
  }

  private mutating func readNotifications(
    _ value: NodeValue?, _ notes: inout [DocumentNote]
  ) throws(NodeError) {
    guard let value else { return }
    guard let names = value.array else {
      throw Self.wrongForm("notifications", value, "an array of names")
    }
    for name in names {
      guard let text = name.text else { throw Self.wrongForm("a notification", name, "a name") }
      if notifications.contains(text) {
        notes.append(
          DocumentNote(
            "notification \"\(text)\" is named twice and observed once", at: name.location))
      } else {
        notifications.append(text)
      }
    }
  }

  // MARK: - Forms

  private static func entries(
    _ key: String, of dictionary: NodeDictionary
  ) throws(NodeError) -> [NodeDictionary.Entry] {
    guard let value = dictionary[key] else { return [] }
    guard let inner = value.dictionary else { throw wrongForm(key, value, "a dictionary") }
    return inner.entries
  }

  private static func actions(_ entry: NodeDictionary.Entry) throws(NodeError) -> [NodeValue] {
    guard let values = entry.value.array else {
      throw wrongForm("event \"\(entry.key)\"", entry.value, "an array of actions")
    }
    return try values.map { (value) throws(NodeError) in try action(value) }
  }

  /// An action is a dictionary with its name.
  private static func action(_ value: NodeValue) throws(NodeError) -> NodeValue {
    guard let dictionary = value.dictionary else {
      throw wrongForm("an action", value, "a dictionary")
    }
    guard let name = dictionary["name"] ?? dictionary["Class"] else {
      throw NodeError.missing(
        "name", "an action has no \"name\"", in: dictionary, at: value.location)
    }
    guard name.text?.isEmpty == false else {
      throw wrongForm("the name of an action", name, "a text")
    }
    return value
  }

  private static func refuseSecond(
    _ isSecond: Bool, _ what: String, _ entry: NodeDictionary.Entry
  ) throws(NodeError) {
    guard isSecond else { return }
    throw NodeError(
      .invalidDefinition, "\(what) \"\(entry.key)\" is in the event handler already",
      at: entry.location)
  }

  private static func wrongForm(
    _ what: String, _ value: NodeValue, _ expected: String
  ) -> NodeError {
    NodeError(
      .invalidDefinition, "\(what) is \(value.shown); \(expected) is expected", at: value.location)
  }
}
