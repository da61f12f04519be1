internal import OxbowModel

/// What of a store does not come along when it is converted.
package struct ConversionLosses: Sendable {
  /// What becomes of a value, a link or an object.
  package enum LossKind: String, Sendable, CaseIterable {
    case notANumber = "not a number (NaN), so null"
    case missingFile = "in a file that is missing, so null"
    case danglingLink = "a link to a row that is not there, left out"
    case otherEntity = "a link to an object of another entity, left out"
    case emptyValue = "null where the model needs a value, so the default of the model"
    case noEntity = "a row of no entity of the model, left out"
    case noVersion = "a row without a version, so version 1"
    case metadata = "a list or a dictionary in the app's metadata, left out"
    case metadataKey = "a value under a key that is Core Data's own, left out"
    case longDecimal = "a decimal number of more than 15 digits, rounded"
    case largeVersion = "a version of more than 31 bits, so version 1"
    case secondOwner = "a member of a second object, of which Core Data keeps one, left out"
    /// Nothing is lost, but an app may not read it.
    case json = "JSON, where an app without a transformer of its own expects an archive"
    case metadataNumber = "a number in the metadata, also where it was set as a date"
    /// Nothing is written where there are some, allowed or not.
    case noValue = "null where the model needs a value, and it has no default"
    case noLink = "without a link where the model needs one"

    fileprivate var mayBeAllowed: Bool { self != .noValue && self != .noLink }

    /// Whether the conversion goes on in any case.
    package var isNote: Bool { self == .json || self == .metadataNumber }
  }

  /// Losses of one kind of one property.
  package struct Loss: Sendable, Hashable, CustomStringConvertible {
    package let kind: LossKind
    /// "Book.price", an entity, or a key of the metadata.
    package let subject: String
    package fileprivate(set) var count = 0
    /// The first of them: "Book/p4".
    package fileprivate(set) var places: [String] = []

    package var description: String {
      let more = count > places.count ? " …" : ""
      return "\(subject), \(count)×: \(kind.rawValue)"
        + (places.isEmpty ? "" : " (\(places.joined(separator: ", "))\(more))")
    }
  }

  /// All of them, in the order in which they were found.
  package private(set) var all: [Loss] = []
  private var index: [Key: Int] = [:]

  /// So many places are named.
  private static let shown = 5

  private struct Key: Hashable {
    let kind: LossKind
    let subject: String
  }

  package init() {}

  mutating func add(_ kind: LossKind, _ subject: String, at place: @autoclosure () -> String? = nil)
  {
    let key = Key(kind: kind, subject: subject)
    let number = index[key] ?? all.count
    if number == all.count {
      all.append(Loss(kind: kind, subject: subject))
      index[key] = number
    }
    all[number].count += 1
    if all[number].places.count < Self.shown, let place = place() {
      all[number].places.append(place)
    }
  }

  /// Whether the conversion goes on.
  func areAllowed(_ allowsLoss: Bool) -> Bool {
    all.allSatisfy { allowsLoss ? $0.kind.mayBeAllowed : $0.kind.isNote }
  }

  /// - Throws: ``PersistenceError`` with `migrationRefused` and the counts, if it is not allowed.
  func refuse(_ path: String, _ destination: String, _ allowsLoss: Bool) throws(PersistenceError) {
    guard !areAllowed(allowsLoss) else { return }
    let never = all.filter { !$0.kind.mayBeAllowed }
    let advice =
      never.isEmpty
      ? "give --allow-loss if it may go, or correct it in the app"
      : "correct it in the app, or give a model in which these properties are optional"
    throw PersistenceError(
      .migrationRefused,
      "nothing was written to '\(destination)': not everything in the store '\(path)' can come "
        + "along; \(advice)",
      details: (never.isEmpty ? all.filter { !$0.kind.isNote } : never).map {
        .init(label: "lost", text: $0.description)
      })
  }
}
