import OxbowModel
import OxbowStore
import OxbowStoreContract
import OxbowTestSupport
import Testing

@testable import OxbowSQLite

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Photos, of which large ones are in files.
func albumModel(allowsExternalStorage: Bool = true) -> ManagedObjectModel {
  ManagedObjectModel(entities: [
    EntityDescription(
      "Photo",
      attributes: [
        AttributeDescription("title", .string),
        AttributeDescription("number", .integer64, isOptional: true),
        AttributeDescription(
          "image", .binaryData, isOptional: true, allowsExternalStorage: allowsExternalStorage),
        AttributeDescription(
          "proof", .binaryData, isOptional: true, allowsExternalStorage: allowsExternalStorage),
        AttributeDescription("thumbnail", .binaryData, isOptional: true),
      ],
      uniquenessConstraints: [["number"]])
  ])
}

/// Bytes that are others for each number.
func image(_ number: Int, _ count: Int = 2000) -> Data {
  var random = SeededRandom(seed: UInt64(number))
  var bytes = [UInt8]()
  while bytes.count < count { withUnsafeBytes(of: random.next()) { bytes += $0 } }
  return Data(bytes.prefix(count))
}

/// A store of photos whose values of more than 1000 bytes are in files.
func albums(
  _ kind: StoreKind = .file, model: ManagedObjectModel = albumModel(), threshold: Int = 1000,
  mapsFiles: Bool = false, in scratch: Scratch? = nil
) throws -> Library {
  try Library(
    kind,
    options: SQLiteStoreOptions(
      externalStorageThreshold: threshold, mapsExternalStorage: mapsFiles), model: model,
    in: scratch)
}

/// The kinds of stores that have a file.
let filed: [StoreKind] = [.file, .rollbackJournal]

extension Library {
  var folder: String { store.path + "-files" }

  /// The names of the values in files, and of those that no transaction has settled.
  var externalNames: [String] { Library.names(folder).filter { $0 != "incoming" } }
  var incomingNames: [String] { Library.names(folder + "/incoming") }

  private static func names(_ path: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
  }

  func addPhoto(_ key: Int64, _ values: [String: AttributeValue]) throws {
    try save { $0.inserts.append(try insert("Photo", key, values)) }
  }

  func changePhoto(
    _ key: Int64, _ version: Int64, _ values: [String: AttributeValue?]
  ) throws {
    try save { $0.updates.append(try update("Photo", key, version, values)) }
  }

  func deletePhoto(_ key: Int64, _ version: Int64? = nil) throws {
    try save { $0.deletes.append(try delete("Photo", key, version)) }
  }

  /// The value of an attribute as a fetch of objects has it.
  func data(_ key: Int64, _ name: String = "image", in reader: (any PersistentStore)? = nil) throws
    -> Data?
  {
    let slabs = try (reader ?? store).rows(of: try entity("Photo").index, keys: [key])
    guard let slab = slabs.first, slab.count == 1 else { return nil }
    guard case .data(let data)? = slab.storedValue(0, try property("Photo", name)) else {
      return nil
    }
    return data
  }

  /// The cell of a value.
  func cell(_ key: Int64, _ name: String = "image") throws -> String {
    try store.database.read { connection in
      try connection.text("SELECT CAST(\(name) AS TEXT) FROM Photo WHERE _id = \(key)") ?? ""
    }
  }

  /// Lets every file go that no reader needs.
  @discardableResult func tidy() throws -> Bool {
    try store.database.write { try $0.removeDiscardedFiles() }
  }
}
