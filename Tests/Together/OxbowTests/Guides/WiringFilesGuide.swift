import Foundation
import Oxbow
import OxbowTestSupport
import Testing

// The store of docs/guide/wiring-files.md. OxbowAssemblyTests has the other examples.

@Suite struct WiringFilesGuideTests {
  @Test func `the store of the guide's file opens, and threads share its context`() throws {
    let folder = try TemporaryFolder()
    let text = try #require(try Guide(name: "wiring-files").texts("xml").last)
    let builder = ContainerBuilder()
    builder.singleton(named: "classes", { EntityClasses([Film.self, Director.self, Topic.self]) })
    try builder.load(text: text, file: "store.xml")
    builder.placeholders.set("store.path", folder.file("films.sqlite"))
    let films = builder.singleton(
      named: "films", StoredFilms.init(context:), Ref<any ObjectContext & Sendable>("context"))
    #expect(builder.check().notes.map(\.text) == [])
    let container = try builder.build()
    let titles = try onThread { [films = try container.object(films)] in
      try RepositoriesGuide.use(films)
    }
    #expect(titles == ["Solaris"])
    try container.shutDown()
  }
}
