// Core Data's history of saves (persistent history tracking), which a store has once an app has
// asked for it:
//
//   ATRANSACTION        one row for each save: its time, and keys of strings: who saved
//   ATRANSACTIONSTRING  each such string once
//   ACHANGE             one row for each object: 0 inserted, 1 updated, 2 deleted; its entity's
//                       number and key; of an update, the properties as bits
//
// Rows have the numbers of entities above those of the model, whose Z_MAX is their last key.

package import OxbowModel

/// The tables of a store's history.
package struct CoreDataHistory: Sendable {
  /// An entity of the history.
  package enum Table: Int64, Sendable {
    case change = 16_001
    case transaction = 16_002
    case string = 16_003

    package var name: String {
      switch self {
      case .change: "ACHANGE"
      case .transaction: "ATRANSACTION"
      case .string: "ATRANSACTIONSTRING"
      }
    }
  }

  /// What happened to an object.
  package enum Kind: Int64, Sendable {
    case insert
    case update
    case delete
  }

  /// A string of a transaction, and the columns that may have its key, or the string itself.
  package enum Fact: String, CaseIterable, Sendable {
    case author = "ZAUTHOR"
    case bundle = "ZBUNDLEID"
    case context = "ZCONTEXTNAME"
    case process = "ZPROCESSID"
  }

  /// Whether values of deleted objects are kept, in columns of their own.
  package let hasTombstones: Bool

  /// Whether strings are in a table of their own, as they are in stores of now.
  package let isComplete: Bool

  /// The history of a store with these tables; `nil` if it keeps none.
  package init?(_ tables: [TableSchema]) {
    let named = Dictionary(tables.map { ($0.name, $0) }) { first, _ in first }
    guard let change = named[Table.change.name],
      let transaction = named[Table.transaction.name]
    else { return nil }
    let names = Set(transaction.columns.map(\.name))
    hasTombstones = change.columns.contains { $0.name.hasPrefix("ZTOMBSTONE") }
    isComplete =
      named[Table.string.name] != nil
      && Fact.allCases.allSatisfy { names.contains($0.rawValue + "TS") }
  }

  /// A row if a store has a history.
  package static let exists = "SELECT 1 FROM sqlite_schema WHERE name = 'ACHANGE'"

  /// Takes keys of a table of the history and returns the last: how many, then the table's number.
  package static func takeKeys(_ table: Table) -> String {
    let last = "(SELECT max(Z_PK) FROM \(table.name))"
    return "UPDATE OR ABORT Z_PRIMARYKEY SET Z_MAX = max(ifnull(Z_MAX, 0), ifnull(\(last), 0)) + ? "
      + "WHERE Z_ENT = ? RETURNING Z_MAX"
  }

  /// The key of a string.
  package static let findString = "SELECT Z_PK FROM ATRANSACTIONSTRING WHERE ZNAME = ?"

  /// Adds a string: its key and itself.
  package static let addString =
    "INSERT OR ABORT INTO ATRANSACTIONSTRING (Z_PK, Z_ENT, ZNAME) VALUES (?, 16003, ?)"

  /// Adds a transaction: its key, its time, then the keys of all strings.
  package static let addTransaction =
    "INSERT OR ABORT INTO ATRANSACTION (Z_PK, Z_ENT, ZTIMESTAMP, "
    + Fact.allCases.map { $0.rawValue + "TS" }.joined(separator: ", ")
    + ") VALUES (?, 16002, ?, ?, ?, ?, ?)"

  /// Adds a change: its key, its kind, the entity's number, the object's key, the transaction's
  /// key, the properties.
  package static let addChange =
    "INSERT OR ABORT INTO ACHANGE (Z_PK, Z_ENT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID, "
    + "ZCOLUMNS) VALUES (?, 16001, ?, ?, ?, ?, ?)"
}

/// The places of an entity's properties in the bits of a change: all that are stored, by name.
package struct CoreDataChangeBits: Sendable {
  private let places: [Int: Int]

  package init(_ entity: CompiledEntity) {
    let stored = entity.properties.filter { $0.relationship != nil || $0.slot >= 0 }
    let names = stored.sorted { Array($0.name.utf16).lexicographicallyPrecedes($1.name.utf16) }
    places = Dictionary(names.enumerated().map { ($1.index, $0) }) { first, _ in first }
  }

  /// The bits of some properties, the first one highest.
  package func bytes(_ properties: some Sequence<Int>) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: (places.count + 7) / 8)
    for place in properties.compactMap({ places[$0] }) { bytes[place / 8] |= 0x80 >> (place % 8) }
    return bytes
  }
}
