import OxbowModel
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

@Suite final class ModelVersionsTests {
  private let folder = FileManager.default.temporaryDirectory
    .appending(path: "oxbow-versions-\(UUID().uuidString)").path

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  private func write(_ text: String, to path: String) throws {
    let file = "\(folder)/\(path)"
    let parent = file.split(separator: "/").dropLast().joined(separator: "/")
    try FileManager.default.createDirectory(
      atPath: "/" + parent, withIntermediateDirectories: true)
    try Data(text.utf8).write(to: URL(filePath: file))
  }

  private func writeVersion(_ name: String, entity: String) throws {
    try write(
      "<model><entity name='\(entity)'/></model>", to: "M.xcdatamodeld/\(name).xcdatamodel/contents"
    )
  }

  private func writeCurrent(_ body: String) throws {
    try write(
      "<plist version='1.0'><dict>\n\(body)</dict></plist>", to: "M.xcdatamodeld/.xccurrentversion")
  }

  private func error(_ path: String) -> String {
    do throws(PersistenceError) {
      _ = try ModelDocument(contentsOf: "\(folder)/\(path)")
      return "no error"
    } catch {
      return "\(error.code) \(error)".replacing(folder, with: "")
    }
  }

  @Test func `the current version is the one that the document names`() throws {
    try writeVersion("M", entity: "Old")
    try writeVersion("M v2.0", entity: "New")
    try writeCurrent("<key>_XCCurrentVersionName</key><string>M v2.0.xcdatamodel</string>")
    let versions = try ModelVersions(of: "\(folder)/M.xcdatamodeld/")
    #expect(versions.all.map(\.name) == ["M", "M v2.0"])
    #expect(versions.current.name == "M v2.0")
    let current = try ModelDocument(contentsOf: "\(folder)/M.xcdatamodeld")
    #expect(current.versionName == "M v2.0")
    #expect(current.model.entities.map(\.name) == ["New"])
    let old = try ModelDocument(contentsOf: versions.all[0].path)
    #expect(old.model.entities.map(\.name) == ["Old"])
    let file = try ModelDocument(contentsOf: "\(versions.all[0].path)/contents")
    #expect(file.versionName == "M")
  }

  @Test func `a single version needs no mark`() throws {
    try writeVersion("M", entity: "A")
    // What macOS leaves on file systems of others.
    try write("", to: "M.xcdatamodeld/._M.xcdatamodel")
    #expect(try ModelVersions(of: "\(folder)/M.xcdatamodeld").current.name == "M")
    try writeCurrent("")
    #expect(try ModelVersions(of: "\(folder)/M.xcdatamodeld").current.name == "M")
  }

  @Test func `several versions without a mark are refused`() throws {
    try writeVersion("A", entity: "A")
    try writeVersion("B", entity: "A")
    #expect(
      error("M.xcdatamodeld") == """
        invalidModel the model '/M.xcdatamodeld' has 2 versions and no .xccurrentversion that says \
        which one is current; give the path of one of them
          versions: A, B
        """)
  }

  @Test func `a mark that leads nowhere is reported at its place`() throws {
    try writeVersion("M 2", entity: "A")
    try writeCurrent("<key>_XCCurrentVersionName</key><string>M 3.xcdatamodel</string>")
    #expect(
      error("M.xcdatamodeld")
        == "invalidModel /M.xcdatamodeld/.xccurrentversion:2:33: the current version"
        + " \"M 3.xcdatamodel\" does not exist; did you mean \"M 2.xcdatamodel\"?")
    try writeCurrent("<key>_XCCurrentVersionName</key><true/>")
    #expect(
      error("M.xcdatamodeld")
        == "invalidModel /M.xcdatamodeld/.xccurrentversion:2:33: the key"
        + " \"_XCCurrentVersionName\" has no text")
  }

  @Test func `folders that are no model say what they are`() throws {
    try write("x", to: "Old.xcdatamodel/elements")
    try write("x", to: "Empty.xcdatamodel/other")
    try write("x", to: "None.xcdatamodeld/other")
    #expect(
      error("Old.xcdatamodel")
        == "invalidModel /Old.xcdatamodel/elements:1:1: the document begins with text; an element is"
        + " expected")
    #expect(
      error("Empty.xcdatamodel")
        == "invalidModel the model '/Empty.xcdatamodel' has no file 'contents'")
    #expect(
      error("None.xcdatamodeld")
        == "invalidModel the model '/None.xcdatamodeld' has no version: it contains no"
        + " .xcdatamodel folder")
    #expect(
      error("No.xcdatamodeld") == "invalidModel the model '/No.xcdatamodeld' does not exist")
    #expect(error("No.xcdatamodel") == "invalidModel the model '/No.xcdatamodel' does not exist")
    #expect(
      error("M.momd/M.omo")
        == "unsupported '/M.momd/M.omo' is the optimized form of a compiled model; give the .mom"
        + " beside it")
    #expect(error("M.momd") == "invalidModel the model '/M.momd' does not exist")
  }
}
