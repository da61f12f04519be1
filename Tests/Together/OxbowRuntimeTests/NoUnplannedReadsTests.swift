import OxbowRuntime
import OxbowTesting
import Testing

@Suite(.objectContext { try PersistentContainer(.inMemory, model: shelvesModel) })
struct NoUnplannedReadsTests {
  init() throws {
    try ObjectContextTrait.store.perform { context in
      let shelf = try context.insert(entityNamed: "Shelf")
      try context.insert(entityNamed: "Note").setObjects([shelf], for: "shelf")
      try context.save()
    }
  }

  @Test(.noUnplannedReads) func `what was prefetched is no issue (PF-04)`() throws {
    #expect(try noteCountOnShelves(prefetching: .named("notes")) == 1)
  }

  @Test func `an unplanned read is an issue at the line that caused it (PF-04)`() async throws {
    let test = try #require(Test.current)
    let testCase = try #require(Test.Case.current)
    let trait: NoUnplannedReadsTrait = .noUnplannedReads
    try await withKnownIssue {
      try await trait.provideScope(for: test, testCase: testCase) {
        let count = try noteCountOnShelves()
        #expect(count == 1)
      }
    } matching: { issue in
      #if os(Linux)
        guard issue.sourceLocation?.line == touchingLine else { return false }
      #endif
      return issue.comments.contains {
        let text = "\($0)"
        return text.contains("'notes' of 'Shelf/p1'") && text.contains("fetch with 'prefetching'")
      }
    }
  }
}

private let shelvesModel = ManagedObjectModel(entities: [
  EntityDescription(
    "Note", relationships: [RelationshipDescription("shelf", to: "Shelf", inverse: "notes")]),
  EntityDescription(
    "Shelf",
    relationships: [
      RelationshipDescription("notes", to: "Note", inverse: "shelf", isToMany: true)
    ]),
])

/// The number of notes on all shelves, which reads them unless they were prefetched.
private func noteCountOnShelves(
  prefetching paths: PrefetchPaths<ManagedObject> = PrefetchPaths()
) throws -> Int {
  try ObjectContextTrait.store.perform { context in
    let request = FetchRequest<ManagedObject>(entityNamed: "Shelf", prefetching: paths)
    return try context.fetch(request).reduce(0) { $0 + (try $1.objects("notes").count) }
  }
}

/// The line in which it touches them.
private let touchingLine = #line - 5
