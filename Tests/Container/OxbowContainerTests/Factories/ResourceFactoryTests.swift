import OxbowContainer
import OxbowTestSupport
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

@Suite struct ResourceFactoryTests {
  private func folder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write("plain", to: "menu.json")
    try folder.write("tablet", to: "menu-tablet.json")
    return folder
  }

  private func resource(
    in folder: TemporaryFolder, _ properties: [PropertyAssignment]
  ) throws -> Resource {
    let builder = ContainerBuilder()
    builder.add(
      ObjectDefinition(
        "menu", class: "ResourceFactory",
        properties: [
          .value("name", "menu"), .value("fileExtension", "json"), .value("folder", folder.path),
        ] + properties))
    return try builder.build().object("menu", as: Resource.self)
  }

  @Test func `OX-29 a resource is found by convention, its variant before the plain one`() throws {
    let folder = try folder()
    #expect(try resource(in: folder, []).text() == "plain")
    let tablet = try resource(in: folder, [.value("variant", "tablet")])
    #expect(try tablet.text() == "tablet")
    #expect(tablet.variant == "tablet")
    #expect(try resource(in: folder, [.value("variant", "watch")]).variant == nil)
    let list = PropertyAssignment(
      "variants",
      to: .collection(["watch", "tablet"].map { InjectedElement(.text($0)) }))
    #expect(try resource(in: folder, [list]).variant == "tablet")
    #expect(try resource(in: folder, []).data().count == 5)
  }

  @Test(arguments: ["../menu", "a/../../menu", "/etc/menu", ".."])
  func `review D30: a name does not lead out of the folder`(_ name: String) throws {
    let folder = try folder()
    try folder.write("inside", to: "sub/menu.json")
    let factory = ResourceFactory()
    factory.folder = URL(filePath: folder.path).appending(path: "sub")
    factory.fileExtension = "json"
    factory.name = name
    let error = #expect(throws: ContainerError.self) { try factory.object() }
    #expect(error?.problems.first?.message == "\"\(name)\" leads out of the folder of resources")
    factory.name = "menu"
    factory.variant = name
    #expect(throws: ContainerError.self) { try factory.object() }
    factory.folder = URL(filePath: folder.path)
    factory.variant = nil
    factory.name = "sub/menu"
    #expect(try factory.object().text() == "inside")
  }

  @Test func `OX-29 a missing resource lists the files that were tried`() throws {
    let folder = try TemporaryFolder()
    let error = #expect(throws: ContainerError.self) {
      try resource(in: folder, [.value("variant", "tablet")])
    }
    #expect(error?.code == .missingResource)
    #expect(error?.problems.first?.message == "there is no resource \"menu\"")
    #expect(
      error?.problems.first?.seen
        == "none of \"\(folder.file("menu-tablet.json"))\", \"\(folder.file("menu.json"))\"")
    let unnamed = #expect(throws: ContainerError.self) { try ResourceFactory().object() }
    #expect(unnamed?.code == .factoryIncomplete)
  }
}
