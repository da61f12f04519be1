internal import OxbowMigration
internal import OxbowModel
internal import OxbowSQLite

/// Whether a disk has room for what steps write anew.
///
/// A table that is written anew is in the store's log first and then in the file, beside the old
/// one, whose pages the next steps can use. The log is written back when the last step is done.
struct RoomOnDisk {
  /// About how many bytes are needed beside what the store has now.
  let needed: Int

  /// How many are free; `nil` when the system does not say.
  let free: Int?

  private let bytes: [(step: String, bytes: Int)]

  init(_ plan: MigrationPlan, _ space: StoreSpace) {
    // What a step ahead fills or what is not known counts as nothing: this finds what cannot work.
    bytes = plan.steps.map { ("\($0.id) \($0.name)", $0.bytes ?? 0) }
    needed = bytes.reduce(0) { $0 + $1.bytes } + (bytes.map(\.bytes).max() ?? 0)
    free = space.freeBytes
  }

  /// For a database of which all is written anew: into its log, and from there into its file.
  init(writing bytes: Int, _ space: StoreSpace) {
    self.bytes = [("the conversion", bytes)]
    needed = 2 * bytes
    free = space.freeBytes
  }

  /// - Throws: ``PersistenceError`` with code `migrationRefused` when there is no room.
  func require(for store: String) throws(PersistenceError) {
    guard let free, free < needed else { return }
    throw PersistenceError(
      .migrationRefused,
      "the disk of '\(store)' has \(byteCount(free)) free, and the steps need about "
        + "\(byteCount(needed)); free space, apply fewer steps with --up-to, or, when you know "
        + "better, say --ignore-space. Nothing was changed",
      details: bytes.filter { $0.bytes > 0 }.map {
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

extension MigrationPlan.Step {
  /// About how many bytes the step writes anew, in tables and indexes; `nil` when steps ahead
  /// decide.
  var bytes: Int? {
    var tables: [String: Int] = [:]
    for operation in operations where operation.rows != 0 {
      guard let bytes = operation.bytes else {
        guard operation.kind == .rebuild else { continue }
        return nil
      }
      // The indexes of a table are among its bytes.
      tables[operation.table] = max(tables[operation.table] ?? 0, bytes)
    }
    return tables.values.reduce(0, +)
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
