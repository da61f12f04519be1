import Foundation
import OxbowDocuments
import OxbowTestSupport
import Testing

@Suite struct DocumentFileTests {
  @Test func `a file that is replaced keeps its permissions, and a link to it stays one`() throws {
    let folder = try TemporaryFolder()
    let manager = FileManager.default
    try folder.write("old", to: "private.json")
    try manager.setAttributes(
      [.posixPermissions: 0o600], ofItemAtPath: folder.file("private.json"))
    try manager.createSymbolicLink(
      atPath: folder.file("link.json"), withDestinationPath: "private.json")
    try DocumentFile.writing(folder.file("link.json")) { (write) throws(DocumentError) in
      try write(Array("new".utf8))
    } failure: {
      $0
    }
    #expect(try folder.names() == ["link.json", "private.json"])
    #expect(try folder.text(of: "private.json") == "new")
    let mode = try manager.attributesOfItem(atPath: folder.file("private.json"))[.posixPermissions]
    #expect(mode as? Int == 0o600)
    #expect(
      try manager.destinationOfSymbolicLink(atPath: folder.file("link.json")) == "private.json")
  }
}
