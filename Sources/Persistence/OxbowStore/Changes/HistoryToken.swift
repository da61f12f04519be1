public import OxbowFoundation

/// A place in the history of one store: after one save and before the next.
///
/// A save has the place after it (``HistoryTransaction/place``), which is the same whenever the
/// save is read.
public struct HistoryPlace: Sendable, Hashable {
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

extension HistoryPlace: Comparable {
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

extension HistoryPlace: CustomStringConvertible {
  /// The place as text: store, instance and number.
  public var description: String { "\(store.uuidString)/\(instance.uuidString)/\(number)" }

  fileprivate init?(_ text: Substring) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 3, let store = UUID(uuidString: String(parts[0])),
      let instance = UUID(uuidString: String(parts[1])), let number = Int64(parts[2]), number >= 0
    else { return nil }
    self.init(store: store, instance: instance, number: number)
  }
}

/// A place in the history of a coordinator: one in each of its stores.
///
/// It can be kept anywhere, as JSON for example, and says which stores it belongs to. A store that
/// was restored from a backup has another history from then on, because it may write other saves
/// under the same numbers: a token from before is refused there (`historyForeign`). A file that was
/// copied by other means than Oxbow's cannot be distinguished.
///
/// A store of the coordinator that a token does not name, because it was added since, is read from
/// its first save on; a store that the coordinator does not have is ignored, as long as it has one
/// of the others.
public struct HistoryToken: Sendable, Hashable, Codable {
  /// The places in its stores, at least one, in the order of the stores' identifiers.
  public let places: [HistoryPlace]

  /// The token of some places, one for each store.
  package init(_ places: [HistoryPlace]) {
    self.places = places.count > 1 ? places.sorted() : places
  }

  /// The place in a store, if the token names it.
  package func place(in store: UUID) -> HistoryPlace? { places.first { $0.store == store } }

  /// The number of the last save before the place in the only store, or the first one.
  package var number: Int64 { places.first?.number ?? 0 }

  /// The place after another save of the only store, or the first one, by its number.
  package func at(_ number: Int64) -> Self {
    Self(places.prefix(1).map { $0.at(number) } + places.dropFirst())
  }

  /// The token with another place in the store of a place.
  package func with(_ place: HistoryPlace) -> Self {
    Self(places.filter { $0.store != place.store } + [place])
  }

  /// The places of another token, and these in stores which that does not name.
  ///
  /// A save of several stores changes some of them. With the token of its event, or with
  /// `lastHistoryToken` of its context, this makes a place in all stores.
  public func moved(to other: Self) -> Self {
    let isOfOneStore = places.count == 1 && other.places.count == 1
    if isOfOneStore, places[0].store == other.places[0].store { return other }
    return other.places.reduce(self) { $0.with($1) }
  }
}

extension HistoryToken: Comparable {
  /// Whether the first is the earlier one, if both belong to the same histories, and neither is
  /// before the other in one store and after it in another.
  ///
  /// Other tokens have an order too, so that they can be sorted; it says nothing.
  public static func < (a: Self, b: Self) -> Bool { a.places.lexicographicallyPrecedes(b.places) }
}

extension HistoryToken: CustomStringConvertible {
  private static let separator: Character = "+"

  /// The token as text, which ``init(_:)`` reads again: store, instance and number, and with a plus
  /// sign between them those of further stores.
  public var description: String {
    places.map(\.description).joined(separator: String(Self.separator))
  }

  /// Reads what ``description`` gave; `nil` for any other text.
  public init?(_ description: String) {
    let texts = description.split(separator: Self.separator, omittingEmptySubsequences: false)
    let places = texts.compactMap(HistoryPlace.init)
    guard places.count == texts.count, Set(places.map(\.store)).count == places.count else {
      return nil
    }
    self.init(places)
  }

  /// Reads a token from its text.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let token = Self(text) else {
      throw DecodingError.dataCorruptedError(
        in: container,
        debugDescription:
          "'\(text)' is not a history token (STORE/INSTANCE/NUMBER, and with '+' more)")
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

  /// What it moves in one store; `nil` if nothing.
  package func part(in store: UUID) -> Self? {
    guard let new = new.place(in: store), new != start(of: new) else { return nil }
    return Self(consumer: consumer, from: HistoryToken([start(of: new)]), to: HistoryToken([new]))
  }

  /// What it moves in other stores; `nil` if nothing.
  package func without(_ store: UUID) -> Self? {
    let places = new.places.filter { $0.store != store && $0 != start(of: $0) }
    return places.isEmpty ? nil : Self(consumer: consumer, from: old, to: HistoryToken(places))
  }

  /// What is left of it when the consumer is at a place: in the stores where it has not moved yet.
  package func remainder(at place: HistoryToken) -> Self? {
    let places = new.places.filter { new in
      let start = start(of: new)
      return start != new && start == place.place(in: new.store) ?? start
    }
    return places.isEmpty ? nil : Self(consumer: consumer, from: old, to: HistoryToken(places))
  }

  private func start(of place: HistoryPlace) -> HistoryPlace {
    old.place(in: place.store) ?? place.at(0)
  }
}
