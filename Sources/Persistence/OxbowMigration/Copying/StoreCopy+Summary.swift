internal import OxbowModel
internal import OxbowRelational

extension StoreCopy {
  /// What came along, and what stayed with the store.
  public struct Summary: Sendable, Hashable {
    /// The objects.
    public internal(set) var objects = 0

    /// The links that are not in a row of their objects.
    public internal(set) var links = 0

    /// The migrations that the store has had.
    public let migrations: Int

    /// The values that one of the two stores has in files, and the other one in its rows.
    public internal(set) var files = 0

    /// The texts with U+0000 to U+0003, which a server keeps in a form of Oxbow's own.
    public internal(set) var encodedTexts = 0

    /// The saves of the store's history, which stays behind; `nil` if it keeps none.
    public private(set) var historySaves: Int?

    /// The search indexes of a file that the server does not have: it reads the texts.
    public let searchIndexes: Int

    /// Likewise, the fetch indexes of type `RTree`.
    public let boxIndexes: Int

    /// The tables that are not the store's, which stay behind.
    public private(set) var otherTables: [String] = []

    init(_ contents: StoreContents, isToServer: Bool) {
      let mapping = contents.mapping(in: SQLiteDialect())
      migrations = contents.migrations
      searchIndexes = isToServer ? mapping.searchIndexes.count : 0
      boxIndexes = isToServer ? mapping.tables.flatMap(\.boxes).count : 0
    }

    mutating func note(_ leftovers: CopyLeftovers) {
      (historySaves, otherTables) = (leftovers.historySaves, leftovers.otherTables)
    }
  }
}
