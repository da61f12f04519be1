import Oxbow
import OxbowTestSupport
import Testing

// The code of "Making it fast" and "Parts of texts" in docs/guide/search.md.

/// The entity of the guide.
@Entity final class Circular: ManagedObject {
  var title: String = ""
  @Attribute(search: .words) var body: String = ""
}

@Entity final class Track: ManagedObject {
  @Attribute(search: .substrings) var title: String = ""
  @Attribute(search: [.words, .substrings]) var lyrics: String = ""
}

@Suite struct SearchIndexGuideTests {
  @Test func `PS-15 a declared attribute is searched by parts of its texts, unsaved ones too`()
    throws
  {
    let folder = try TemporaryFolder()
    let attributes = Track.entityDescription.attributes
    #expect(attributes.map(\.search) == [.substrings, [.words, .substrings]])
    let coordinator = try PersistentStoreCoordinator(
      CompiledModel(ManagedObjectModel(types: [Track.self]), classes: [Track.self]),
      at: .file(folder.file("tracks.sqlite")))
    defer { coordinator.close() }
    let context = ManagedObjectContext(coordinator: coordinator)
    for title in ["Night Fever", "Nïght Fever (live)", "Stayin' Alive"] {
      _ = try context.insert(Track.self) { $0.title = title }
    }
    try context.save()
    _ = try context.insert(Track.self) { $0.title = "RIGHT FEVER" }
    let request = FetchRequest<Track>(
      where: try FetchPredicate(format: "title CONTAINS[cd] 'ght fev'"),
      sortedBy: [SortKey("title")])
    #expect(
      try context.fetch(request).map(\.title) == [
        "Night Fever", "Nïght Fever (live)", "RIGHT FEVER",
      ])
  }

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
