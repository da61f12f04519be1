internal import OxbowFoundation
internal import OxbowModel

/// Where a slice begins: behind an object of the slice before, or in front of one.
///
/// A token is a value that can be kept anywhere: in the address of a page, as JSON, in a file. It
/// has the object's place in the order, its values for the sort keys and its key, and not the
/// object: it is good after a restart, and after the object was changed or deleted.
///
/// It belongs to one request of one store: the same entity, the same order, the same condition with
/// the same values. With another one, the slice is refused (`pageTokenForeign`). A condition about
/// the present moment is written with `now()`, because a date that is passed would be another one
/// each time.
///
/// - Important: The values can be read from the text, and other ones can be written into it. A
///   token gives no access that the request does not give.
public struct PageToken: Sendable, Hashable {
  /// Whether the slice ends in front of the place.
  let isBackward: Bool

  /// What it was made for.
  let origin: SliceOrigin
  let place: SortPlace
}

/// A part of what a request finds, with the tokens of the parts beside it.
///
/// ```swift
/// let slice = try context.slice(request, after: token, limit: 50)
/// ```
///
/// Objects that come, go or move between two slices do not shift the others, as they do with
/// offsets, and a slice far down takes as long as the first one where an index has the order. Where
/// the objects beside a slice are gone, a token leads to an empty slice, from which another one
/// leads back.
public struct FetchedSlice<Entity: ManagedObject> {
  /// The objects, in the order of the request.
  public let items: [Entity]

  /// The token of the slice behind this one; `nil` if nothing is behind it.
  public let next: PageToken?

  /// The token of the slice in front of this one; `nil` if nothing is in front of it.
  public let previous: PageToken?

  /// Creates a slice, for a repository that is written by hand.
  public init(items: [Entity], next: PageToken? = nil, previous: PageToken? = nil) {
    self.items = items
    self.next = next
    self.previous = previous
  }
}

/// What a token was made for, as hashes of texts: what differs can be named.
struct SliceOrigin: Sendable, Hashable {
  let store: UInt32
  let order: UInt32
  let condition: UInt32

  init(store: UInt32, order: UInt32, condition: UInt32) {
    (self.store, self.order, self.condition) = (store, order, condition)
  }

  init(store: UUID, order: String, condition: String) {
    self.store = Self.hash(store.uuidString)
    self.order = Self.hash(order)
    self.condition = Self.hash(condition)
  }

  /// FNV-1a, which is the same in every process.
  private static func hash(_ text: String) -> UInt32 {
    text.utf8.reduce(2_166_136_261) { ($0 ^ UInt32($1)) &* 16_777_619 }
  }

  /// Refuses a token of another request, and one that was written by hand.
  func require(_ token: PageToken, _ keys: [OrderingTerm]) throws(PersistenceError) {
    let other = token.origin
    let difference =
      if store != other.store {
        "another store"
      } else if order != other.order || !token.place.fits(keys) {
        "another entity or order"
      } else if condition != other.condition {
        "another condition, or for other values in it"
      } else {
        nil as String?
      }
    guard let difference else { return }
    throw PersistenceError(
      .pageTokenForeign,
      "the token of the slice was made for \(difference); pass it with the request that it comes "
        + "from, or begin again without a token")
  }
}

extension SortPlace {
  /// Whether it has a value for each key, and texts where texts are compared.
  fileprivate func fits(_ keys: [OrderingTerm]) -> Bool {
    values.count == keys.count
      && zip(values, keys).allSatisfy { value, key in
        if value == nil || key.comparison.isEmpty { return true }
        if case .string = value { return true }
        return false
      }
  }
}

// MARK: - As text

extension PageToken: LosslessStringConvertible {
  /// The token as text without characters that an address would have to escape; about 60 to 100
  /// characters, and more for long texts that are sorted by.
  public var description: String {
    guard let bytes = try? JSONEncoder().encode(Fields(token: self)) else { return "" }
    return bytes.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
      .replacing("=", with: "")
  }

  /// Reads what ``description`` gave; `nil` for any other text.
  public init?(_ description: String) {
    let text = description.replacing("-", with: "+").replacing("_", with: "/")
    let padding = String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
    guard let bytes = Data(base64Encoded: text + padding),
      let fields = try? JSONDecoder().decode(Fields.self, from: bytes)
    else { return nil }
    self = fields.token
  }
}

extension PageToken: Codable {
  /// Reads a token from its text.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let token = Self(text) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "'\(text)' is not the token of a slice")
    }
    self = token
  }

  /// Writes the token as text.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }

  /// The parts of a token one after the other.
  private struct Fields: Codable {
    private static let version = 1
    let token: PageToken

    init(token: PageToken) { self.token = token }

    init(from decoder: any Decoder) throws {
      var fields = try decoder.unkeyedContainer()
      guard try fields.decode(Int.self) == Self.version else {
        throw DecodingError.dataCorruptedError(
          in: fields, debugDescription: "the token is one of a later version")
      }
      let isBackward = try fields.decode(Bool.self)
      let origin = SliceOrigin(
        store: try fields.decode(UInt32.self), order: try fields.decode(UInt32.self),
        condition: try fields.decode(UInt32.self))
      let key = try fields.decode(Int64.self)
      token = PageToken(
        isBackward: isBackward, origin: origin,
        place: SortPlace(values: try fields.decode([AttributeValue?].self), key: key))
    }

    func encode(to encoder: any Encoder) throws {
      var fields = encoder.unkeyedContainer()
      try fields.encode(Self.version)
      try fields.encode(token.isBackward)
      try fields.encode(token.origin.store)
      try fields.encode(token.origin.order)
      try fields.encode(token.origin.condition)
      try fields.encode(token.place.key)
      try fields.encode(token.place.values)
    }
  }
}
