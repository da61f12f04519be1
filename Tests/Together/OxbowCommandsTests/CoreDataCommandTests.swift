import Foundation
import OxbowTestSupport
import Testing

/// The commands about models and stores of Core Data.
@Suite struct CoreDataCommandTests {
  private let tool: Tool

  init() throws {
    tool = try Tool()
    try tool.folder.write(
      CoreDataFixture.document(), to: "M.xcdatamodeld/M.xcdatamodel/contents")
    try tool.folder.write(
      CoreDataFixture.document(titleType: "URI"), to: "M.xcdatamodeld/M 2.xcdatamodel/contents")
    try tool.folder.write(
      "<plist><dict><key>_XCCurrentVersionName</key><string>M 2.xcdatamodel</string></dict></plist>",
      to: "M.xcdatamodeld/.xccurrentversion")
  }

  /// The hashes that the tool computes for the first version; that of Author is made up.
  private func hashes() throws -> [String: [UInt8]] {
    let document = try tool.json("model", "hashes", "M.xcdatamodeld", "--model-version", "M")
    let result = try #require(document["result"] as? [String: Any])
    var hashes = ["Author": [UInt8](repeating: 9, count: 32)]
    for entity in try #require(result["entities"] as? [[String: Any]]) {
      guard let hash = entity["hash"] as? String, let name = entity["name"] as? String else {
        continue
      }
      hashes[name] = stride(from: 0, to: 64, by: 2).map { place in
        let start = hash.index(hash.startIndex, offsetBy: place)
        return UInt8(hash[start..<hash.index(start, offsetBy: 2)], radix: 16) ?? 0
      }
    }
    return hashes
  }

  private func store(hasModel: Bool = true) throws {
    try CoreDataFixture.store(
      tool.folder.file("s.sqlite"), CoreDataFixture.properties(hashes()),
      model: hasModel ? CoreDataFixture.deflated(CoreDataFixture.model()) : nil)
  }

  @Test func `CD-30 store info describes a store of Core Data`() throws {
    try store()
    let hashes = try hashes().mapValues { bytes in
      bytes.prefix(6).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
    let info = try tool.run("store", "info", "s.sqlite")
    #expect(info.code == 0, "\(info.err)")
    let size = try FileManager.default.attributesOfItem(atPath: tool.folder.file("s.sqlite"))
    #expect(
      info.out == """
        store       s.sqlite
        identifier  8A0F9F6C-6B0E-4C7E-9C6C-0123456789AB
        layout      Core Data, framework 1344
        model       in the store, hashes match, version '1'
        journal     wal
        size        \(size[.size] ?? "") bytes
        metadata    lastSync
        entities
          Author  2 objects  090909090909 (not computed)
          Work    0 objects  \(hashes["Work"] ?? "")
          Book    3 objects  \(hashes["Book"] ?? "")
        note: version hashes with derived or composite attributes are not computed: Author

        """)
    #expect(try tool.folder.names() == ["M.xcdatamodeld", "s.sqlite"])
    let plain = try tool.run("store", "info", "s.sqlite", "--model", "M.xcdatamodeld")
    #expect(plain.out.contains("model       fits 'M', version '1'\n"))
    let other = try tool.run(
      "store", "info", "s.sqlite", "--model", "M.xcdatamodeld/M 2.xcdatamodel")
    #expect(other.code == 73)
    #expect(other.err.contains("entities: differ: Book"))
  }

  @Test func `CD-30 model export writes the model of a store, and model diff compares it`() throws {
    try store()
    let export = try tool.run(
      "model", "export", "--from-store", "s.sqlite", "--output", "E.xcdatamodel")
    #expect(export.code == 0, "\(export.err)")
    #expect(export.out.hasPrefix("wrote E.xcdatamodel\nmodel "))
    let diff = try tool.run("model", "diff", "E.xcdatamodel", "M.xcdatamodeld/M.xcdatamodel")
    #expect(diff.code == 0, "\(diff.out)")
    #expect(try tool.run("model", "diff", "s.sqlite", "E.xcdatamodel").code == 0)
    // In a folder of versions it is one more version, and the others stay.
    let version = try tool.run(
      "model", "export", "s.sqlite", "--output", "M.xcdatamodeld", "--model-version", "App")
    #expect(version.code == 0, "\(version.err)")
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: tool.folder.file("M.xcdatamodeld")).count
        == 4)
    let both = try tool.run(
      "model", "export", "s.sqlite", "--from-store", "s.sqlite", "--output", "F.xcdatamodel")
    #expect(both.code == 64)
    #expect(both.err.contains("Give documents or --from-store, not both."))
  }

  @Test func `CD-30 a store without its model, and one that Core Data did not write, say so`()
    throws
  {
    try store(hasModel: false)
    let export = try tool.run(
      "model", "export", "--from-store", "s.sqlite", "--output", "E.xcdatamodel")
    #expect(export.code == 1)
    #expect(export.err.contains("does not keep its model"))
    let info = try tool.run("store", "info", "s.sqlite")
    #expect(info.out.contains("model       not in the store, version '1'\n"))
    try tool.folder.write(Documents.first, to: "1.xcdatamodel/contents")
    let made = try tool.run(
      "migrate", "apply", "--store", "o.sqlite", "--model", "1.xcdatamodel", "--backup", "none")
    #expect(made.code == 0)
    let foreign = try tool.run(
      "model", "export", "--from-store", "o.sqlite", "--output", "E.xcdatamodel")
    #expect(foreign.err.contains("was not written by Core Data; give it without --from-store"))
    let given = try tool.run("store", "info", "o.sqlite", "--model", "1.xcdatamodel")
    #expect(given.code == 1)
    #expect(given.err.contains("--model is for a store of Core Data, and 'o.sqlite' is another"))
    #expect(
      try tool.run("model", "hashes", "o.sqlite").err.contains("was not written by Core Data"))
  }

  @Test func `CD-30 model hashes are those of a document, a version or a store`() throws {
    let hashes = try tool.run("model", "hashes", "M.xcdatamodeld", "--model-version", "M")
    #expect(hashes.code == 0)
    #expect(hashes.out.hasPrefix("Author  unknown\nBook    "))
    #expect(
      hashes.err == """
        note: not known, because of derived or composite attributes: Author; a compiled model (.momd) \
        or a store of this version has them

        """)
    try store()
    let stored = try tool.run("model", "hashes", "s.sqlite")
    #expect(stored.code == 0)
    #expect(stored.out.hasPrefix("Author  0909090909"))
    #expect(stored.out.hasSuffix(hashes.out.split(separator: "\n")[2] + "\n"))
    let missing = try tool.run("model", "hashes", "M.xcdatamodeld", "--model-version", "M 3")
    #expect(missing.err.contains("has no version 'M 3'; it has 'M', 'M 2'"))
    try Data(CoreDataFixture.model()).write(to: URL(filePath: tool.folder.file("C.mom")))
    #expect(try tool.run("model", "hashes", "C.mom").out == hashes.out)
    #expect(try tool.run("model", "check", "C.mom").out.hasPrefix("valid: 1 document, 3 entities"))
  }
}
