import Foundation
import OxbowModel
import OxbowRuntime
import OxbowStore
import OxbowTestSupport
import Testing

/// The factories that join the two halves, one by one.
@Suite struct BuiltInFactoryTests {
  @Test func `OX-18 a model factory merges the documents of a folder`() throws {
    try withDocuments(["A": "<entity name=\"Note\"/>", "B": "<entity name=\"Label\"/>"]) { folder in
      let factory = ModelFactory()
      factory.directory = folder
      let merged = try factory.object().entities.map(\.name)
      #expect(merged.sorted() == ["Label", "Note"])
      factory.paths = " B.xcdatamodel "
      let one = try factory.object().entities.map(\.name)
      #expect(one == ["Label"])
    }
  }

  @Test func `OX-18 entities that contradict each other are an error that names them`() throws {
    let note = { (type: String) in
      "<entity name=\"Note\"><attribute name=\"text\" attributeType=\"\(type)\"/></entity>"
    }
    try withDocuments(["A": note("String"), "B": note("Integer 32")]) { folder in
      let factory = ModelFactory()
      factory.directory = folder
      let error = #expect(throws: PersistenceError.self) { try factory.object() }
      #expect(error?.code == .modelConflict)
      #expect("\(error, default: "")".contains("Note"))
    }
  }

  @Test func `OX-18 no documents, or a folder that is not there: errors`() {
    let factory = ModelFactory()
    #expect(throws: PersistenceError.self) { try factory.object() }
    factory.directory = "/no/such/folder"
    let error = #expect(throws: PersistenceError.self) { try factory.object() }
    #expect("\(error, default: "")".contains("/no/such/folder"))
  }

  @Test
  func `OX-19 a coordinator factory opens the store with its options, or says what SQLite says`()
    throws
  {
    try withDocuments(["A": "<entity name=\"Note\"/>"]) { folder in
      let models = ModelFactory()
      models.directory = folder
      let factory = StoreCoordinatorFactory()
      factory.model = try models.object()
      factory.storePath = folder + "/notes.sqlite"
      factory.createsStore = false
      #expect(throws: PersistenceError.self) { try factory.object() }
      factory.createsStore = true
      factory.usesWriteAheadLog = false
      try factory.object().close()
      #expect(FileManager.default.fileExists(atPath: factory.storePath))
      #expect(!FileManager.default.fileExists(atPath: factory.storePath + "-wal"))
      factory.followsOtherProcesses = true
      let history = #expect(throws: PersistenceError.self) { try factory.object() }
      #expect(history?.code == .historyOff)
      factory.history = .keys
      try factory.object().close()
      factory.storePath = folder
      let error = #expect(throws: PersistenceError.self) { try factory.object() }
      #expect("\(error, default: "")".contains(folder))
    }
  }

  @Test func `OX-19 without a path or a model the error names the property`() {
    let factory = StoreCoordinatorFactory()
    let path = #expect(throws: ContainerError.self) { try factory.object() }
    #expect("\(path, default: "")".contains("storePath"))
    factory.storePath = ":memory:"
    let model = #expect(throws: ContainerError.self) { try factory.object() }
    #expect("\(model, default: "")".contains("model"))
  }

  private func withDocuments(_ entities: [String: String], _ body: (String) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "oxbow-\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    for (name, text) in entities {
      let model = folder.appending(path: "\(name).xcdatamodel")
      try FileManager.default.createDirectory(at: model, withIntermediateDirectories: true)
      try Data(
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">\(text)</model>
        """.utf8
      ).write(to: model.appending(path: "contents"))
    }
    try body(folder.path)
  }
}
