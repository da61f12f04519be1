package import OxbowCoreData
internal import OxbowDocuments
internal import OxbowFoundation

/// How Core Data knows the version of a model in the metadata of a store.
package struct CoreDataVersion: Sendable, Hashable {
  /// The version hashes of the entities, by name.
  package let hashes: [String: [UInt8]]

  /// The identifiers that the model's author gave the version.
  package let identifiers: [String]

  package init(hashes: [String: [UInt8]], identifiers: [String]) {
    (self.hashes, self.identifiers) = (hashes, identifiers)
  }

  /// Computes the version of a document.
  ///
  /// - Throws: ``PersistenceError`` with code `unsupported` for entities whose hashes are unknown.
  package init(of document: ModelDocument) throws(PersistenceError) {
    try self.init(
      CoreDataHashes(of: document, recorded: document.recordedHashes()),
      // An empty identifier is one too.
      [document.root.value("userDefinedModelVersionIdentifier") ?? ""])
  }

  /// Computes the version of a model: of its document, if it was read from one.
  ///
  /// - Throws: ``PersistenceError``: `unsupported` for entities whose hashes are unknown,
  ///   `invalidModel` for a model that no document can say.
  package init(of model: ManagedObjectModel) throws(PersistenceError) {
    let identifiers = model.versionIdentifiers.sorted()
    try self.init(
      model.coreDataHashes(ofDocument: true), identifiers.isEmpty ? [""] : identifiers)
  }

  private init(_ hashes: CoreDataHashes, _ identifiers: [String]) throws(PersistenceError) {
    guard hashes.unknown.isEmpty else {
      throw PersistenceError(
        .unsupported,
        "the version hashes of entities with derived or composite attributes cannot be computed: "
          + "\(PersistenceError.listed(hashes.unknown.sorted())); give the model as Xcode compiled it "
          + "(a .momd folder), or a store of the app with this version of the model")
    }
    self.init(hashes: hashes.values, identifiers: identifiers)
  }

  /// The metadata of a new store.
  package var properties: NewStoreProperties {
    NewStoreProperties(
      hashes: hashes, identifiers: identifiers, digest: digest, checksum: checksum)
  }

  /// What Core Data computes of all names and hashes, and of the hashes alone.
  package var digest: String {
    Data(SHA512.bytes(of: sorted.flatMap { $0.key.utf8 + $0.value })).base64EncodedString()
  }
  package var checksum: String {
    Data(SHA256.bytes(of: sorted.flatMap(\.value))).base64EncodedString()
  }

  private var sorted: [(key: String, value: [UInt8])] {
    hashes.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
  }
}
