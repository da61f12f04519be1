internal import OxbowFoundation
package import OxbowModel
internal import OxbowSQLite

/// A folder with a store for each tenant: `acme.sqlite` is that of the tenant `acme`.
package struct TenantFolder: Sendable {
  /// The path of the folder.
  package let path: String

  private static let suffix = ".sqlite"

  /// Names a folder.
  ///
  /// - Throws: ``PersistenceError`` with code `storeUnreachable` where there is no folder.
  package init(_ path: String) throws(PersistenceError) {
    self.path = path
    guard FileManager.default.fileExists(atPath: path + "/.") else {
      throw PersistenceError(
        .storeUnreachable, "there is no folder '\(path)' for the stores of tenants; make it first")
    }
  }

  /// The path of a tenant's store, whether it exists or not.
  ///
  /// - Throws: ``PersistenceError`` with code `invalidTenant`.
  package func store(of tenant: String) throws(PersistenceError) -> String {
    guard Self.isName(tenant) else {
      throw PersistenceError(
        .invalidTenant,
        "\(String(reflecting: String(tenant.prefix(80)))) cannot be the name of a tenant: it has 1 to "
          + "64 of the characters a-z, 0-9, '-' and '_', and begins with a letter or digit; make "
          + "such a name of what your users type")
    }
    return "\(path)/\(tenant)\(Self.suffix)"
  }

  /// Whether a tenant has a store; a file that a creation has left empty is not one.
  ///
  /// - Throws: ``PersistenceError`` with code `invalidTenant`.
  package func contains(_ tenant: String) throws(PersistenceError) -> Bool {
    let path = try store(of: tenant)
    return FileManager.default.fileExists(atPath: path) && !SQLiteStoreFile(path).isWithoutTables
  }

  /// Whether a tenant has a file, of a store or of one that was not created as a whole.
  ///
  /// - Throws: ``PersistenceError`` with code `invalidTenant`.
  package func containsFile(of tenant: String) throws(PersistenceError) -> Bool {
    FileManager.default.fileExists(atPath: try store(of: tenant))
  }

  /// The tenants that have a store, sorted, and the files that look like a store and have no name
  /// of a tenant.
  ///
  /// - Throws: ``PersistenceError`` with code `storeUnreachable`.
  package func contents() throws(PersistenceError) -> (tenants: [String], others: [String]) {
    let files: [String]
    do { files = try FileManager.default.contentsOfDirectory(atPath: path) } catch {
      throw PersistenceError(
        .storeUnreachable,
        "the folder '\(path)' cannot be read; check that it exists and that this user may read "
          + "it",
        details: [.init(label: "cause", text: "\(error)")])
    }
    let stores = files.filter { $0.hasSuffix(Self.suffix) }.sorted()
    let names = stores.map { String($0.dropLast(Self.suffix.count)) }
    return (
      names.filter { Self.isName($0) && !isLeftEmpty("\(path)/\($0)\(Self.suffix)") },
      stores.filter { !Self.isName($0.dropLast(Self.suffix.count)) }
    )
  }

  /// Whether a file is what a creation has left that was killed; one with a table has two pages.
  private func isLeftEmpty(_ path: String) -> Bool {
    let facts = try? FileManager.default.attributesOfItem(atPath: path)
    guard let size = facts?[.size] as? Int, size < 8192 else { return false }
    return SQLiteStoreFile(path).isWithoutTables
  }

  /// Whether a text is the name of a tenant: one that every file system takes as it is, and that
  /// leads to no other folder.
  private static func isName(_ text: some StringProtocol) -> Bool {
    guard let first = text.utf8.first, isAlphanumeric(first), text.utf8.count <= 64 else {
      return false
    }
    return text.utf8.allSatisfy {
      isAlphanumeric($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
    }
  }

  private static func isAlphanumeric(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
      || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }
}
