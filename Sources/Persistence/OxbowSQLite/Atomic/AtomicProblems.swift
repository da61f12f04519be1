internal import OxbowModel
internal import OxbowStore

/// What is wrong with the contents of a store.
struct AtomicProblems {
  /// So many say enough; the others are counted.
  private static let shown = 20

  private let name: String
  private var problems: [PersistenceError] = []
  private var count = 0

  init(_ name: String) { self.name = name }

  mutating func add(_ object: AtomicStoreObject.ID, _ text: String) {
    add("\(object.entity)/p\(object.key): \(text)")
  }

  mutating func add(_ text: String, nearNames: [String] = []) {
    count += 1
    guard count <= Self.shown else { return }
    problems.append(PersistenceError(.invalidStoredValue, text, nearNames: nearNames))
  }

  /// - Throws: ``PersistenceError`` with `invalidStoredValue` if there are any.
  func throwAll() throws {
    guard count > 0 else { return }
    let points = count == 1 ? "one point" : "\(count) points"
    let more = count > Self.shown ? ", of which these are the first" : ""
    throw PersistenceError(
      .invalidStoredValue,
      "the contents that the store '\(name)' has loaded do not fit the model in \(points)\(more); "
        + "the store was left as it is: restore a backup, or mend its contents",
      problems: problems)
  }
}
