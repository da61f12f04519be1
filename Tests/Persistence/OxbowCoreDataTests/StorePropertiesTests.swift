import OxbowCoreData
import OxbowDocuments
import OxbowTestSupport
import Testing

@Suite struct StorePropertiesTests {
  private static let hash = [UInt8](repeating: 7, count: 32)

  @Test func `CD-30 metadata of a store are read from both forms of lists`() throws {
    let binary = try StoreProperties(
      CoreDataFixture.properties(["Book": Self.hash], framework: 641), file: "s")
    #expect(binary.frameworkVersion == 641)
    #expect(binary.hashes == ["Book": Self.hash])
    #expect(binary.versionIdentifiers == ["1"])
    #expect(binary.type == "SQLite")
    #expect(binary.ownKeys == ["lastSync"])
    let xml = """
      <plist><dict><key>NSStoreModelVersionHashes</key>
      <dict><key>A</key><data>AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=</data></dict>
      </dict></plist>
      """
    let other = try StoreProperties(Array(xml.utf8), file: "s")
    #expect(other.hashes == ["A": Array(repeating: 0, count: 32)])
    #expect(other.frameworkVersion == 0)
  }

  @Test(arguments: [
    (ListValue.array([]), "s:1:9: the metadata are not a dictionary"),
    (
      .dictionary([]),
      "s:1:9: \"NSStoreModelVersionHashes\", the version hashes of the entities, is missing"
    ),
    (
      .dictionary([("NSStoreModelVersionHashes", .dictionary([("A", .data([1]))]))]),
      "s:1:64: the version hash of \"A\" is not 32 bytes"
    ),
  ])
  func `CD-30 metadata without hashes say what is missing`(list: ListValue, text: String) {
    do throws(DocumentError) {
      _ = try StoreProperties(list.bytes, file: "s")
      Issue.record("no error")
    } catch { #expect(error.description == text) }
  }

  @Test func `CD-30 a folder of compiled models says its version and the hashes`() throws {
    let list = ListValue.dictionary([
      ("NSManagedObjectModel_CurrentVersionName", "B"),
      (
        "NSManagedObjectModel_VersionHashes",
        .dictionary([("A", .dictionary([("Book", .data(Self.hash))])), ("B", .dictionary([]))])
      ),
    ])
    let info = try VersionInfo(list.bytes, file: "s")
    #expect(info.current == "B")
    #expect(info.hashes == ["A": ["Book": Self.hash], "B": [:]])
  }
}
