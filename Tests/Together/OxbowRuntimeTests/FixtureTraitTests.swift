import Foundation
import OxbowRuntime
import OxbowTestSupport
import OxbowTesting
import Testing

// PS-16: tests begin with objects of files.

@Suite(.objectContext { try PersistentContainer(.inMemory, model: libraryModel) })
struct FixtureTraitTests {
  /// Writes files, and runs `body` in the scope of a fixture of them.
  private func run(
    _ files: [String: String], _ names: String..., body: @Sendable () async throws -> Void = {}
  ) async throws {
    let folder = try TemporaryFolder()
    for (name, text) in files { try folder.write(text, to: "\(name).json") }
    let test = try #require(Test.current)
    let testCase = try #require(Test.Case.current)
    let trait = FixtureTrait(files: names, in: folder.path)
    try await withoutActuallyEscaping(body) { body in
      try await trait.provideScope(for: test, testCase: testCase) { try await body() }
    }
  }

  private func error(
    _ files: [String: String], _ names: String...
  ) async throws -> PersistenceError? {
    let folder = try TemporaryFolder()
    for (name, text) in files { try folder.write(text, to: "\(name).json") }
    let test = try #require(Test.current)
    let trait = FixtureTrait(files: names, in: folder.path)
    let error = await #expect(throws: PersistenceError.self) {
      try await trait.provideScope(for: test, testCase: Test.Case.current) {
        Issue.record("the test has run")
      }
    }
    #expect(try countOfBooks() == 0)
    return error
  }

  private func countOfBooks() throws -> Int {
    try ObjectContextTrait.contexts.count(FetchRequest<ManagedObject>(entityNamed: "Book"))
  }

  private static let library = """
    [
      {"$entity": "Book", "$id": "solaris", "title": "Solaris", "author": {"$ref": "lem"},
       "tags": [{"$id": "sf", "label": "science fiction"}, {"$ref": "space"}]},
      {"$entity": "Author", "$id": "lem", "name": "Lem"},
      {"$entity": "Tag", "$id": "space", "label": "space"},
      {"$entity": "Book", "title": "without a name"}
    ]
    """

  @Test func `objects have names, relationships and keys in their order (PS-16)`() async throws {
    for _ in 0..<2 {
      let store = try PersistentContainer(.inMemory, model: libraryModel)
      defer { store.close() }
      let folder = try TemporaryFolder()
      try folder.write(Self.library, to: "library.json")
      let keys = try await store.perform { context in
        let objects = try context.insertFixtures("library", besideFile: folder.path + "/Test.swift")
        try context.save()
        return objects.mapValues { $0.objectID.key }
      }
      #expect(keys == ["solaris": 1, "sf": 1, "lem": 1, "space": 2])
    }
    try await run(["library": Self.library], "library") {
      let book = try ObjectContextTrait.object("solaris", as: ManagedObject.self)
      let lem = try ObjectContextTrait.object("lem", as: ManagedObject.self)
      #expect(try book.objects("author") == [lem])
      #expect(!lem.hasChanges && !lem.isInserted)
      let labels = try book.objects("tags").map { try $0.value("label", as: String.self) }
      #expect(labels == ["science fiction", "space"])
    }
  }

  @Test func `files refer to each other, and to those of a fixture around (PS-16)`() async throws {
    let files = [
      "authors": #"[{"$entity": "Author", "$id": "lem", "name": "Lem"}]"#,
      "books": #"{"$entity": "Book", "$id": "eden", "title": "Eden", "author": {"$ref": "lem"}}"#,
    ]
    let more = [
      "more": #"{"$entity": "Book", "$id": "fiasco", "title": "Fiasco", "author": {"$ref": "lem"}}"#
    ]
    try await run(files, "books", "authors") {
      try await run(more, "more") {
        let lem = try ObjectContextTrait.object("lem", as: ManagedObject.self)
        #expect(try lem.objects("books").count == 2)
        #expect(
          try ObjectContextTrait.object("eden", as: ManagedObject.self).objects("author") == [lem])
      }
      let error = #expect(throws: PersistenceError.self) {
        try ObjectContextTrait.object("fiasco", as: ManagedObject.self)
      }
      #expect(error?.message.hasSuffix("called 'fiasco'; it has 'eden', 'lem'") == true)
    }
  }

  @Test func `each mistake has its file, its line and near names (PS-16)`() async throws {
    let error = try await error(
      [
        "library": """
        [
          {"$entity": "Book", "$id": "solaris", "titel": "Solaris"},
          {"$entity": "Bok", "title": "x"},
          {"$entity": "Book", "title": 5, "author": {"$ref": "lm"}},
          {"$entity": "Author", "$id": "lem", "name": "Lem"},
          {"$entity": "Author", "$id": "lem", "name": "Another"}
        ]
        """
      ], "library")
    let problems = error?.problems ?? []
    #expect(error?.code == .invalidJSON)
    #expect(
      problems.map { $0.message.replacing(/at .*library/, with: "at library") } == [
        "$[0] has the key \"titel\", and 'Book' has no such property",
        "$[1] is of the entity \"Bok\", which the model does not have",
        "$[2].title is 5, and has to be a text",
        "$[4] has the name \"lem\", which another object at library.json:5:3 has already",
        "$[2].author refers to \"lm\", which is neither in the document nor in this store",
      ])
    #expect(problems.map { $0.location?.line } == [2, 3, 4, 6, 4])
    #expect(problems.map(\.nearNames) == [["title"], ["Book"], [], [], ["lem"]])
    #expect(problems.allSatisfy { $0.location?.file.hasSuffix("/library.json") == true })
  }

  @Test func `a file that is missing or is not JSON is an error, with near names (PS-16)`()
    async throws
  {
    let missing = try await error(["library": "[]"], "libary")
    #expect(missing?.message.hasPrefix("the fixture 'libary' cannot be read: '/") == true)
    #expect(missing?.nearNames == ["library"])
    let broken = try await error(["library": "[{]"], "library")
    #expect(broken?.code == .invalidJSON && broken?.location?.column == 3)
  }

  @Test func `a name and a class that a test asks for are checked (PS-16)`() async throws {
    let without = #expect(throws: PersistenceError.self) {
      try ObjectContextTrait.object("lem", as: ManagedObject.self)
    }
    #expect(
      without?.message
        == "the test has no fixture with an object called 'lem'; give it the trait '.fixture(…)'")
    try await run(["library": Self.library], "library") {
      let error = #expect(throws: PersistenceError.self) {
        try ObjectContextTrait.object("solarys", as: ManagedObject.self)
      }
      #expect(error?.nearNames == ["solaris"])
    }
  }

  @Test func `objects that cannot be saved fail the test before it begins (PS-16)`() async throws {
    let error = try await error(["library": #"[{"$entity": "Book", "author": null}]"#], "library")
    #expect(error?.code == .validation)
  }
}

extension FixtureTrait {
  fileprivate init(files names: [String], in folder: String) {
    self.init(names, besideFile: folder + "/Tests.swift")
  }
}

private let libraryModel = ManagedObjectModel(entities: [
  EntityDescription(
    "Author", attributes: [AttributeDescription("name", .string, isOptional: true)],
    relationships: [
      RelationshipDescription("books", to: "Book", inverse: "author", isToMany: true)
    ]),
  EntityDescription(
    "Book", attributes: [AttributeDescription("title", .string, isOptional: false)],
    relationships: [
      RelationshipDescription("author", to: "Author", inverse: "books"),
      RelationshipDescription("tags", to: "Tag", inverse: "books", isToMany: true, isOrdered: true),
    ]),
  EntityDescription(
    "Tag", attributes: [AttributeDescription("label", .string, isOptional: true)],
    relationships: [
      RelationshipDescription("books", to: "Book", inverse: "tags", isToMany: true)
    ]),
])
