internal import OxbowFoundation

/// What a new store of Core Data says of itself.
///
/// The version of the framework is one of before stores kept their model, so that none is looked
/// for.
package struct NewStoreProperties: Sendable {
  /// A value of a property list.
  package enum Value: Sendable {
    case text(String)
    case integer(Int64)
    case real(Double)
    case data([UInt8])
    case list([Value])
    case dictionary([String: Value])
  }

  private var entries: [String: Value]

  /// The version of the last framework that wrote no model, of 2014.
  package static let frameworkVersion: Int64 = 519

  package init(
    hashes: [String: [UInt8]], identifiers: [String], digest: String, checksum: String
  ) {
    entries = [
      "NSStoreType": .text("SQLite"),
      "NSStoreModelVersionHashes": .dictionary(hashes.mapValues { .data($0) }),
      "NSStoreModelVersionHashesVersion": .integer(3),
      "NSStoreModelVersionIdentifiers": .list(identifiers.map { .text($0) }),
      "NSStoreModelVersionHashesDigest": .text(digest),
      "NSStoreModelVersionChecksumKey": .text(checksum),
      "NSPersistenceFrameworkVersion": .integer(Self.frameworkVersion),
      "_NSAutoVacuumLevel": .text("2"),
    ]
  }

  /// Adds a value of the program; `false` for a key that is Core Data's own.
  package mutating func add(_ value: Value, for key: String) -> Bool {
    guard !StoreProperties.isOwnedByCoreData(key) else { return false }
    entries[key] = value
    return true
  }

  /// The binary property list.
  ///
  /// - Throws: What the encoder throws.
  package func bytes() throws -> [UInt8] {
    let encoder = PropertyListEncoder()
    encoder.outputFormat = .binary
    return Array(try encoder.encode(entries))
  }
}

extension NewStoreProperties.Value: Encodable {
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .text(let text): try container.encode(text)
    case .integer(let number): try container.encode(number)
    case .real(let number): try container.encode(number)
    case .data(let bytes): try container.encode(Data(bytes))
    case .list(let values): try container.encode(values)
    case .dictionary(let values): try container.encode(values)
    }
  }
}
