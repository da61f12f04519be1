#if PostgreSQL
  import Foundation
  import OxbowModel
  import OxbowPostgres
  import OxbowStore
  import OxbowStoreContract
  import OxbowTestSupport
  import Testing

  extension TestServer {
    /// Where a store is: a schema of its own.
    func location(_ schema: String? = nil) -> PostgresLocation {
      PostgresLocation(connection, schema: schema ?? newSchema())
    }
  }

  /// The library with one more attribute whose values must be unique.
  func libraryModel(unique attribute: String, of entity: String) -> ManagedObjectModel {
    ManagedObjectModel(
      entities: libraryModel().entities.map {
        var description = $0
        if description.name == entity { description.uniquenessConstraints = [[attribute]] }
        return description
      })
  }

  typealias PostgresLibrary = StoreLibrary<PostgresStore>

  extension PostgresLibrary {
    convenience init(
      _ model: ManagedObjectModel = libraryModel(), at location: PostgresLocation? = nil,
      options: PostgresStoreOptions = PostgresStoreOptions()
    ) throws {
      let location = try location ?? #require(TestServer.shared).location()
      self.init(try PostgresStore(CompiledModel(model), at: location, options: options))
    }
  }

  extension StoreContract<PostgresStore> {
    init(options: PostgresStoreOptions = PostgresStoreOptions()) {
      self.init { try PostgresLibrary($0, options: options) }
    }
  }

  /// Where a server has to be, its absence is a failure.
  @Suite struct TestServerTests {
    @Test(
      .enabled(if: ProcessInfo.processInfo.environment["OXBOW_REQUIRE_POSTGRES"] == "1"))
    func `the tests have a server`() { #expect(TestServer.shared != nil) }
  }
#endif
