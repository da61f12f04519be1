import Foundation
import Oxbow
import Testing

@testable import catalog

@Suite struct WiringTests {
  private func container(_ wiring: Wiring, store: String = "/nowhere/catalog.sqlite") throws
    -> Container
  {
    try wiring.makeContainer(
      try CatalogSettings(store: store))
  }

  @Test func `the document and the code define the same objects`() throws {
    let settings = ["modelDirectory", "storePath", "migrationsFolder", "entityClasses"]
    func lines(_ wiring: Wiring) throws -> [String] {
      try container(wiring).graph.definitions.filter { !settings.contains($0.name) }.map {
        let references = $0.references.filter { !settings.contains($0) }.sorted()
        return "\($0.name): \($0.typeName ?? ""), \($0.scope), needs \(references)"
      }.sorted()
    }
    let code = try lines(.code)
    #expect(try lines(.xml) == code)
    #expect(code.count == 10)
  }

  @Test(arguments: Wiring.allCases)
  func `building a container makes nothing`(wiring: Wiring) throws {
    let tree = try Tree()
    _ = try container(wiring, store: tree.store)
    #expect(!FileManager.default.fileExists(atPath: tree.store))
  }

  @Test(arguments: Wiring.allCases)
  func `the statistics are made by the first question`(wiring: Wiring) throws {
    let tree = try Tree()
    _ = try tree.index()
    let container = try container(wiring, store: tree.store)
    let statistics = try container.object("statistics", as: CatalogStatisticsProxy.self)
    #expect(!statistics._source.isMaterialized)
    let done = DispatchSemaphore(value: 0)
    // On a thread of its own, because the test runs in a task.
    Thread {
      _ = try? statistics.totals()
      done.signal()
    }.start()
    done.wait()
    #expect(statistics._source.isMaterialized)
  }

  @Test func `a mistake in the document is reported with its place before the store is opened`()
    throws
  {
    let tree = try Tree()
    let path = tree.folder + "/container.xml"
    let text = try String(contentsOfFile: Resources.path("container.xml"), encoding: .utf8)
    try text.replacingOccurrences(of: "\"storePath\" ref", with: "\"storPath\" ref")
      .write(toFile: path, atomically: true, encoding: .utf8)
    let builder = ContainerBuilder()
    try builder.defineCatalog(
      CatalogSettings(store: tree.store, models: ".", migrations: "."), document: path)
    let error = #expect(throws: ContainerError.self) { try builder.build() }
    let report = error.map { "\($0)" } ?? ""
    #expect(report.contains("\(path):10:"))
    #expect(report.contains("storePath"))
    #expect(!FileManager.default.fileExists(atPath: tree.store))
  }
}
