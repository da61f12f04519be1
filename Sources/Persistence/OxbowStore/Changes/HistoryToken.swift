public import OxbowFoundation

/// A place in the history of a store: after one save and before the next.
///
/// It can be kept anywhere, as JSON for example, and says which store it belongs to. A store that
/// was restored from a backup has another history from then on, because it may write other saves
/// under the same numbers: a token from before is refused there (`historyForeign`). A file that was
/// copied by other means than Oxbow's cannot be told apart.
public struct HistoryToken: Sendable, Hashable, Codable {
  /// The identifier of the store.
  public let store: UUID

  /// Which history of the store it is: another one after a backup was restored.
  public let instance: UUID

  /// The number of the last save before the place.
  package let number: Int64

  package init(store: UUID, instance: UUID, number: Int64) {
    self.store = store
    self.instance = instance
    self.number = number
  }

  /// The place in the same history after another save, by its number.
  package func at(_ number: Int64) -> Self {
    Self(store: store, instance: instance, number: max(0, number))
  }
}

extension HistoryToken: Comparable {
  /// Whether the first is the earlier one, if both belong to one history.
  ///
  /// Places of different histories have an order too, so that they can be sorted; it says nothing.
  public static func < (a: Self, b: Self) -> Bool {
    guard a.store == b.store, a.instance == b.instance else {
      return (a.store.uuidString, a.instance.uuidString)
        < (b.store.uuidString, b.instance.uuidString)
    }
    return a.number < b.number
  }
}

extension HistoryToken: CustomStringConvertible {
  /// The token as text: store, instance and number; ``init(_:)`` reads it again.
  public var description: String { "\(store.uuidString)/\(instance.uuidString)/\(number)" }

  /// Reads what ``description`` gave; `nil` for any other text.
  public init?(_ description: String) {
    let parts = description.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 3, let store = UUID(uuidString: String(parts[0])),
      let instance = UUID(uuidString: String(parts[1])), let number = Int64(parts[2]), number >= 0
    else { return nil }
    self.init(store: store, instance: instance, number: number)
  }

  /// Reads a token from its text.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let token = Self(text) else {
      throw DecodingError.dataCorruptedError(
        in: container,
        debugDescription: "'\(text)' is not a history token (STORE/INSTANCE/NUMBER)")
    }
    self = token
  }

  /// Writes the token as text.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

/// Moves a consumer from one place to another.
package struct HistoryAcknowledgment: Sendable, Hashable {
  package let consumer: String
  package let old: HistoryToken
  package let new: HistoryToken

  package init(consumer: String, from old: HistoryToken, to new: HistoryToken) {
    self.consumer = consumer
    self.old = old
    self.new = new
  }
}
