import Oxbow
import Testing

// What the texts of repositories may get wrong, found by `build()`.

@Repository protocol Misspelt: Repository<Tome> {
  @Query("writer.nam == $name") func by(_ name: String) throws -> [Tome]
  @Query("title BEGINWITH $start") func beginning(_ start: String) throws -> [Tome]
  @Query("pages > $pages") func longer(_ pages: String) throws -> [Tome]
  @Query("titel == $title", sortedBy: "title") func called(_ title: String) throws -> Tome?
  @Query("pages > $pages AND writer == $writer")
  func right(_ pages: Int, by writer: Penman) throws -> Int
}

struct MisspeltTomes: Misspelt, Stored {
  let context: any ObjectContext & Sendable
}

@Suite struct RepositoryQueryTests {
  private func problems(
    _ define: (ContainerBuilder, Ref<any ObjectContext & Sendable>) -> Void
  ) -> [ContainerError.Problem] {
    let builder = ContainerBuilder()
    define(builder, builder.persistentStore(at: .temporary, types: [Tome.self]))
    return builder.check().problems
  }

  @Test func `OX-30 build reports each text that cannot be asked, with near names`() throws {
    let problems = problems { builder, context in
      builder.singleton(named: "misspelt", { MisspeltTomes(context: $0) }, context)
    }
    #expect(problems.map(\.code) == Array(repeating: .invalidQuery, count: 4))
    #expect(problems.map(\.location?.line) == [7, 8, 9, 10])
    #expect(
      problems.map(\.location?.file).allSatisfy { $0 == "OxbowTests/RepositoryQueryTests.swift" })
    #expect(problems.map(\.nearNames) == [["name"], ["BEGINSWITH"], [], ["title"]])
    #expect(
      problems.first?.message
        == "object \"misspelt\": the text of 'Misspelt.by(_:)' cannot be asked of 'Tome'")
    #expect(problems.first?.seen.contains("'nam'") == true)
  }

  @Test func `OX-30 texts of repositories that a container does not have are not its concern`() {
    let found = problems { builder, context in
      builder.singleton(named: "volumes", { StoredTomes(context: $0) }, context)
    }
    #expect(found.map(\.description) == [])
  }
}

/// A store in a container whose classes are given.
@Suite struct RepositoryModelTests {
  private func problems(
    types: [any ModelObject.Type], _ define: (ContainerBuilder) -> Void = { _ in }
  ) -> [ContainerError.Problem] {
    let builder = ContainerBuilder()
    let context = builder.persistentStore(at: .temporary, types: types)
    builder.singleton(named: "volumes", { StoredTomes(context: $0) }, context)
    define(builder)
    return builder.check().problems
  }

  @Test func `W10 build says that the model lacks the entity of a repository`() throws {
    let problem = try #require(problems(types: [Town.self, Stamp.self]).first)
    #expect(problem.code == .invalidDefinition)
    #expect(
      problem.message == "object \"volumes\": the model of its store has no entity 'Tome'")
    #expect(problem.seen.hasPrefix("'Town', 'Stamp' at OxbowTests/RepositoryQueryTests.swift"))
    #expect(problem.nextStep == "add 'Tome.self' to 'types' of its store")
    #expect(problem.location?.file == "OxbowTests/RepositoryQueryTests.swift")
    #expect(problems(types: tomeTypes).map(\.description) == [])
  }

  @Test func `W10 a repository behind a proxy, and one from a file, are seen`() throws {
    let found = problems(types: [Town.self]) { builder in
      builder.proxy(named: "later", .lazy, of: Ref<StoredTomes>("volumes"), as: TomesProxy.self)
      do {
        try builder.load(
          text: """
            <container><object id="filed" class="FiledTomes">
              <property name="context" ref="context"/>
            </object></container>
            """)
      } catch { Issue.record(error) }
    }
    #expect(found.map(\.code) == [.invalidDefinition, .invalidDefinition])
    #expect(found.last?.message.hasPrefix("object \"filed\"") == true)
  }

  @Test func `W10 a repository of another store is not this store's concern`() {
    let found = problems(types: tomeTypes) { builder in
      builder.persistentStore("other", at: .temporary, types: [Town.self])
    }
    #expect(found.map(\.description) == [])
  }

  @Test func `W10 a coordinator that a patch has replaced is asked when it is there`() throws {
    let builder = ContainerBuilder()
    let context = builder.persistentStore(at: .temporary, types: tomeTypes)
    builder.singleton(named: "volumes", { StoredTomes(context: $0) }, context)
    let store = try PersistentContainer(.temporary, types: tomeTypes)
    let patched = try builder.build().patched {
      $0.replace("coordinator", with: { store.coordinator })
    }
    try onThread {
      let volumes = try patched.object("volumes", as: StoredTomes.self)
      #expect(try volumes.count() == 0)
    }
  }
}
