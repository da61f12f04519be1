/// How the objects of a container are, each once, below one that needs it.
///
/// Encoded, a node is an object with `name`, `place` (where it is defined), `status`, `text`,
/// `details` and `children`; what is nil or empty is left out.
public struct HealthTree: Sendable, Hashable {
  /// The object's name; `container` at the root.
  public let name: String
  /// Where the object is defined; nil at the root.
  public let place: String?
  /// How the object is; at the root the worst status below.
  public let health: Health
  /// The objects that it needs.
  public let children: [HealthTree]

  /// Creates a node.
  public init(_ name: String, place: String? = nil, _ health: Health, _ children: [HealthTree] = [])
  {
    (self.name, self.place, self.health, self.children) = (name, place, health, children)
  }
}

extension HealthTree: Codable {
  private enum Key: String, CodingKey { case name, place, status, text, details, children }

  /// Writes the node and all below.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(name, forKey: .name)
    try container.encodeIfPresent(place, forKey: .place)
    try container.encode(health.status, forKey: .status)
    try container.encodeIfPresent(health.text, forKey: .text)
    if !health.details.isEmpty { try container.encode(health.details, forKey: .details) }
    if !children.isEmpty { try container.encode(children, forKey: .children) }
  }

  /// Reads what was encoded.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    self.init(
      try container.decode(String.self, forKey: .name),
      place: try container.decodeIfPresent(String.self, forKey: .place),
      Health(
        try container.decode(Health.Status.self, forKey: .status),
        try container.decodeIfPresent(String.self, forKey: .text),
        details: try container.decodeIfPresent([String: String].self, forKey: .details) ?? [:]),
      try container.decodeIfPresent([HealthTree].self, forKey: .children) ?? [])
  }
}
