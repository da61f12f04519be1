import OxbowContext
import OxbowModel
import Testing

/// Fetching what the context has already (PF-01): from 256 objects on, headers are read first.
@Suite struct KnownRowsTests {
  let graph: Graph

  init() throws { graph = try Graph() }

  @Test(arguments: [10, 300])
  func `a fetch of known objects sees what others changed, added and deleted`(_ count: Int) throws {
    let files = try graph.make("File", count)
    _ = try graph.make("Photo", 2)
    let context = graph.context()
    let request = FetchRequest<ManagedObject>(entityNamed: "File")
    let first = try context.fetch(request)
    #expect(first.count == count + 2)
    #expect(try context.fetch(request) == first)

    try graph.elsewhere { try $0.get(files[count / 2]).setValue("changed", for: "name") }
    #expect(try context.fetch(request) == first)
    #expect(try first[count / 2].label == "changed")

    try graph.elsewhere { try $0.delete(try $0.get(files[1])) }
    let second = try context.fetch(request)
    #expect(second == first.filter { $0.objectID != files[1] })

    let added = try graph.make("Photo")[0]
    let third = try context.fetch(request)
    #expect(third.map(\.objectID) == second.map(\.objectID) + [added])
    #expect(try third.last?.label == "0")
  }

  @Test func `an unsaved change and a fault among many known objects stay what they are`() throws {
    let files = try graph.make("File", 300)
    let context = graph.context()
    let request = FetchRequest<ManagedObject>(entityNamed: "File")
    let objects = try context.fetch(request)
    try objects[5].setValue("mine", for: "name")
    try context.refresh(objects[7])
    try graph.elsewhere { context in
      for id in [files[5], files[7]] { try context.get(id).setValue("theirs", for: "name") }
    }
    #expect(try context.fetch(request) == objects)
    #expect(try objects[5].label == "mine")
    #expect(try objects[7].label == "theirs")
    #expect(throws: PersistenceError.self) { try context.save() }
  }

  @Test func `an order holds among many known objects`() throws {
    _ = try graph.make("File", 300)
    let context = graph.context()
    var request = FetchRequest<ManagedObject>(entityNamed: "File")
    let objects = try context.fetch(request)
    request.sortKeys = [SortKey("name", ascending: false)]
    let names = try context.fetch(request).map { try $0.label ?? "" }
    #expect(try names == objects.map { try $0.label ?? "" }.sorted(by: >))
  }

  @Test func `rows of which the header alone was read lead nowhere`() throws {
    let folders = try graph.make("Folder", 100)
    let files = try graph.make("File", 100)
    try graph.elsewhere { context in
      for (file, folder) in zip(files, folders) {
        try context.get(file).set("folder", context.get(folder))
      }
    }
    let context = graph.context()
    let known = try files.prefix(50).map { try context.get($0) }
    let all = try context.all("File")
    #expect(all.count == 100 && context.registeredCount == 100)
    #expect(try context.get(files[99]).one("folder")?.objectID == folders[99])
    // The folders of those that came together, and no others.
    #expect(context.registeredCount == 150)
    withExtendedLifetime((known, all)) {}
  }
}
