#if PostgreSQL
  import OxbowModel
  import OxbowPostgres
  import OxbowStore
  import OxbowStoreContract
  import OxbowTestSupport
  import Testing

  /// Stores on a PostgreSQL server keep the contract of all stores.
  @Suite(.enabled(if: TestServer.shared != nil)) struct PostgresContractTests {
    @Test func `values of every type come back`() throws {
      try StoreContract().`values of every type come back`()
    }

    @Test func `versions begin at 1 and count updates`() throws {
      try StoreContract().`versions begin at 1 and count updates`()
    }

    @Test func `a conflict names all objects and changes nothing`() throws {
      try StoreContract().`a conflict names all objects and changes nothing`()
    }

    @Test func `a fetch of a hierarchy brings each row as what it is`() throws {
      try StoreContract().`a fetch of a hierarchy brings each row as what it is`()
    }

    @Test func `sort, limit and offset act after the condition`() throws {
      try StoreContract().`sort, limit and offset act after the condition`()
    }

    @Test func `decimals compare and sort by value`() throws {
      try StoreContract().`decimals compare and sort by value`()
    }

    @Test func `rows by key come once, without those that are gone`() throws {
      try StoreContract().`rows by key come once, without those that are gone`()
    }

    @Test func `PF-01 rows of a fetch come once, whatever its condition follows`() throws {
      try StoreContract().`PF-01 rows of a fetch come once, whatever its condition follows`()
    }

    @Test func `to-many relationships are read for all owners at once, in order`() throws {
      try StoreContract().`to-many relationships are read for all owners at once, in order`()
    }

    @Test func `links between two to-one ends are on both sides`() throws {
      try StoreContract().`links between two to-one ends are on both sides`()
    }

    @Test func `a to-many relationship may be its own inverse, or have none`() throws {
      try StoreContract().`a to-many relationship may be its own inverse, or have none`()
    }

    @Test func `a deleted object takes its join rows along`() throws {
      try StoreContract().`a deleted object takes its join rows along`()
    }

    @Test func `keys are never handed out twice`() throws {
      try StoreContract().`keys are never handed out twice`()
    }

    @Test func `values that must be unique name the object that breaks it`() throws {
      try StoreContract().`values that must be unique name the object that breaks it`()
    }

    @Test func `a change set can be applied again after a failure`() throws {
      try StoreContract().`a change set can be applied again after a failure`()
    }

    @Test func `large results come in several slabs`() throws {
      try StoreContract().`large results come in several slabs`()
    }

    @Test(arguments: [1, 1000])
    func `PF-01 of rows that the caller has, only the header is read`(_ count: Int) throws {
      try StoreContract().`PF-01 of rows that the caller has, only the header is read`(count)
    }

    @Test func `a link to an object that is not there is refused, and nothing saved`() throws {
      let error = try StoreContract()
        .`a link to an object that is not there is refused, and nothing saved`()
      #expect(
        error?.message.contains("a row of 'Book' refers to a missing row of 'Shelf'") == true)
    }

    @Test func `eight threads read whole saves while one writes`() async throws {
      try await StoreContract().`eight threads read whole saves while one writes`()
    }

    @Test func `a store behind a pooler, without prepared statements, keeps the contract too`()
      throws
    {
      let contract = StoreContract(options: PostgresStoreOptions(preparesStatements: false))
      try contract.`values of every type come back`()
      try contract.`a conflict names all objects and changes nothing`()
    }

    @Test func `a closed store says so`() throws {
      let library = try PostgresLibrary()
      library.store.close()
      library.store.close()
      let errors = [
        errorOf { _ = try library.keys("Tag") },
        errorOf { try library.save { $0.inserts = [try library.insert("Tag", 1)] } },
        errorOf { _ = try library.store.reserveKeys(root: 0, count: 1) },
      ]
      #expect(errors.allSatisfy { $0?.code == .storeClosed })
      #expect(
        errors[0]?.message == "the store '\(library.store.place)' was closed; open it again")
    }
  }
#endif
