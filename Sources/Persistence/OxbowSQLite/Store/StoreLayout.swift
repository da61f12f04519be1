/// How a store keeps objects in tables.
public enum StoreLayout: String, Sendable, CaseIterable {
  /// The layout of Oxbow: tables that any SQLite tool reads.
  case plain
  /// The layout of Core Data: a file as apps have it.
  case coreData
}
