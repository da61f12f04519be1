import Oxbow
import OxbowTestSupport
import Testing

// The code of "Making it fast" in docs/guide/search.md.

/// The entity of the guide.
@Entity final class Circular: ManagedObject {
  var title: String = ""
  @Attribute(search: .words) var body: String = ""
}

@Suite struct SearchIndexGuideTests {
  @Test func `PS-15 a declared attribute is searched by its words`() throws {
    let folder = try TemporaryFolder()
    let body = Circular.entityDescription.attributes.first { $0.name == "body" }
    #expect(body?.search == .words)
    let coordinator = try PersistentStoreCoordinator(
      CompiledModel(ManagedObjectModel(types: [Circular.self]), classes: [Circular.self]),
      at: .file(folder.file("circulars.sqlite")))
    defer { coordinator.close() }
    let context = ManagedObjectContext(coordinator: coordinator)
    for text in ["Rust never sleeps", "Iron and rust", "Gold"] {
      _ = try context.insert(Circular.self) { $0.body = text }
    }
    try context.save()
    let request = FetchRequest<Circular>(where: try .words("body", "rust NOT iron"))
    #expect(try context.fetch(request).map(\.body) == ["Rust never sleeps"])
  }
}
