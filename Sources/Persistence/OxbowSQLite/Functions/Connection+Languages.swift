internal import CSQLite
internal import OxbowModel

// Orders of languages, as collations that SQLite asks for when a statement names one. Queries do;
// no schema object does, so a store stays usable in any SQLite tool.

extension Connection {
  /// Makes the collations of `TextOrder` when they are first named.
  func registerLanguages() throws {
    let code = sqlite3_collation_needed(handle, nil) { _, database, _, name in
      guard let database, let name else { return }
      registerLanguage(database, String(cString: name))
    }
    guard code == SQLITE_OK else { throw error(code) }
  }
}

/// A collation that is not made is an error of the statement that names it.
private func registerLanguage(_ database: OpaquePointer, _ name: String) {
  guard let language = TextOrder(collation: name).flatMap({ LocalizedComparison($0) }) else {
    return
  }
  let owned = Unmanaged.passRetained(Language(language)).toOpaque()
  let code = sqlite3_create_collation_v2(
    database, name, SQLITE_UTF8, owned,
    { owner, leftCount, left, rightCount, right in
      guard let owner else { return 0 }
      return Unmanaged<Language>.fromOpaque(owner).takeUnretainedValue().compare(
        UnsafeRawBufferPointer(start: left, count: Int(leftCount)),
        UnsafeRawBufferPointer(start: right, count: Int(rightCount)))
    },
    { owner in owner.map { Unmanaged<Language>.fromOpaque($0).release() } })
  // The last argument runs with what SQLite took only.
  if code != SQLITE_OK { Unmanaged<Language>.fromOpaque(owned).release() }
}

private final class Language: Sendable {
  private let comparison: LocalizedComparison

  init(_ comparison: LocalizedComparison) { self.comparison = comparison }

  func compare(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Int32 {
    switch comparison.order(
      String(decoding: left, as: UTF8.self), String(decoding: right, as: UTF8.self))
    {
    case .ascending: -1
    case .same: 0
    case .descending: 1
    }
  }
}
