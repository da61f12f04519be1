internal import OxbowMigration
internal import OxbowModel
internal import OxbowSQLite

/// Whether a disk has room for what steps write anew.
///
/// A table that is written anew is in the store's log first and then in the file, beside the old
/// one, whose pages the next steps can use. The log is written back when the last step is done.
struct RoomOnDisk: Encodable {
  /// What the store's file and its log have now.
  let bytes: Int
  let logBytes: Int

  /// How many are free; `nil` when the system does not say.
  let free: Int?

  /// About how many bytes are needed beside what the store has now, at most at one moment; `nil`
  /// when nothing was counted.
  let needed: Int?

  private let parts: [(step: String, bytes: Int)]

  private enum CodingKeys: String, CodingKey {
    case bytes, logBytes
    case free = "freeBytes"
    case needed = "neededBytes"
  }

  init(_ plan: MigrationPlan, _ space: StoreSpace) {
    // What a step ahead fills or what is not known counts as nothing: this finds what cannot work.
    parts = plan.steps.map { ($0.label, $0.bytes ?? 0) }
    let sum = parts.reduce(0) { $0 + $1.bytes } + (parts.map(\.bytes).max() ?? 0)
    needed = plan.countsRows ? sum : nil
    (bytes, logBytes, free) = (space.bytes, space.logBytes, space.freeBytes)
  }

  /// For a database of which all is written anew: into its log, and from there into its file.
  init(rewriting space: StoreSpace) {
    (bytes, logBytes, free) = (space.bytes, space.logBytes, space.freeBytes)
    parts = [("the conversion", bytes + logBytes)]
    needed = 2 * (bytes + logBytes)
  }

  /// - Throws: ``PersistenceError`` with code `migrationRefused` when there is no room.
  func require(for store: String) throws(PersistenceError) {
    guard let free, let needed, free < needed else { return }
    throw PersistenceError(
      .migrationRefused,
      "the disk of '\(store)' has \(byteCount(free)) free, and the steps need about "
        + "\(byteCount(needed)); free space, apply fewer steps with --up-to, or, when you know "
        + "better, say --ignore-space. Nothing was changed",
      details: parts.filter { $0.bytes > 0 }.map {
        .init(label: $0.step, text: "writes about \(byteCount($0.bytes)) anew")
      })
  }
}

extension StoreSpace {
  /// Whether each of a number of steps could write the whole store anew, with rows twice as long.
  func isPlenty(for steps: Int) -> Bool {
    guard let freeBytes else { return true }
    return freeBytes / (2 * (steps + 1)) >= bytes + logBytes
  }
}

/// Returns "812 bytes", "12.3 MB".
func byteCount(_ bytes: Int) -> String {
  guard bytes >= 1000 else { return counted(bytes, "byte") }
  // Tenths of a unit.
  var (value, units) = (bytes / 100, ["kB", "MB", "GB", "TB", "PB"][...])
  while value >= 10_000, units.count > 1 {
    value /= 1000
    units.removeFirst()
  }
  return "\(value / 10).\(value % 10) \(units.first ?? "kB")"
}
