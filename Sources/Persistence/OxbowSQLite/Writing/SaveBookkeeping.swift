internal import OxbowModel
internal import OxbowRelational
internal import OxbowStore

/// What a file keeps of a save beside the rows that the save changes.
///
/// It is asked once for each save, or once for each entity of one, and never for each row.
protocol SaveBookkeeping: Sendable {
  /// Where the last key is noted, as messages name it.
  var keyCounter: String { get }

  /// Keys for new objects below a root, never handed out again.
  ///
  /// - Throws: ``PersistenceError``: `notAStore`; `invalidStoredValue` if no key is left.
  func reserve(
    _ count: Int64, _ root: EntityMapping, _ mapping: StoreMapping, _ connection: Connection
  ) throws -> Range<Int64>

  /// Begins a save, before any of its changes is written; the change set becomes what goes into
  /// rows.
  ///
  /// - Returns: What the layout keeps of it, beside its rows; `nil` for nothing.
  func begin(
    _ changes: inout ChangeSet, _ writer: borrowing ChangeWriter
  ) throws -> CoreDataSave?

  /// Keeps and removes values of the program's own.
  func keep(_ metadata: [ChangeSet.Metadatum], _ connection: Connection) throws

  /// Notes an update of many objects, which no change set says.
  func note(
    _ update: StoreUpdate, _ objects: [ObjectReference], _ writer: inout ChangeWriter
  ) throws

  /// Ends a save, in its transaction.
  func end(_ writer: borrowing ChangeWriter) throws -> SaveMark

  /// Whether the save that has left a mark is in the store; `nil` if it cannot be found out.
  func isDurable(_ mark: SaveMark, _ connection: Connection) -> Bool?
}

extension SaveBookkeeping {
  func note(
    _ update: StoreUpdate, _ objects: [ObjectReference], _ writer: inout ChangeWriter
  ) throws {}
}

/// What tells later whether a save is in the store.
enum SaveMark: Sendable {
  /// How many saves the store counts with this one, or `nil` if another program broke its count.
  case count(Int64?)

  /// A row as the save has left it: the statement that reads its version, which is the one given;
  /// or that finds no row, where the save has deleted it.
  case row(String, key: Int64, version: Int64?)

  /// Nothing that can be read again.
  case nothing

  /// The number of the save.
  var number: Int64? { if case .count(let number) = self { number } else { nil } }
}
