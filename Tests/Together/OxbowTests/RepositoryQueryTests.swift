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
      builder.singleton("misspelt", { MisspeltTomes(context: $0) }, context)
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
      builder.singleton("volumes", { StoredTomes(context: $0) }, context)
    }
    #expect(found.map(\.description) == [])
  }
}
