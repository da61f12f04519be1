package import OxbowDocuments

/// What a store of Core Data says of itself: the property list in `Z_METADATA`.
package struct StoreProperties: Sendable {
  /// The version of the framework that wrote the store last; 0 if the list lacks it.
  package let frameworkVersion: Int

  /// The identifiers that the model's author gave the version, sorted.
  package let versionIdentifiers: [String]

  /// The version hashes of the entities, by name.
  package let hashes: [String: [UInt8]]

  /// The kind of the store: "SQLite".
  package let type: String?

  /// The version of the algorithm of the hashes: 3; and what was computed of all of them.
  package let hashesVersion: Int?
  package let digest: String?
  package let checksum: String?

  /// What the app has put beside Core Data's own, by key.
  package let own: [String: PropertyListValue]

  /// The keys that are not Core Data's own, sorted.
  package var ownKeys: [String] { own.keys.sorted() }

  /// Reads a property list of either form.
  ///
  /// - Throws: `DocumentError`, including for hashes that are missing or damaged.
  package init(_ bytes: [UInt8], file: String) throws(DocumentError) {
    let list = try PropertyListDocument.parse(
      anyForm: bytes, file: file, limits: ModelArchive.limits)
    guard case .dictionary(let entries) = list.content else {
      throw DocumentError(
        message: "the metadata are not a dictionary", location: list.location)
    }
    hashes = try list.hashes("NSStoreModelVersionHashes")
    type = list.entry("NSStoreType")?.value.text
    versionIdentifiers = list.texts("NSStoreModelVersionIdentifiers").sorted()
    hashesVersion = list.integer("NSStoreModelVersionHashesVersion")
    digest = list.entry("NSStoreModelVersionHashesDigest")?.value.text
    checksum = list.entry("NSStoreModelVersionChecksumKey")?.value.text
    frameworkVersion = list.integer("NSPersistenceFrameworkVersion") ?? 0
    let others = entries.filter { !Self.isOwnedByCoreData($0.key) }
    own = Dictionary(others.map { ($0.key, $0.value) }) { first, _ in first }
  }

  /// Whether a key is one of Core Data's own.
  package static func isOwnedByCoreData(_ key: String) -> Bool {
    ["NSStore", "NSPersistence", "_NS"].contains(where: key.hasPrefix)
  }
}

/// What a folder of compiled models says of its versions: `VersionInfo.plist`.
package struct VersionInfo: Sendable {
  /// The name of the current version; `nil` if the list has none.
  package let current: String?

  /// The version hashes of the entities, by the names of version and entity.
  package let hashes: [String: [String: [UInt8]]]

  /// Reads a property list of either form.
  package init(_ bytes: [UInt8], file: String) throws(DocumentError) {
    let list = try PropertyListDocument.parse(
      anyForm: bytes, file: file, limits: ModelArchive.limits)
    current = list.entry("NSManagedObjectModel_CurrentVersionName")?.value.text
    guard let versions = list.entry("NSManagedObjectModel_VersionHashes")?.value,
      case .dictionary(let entries) = versions.content
    else {
      hashes = [:]
      return
    }
    var all: [String: [String: [UInt8]]] = [:]
    for entry in entries { all[entry.key] = try versions.hashes(entry.key) }
    hashes = all
  }
}

extension PropertyListValue {
  /// The hashes under a key, each of 32 bytes.
  fileprivate func hashes(_ key: String) throws(DocumentError) -> [String: [UInt8]] {
    guard let list = entry(key)?.value, case .dictionary(let entries) = list.content else {
      throw DocumentError(
        message: "\"\(key)\", the version hashes of the entities, is missing", location: location)
    }
    var hashes: [String: [UInt8]] = [:]
    for entry in entries {
      guard case .scalar(.data(let bytes)) = entry.value.content, bytes.count == 32 else {
        throw DocumentError(
          message: "the version hash of \"\(entry.key)\" is not 32 bytes",
          location: entry.value.location)
      }
      hashes[entry.key] = bytes
    }
    return hashes
  }

  fileprivate func texts(_ key: String) -> [String] {
    guard case .array(let values)? = entry(key)?.value.content else { return [] }
    return values.compactMap(\.text)
  }

  fileprivate func integer(_ key: String) -> Int? {
    guard case .scalar(.integer(let number))? = entry(key)?.value.content else { return nil }
    return Int(exactly: number)
  }
}
