internal import OxbowFoundation

/// What a new store of Core Data says of itself.
///
/// The version of the framework is one of before stores kept their model, so that none is looked
/// for.
package struct NewStoreProperties: Sendable {
  private var entries: [String: StoreProperties.OwnValue]

  /// The version of the last framework that wrote no model, of 2014.
  package static let frameworkVersion: Int64 = 519

  package init(
    hashes: [String: [UInt8]], identifiers: [String], digest: String, checksum: String
  ) {
    entries = [
      "NSStoreType": .text("SQLite"),
      "NSStoreModelVersionHashes": .hashes(hashes),
      "NSStoreModelVersionHashesVersion": .integer(3),
      "NSStoreModelVersionIdentifiers": .texts(identifiers),
      "NSStoreModelVersionHashesDigest": .text(digest),
      "NSStoreModelVersionChecksumKey": .text(checksum),
      "NSPersistenceFrameworkVersion": .integer(Self.frameworkVersion),
      "_NSAutoVacuumLevel": .text("2"),
    ]
  }

  /// Adds a value of the program; `false` for a key that is Core Data's own.
  package mutating func add(_ value: StoreProperties.OwnValue, for key: String) -> Bool {
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

extension StoreProperties {
  /// A value that is written, in the form of a property list; dates in seconds since 2001.
  package enum OwnValue: Sendable {
    case text(String)
    case integer(Int64)
    case real(Double)
    case boolean(Bool)
    case date(Double)
    case data([UInt8])
    /// What Core Data keeps of a model.
    case texts([String])
    case hashes([String: [UInt8]])
  }
}

extension StoreProperties.OwnValue: Encodable {
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .text(let text): try container.encode(text)
    case .integer(let number): try container.encode(number)
    case .real(let number): try container.encode(number)
    case .boolean(let truth): try container.encode(truth)
    case .date(let seconds):
      try container.encode(Date(timeIntervalSinceReferenceDate: seconds))
    case .data(let bytes): try container.encode(Data(bytes))
    case .texts(let texts): try container.encode(texts)
    case .hashes(let hashes): try container.encode(hashes.mapValues { Data($0) })
    }
  }
}
