#if PostgreSQL
  import OxbowContext
  import OxbowModel
  import OxbowPostgres
  import OxbowStore
  import OxbowStoreContract
  import OxbowTestSupport
  import Testing

  /// Contexts that read a replica, and save to the primary server.
  @Suite(.enabled(if: TestServer.shared != nil), .timeLimit(.minutes(30)))
  struct PostgresReplicaTests {
    private let primary: TestServer
    private let replica: TestServer
    private let coordinator: PersistentStoreCoordinator

    init() throws {
      primary = try #require(TestServer())
      let made = try Self.open(primary, replica: nil)
      made.close()
      replica = try #require(TestServer(replicaOf: primary))
      coordinator = try Self.open(primary, replica: replica.connection)
      primary.wait(until: "SELECT count(*) FROM pg_stat_replication WHERE state = 'streaming'")
    }

    private static func open(
      _ server: TestServer, replica: String?, history: HistoryRecording = .off
    ) throws -> PersistentStoreCoordinator {
      try PersistentStoreCoordinator(
        CompiledModel(libraryModel()), at: server.location("load"),
        options: PostgresStoreOptions(history: history, replica: replica))
    }

    private func context(_ place: ReadPlace) -> ManagedObjectContext {
      ManagedObjectContext(
        coordinator: coordinator,
        options: ContextOptions(mergePolicy: .mergeByProperty, readPlace: place))
    }

    private func tags(in context: ManagedObjectContext) throws -> [ManagedObject] {
      Array(try context.fetch(FetchRequest<ManagedObject>(entityNamed: "Tag")))
    }

    private func count(_ place: ReadPlace) throws -> Int {
      try context(place).count(FetchRequest<ManagedObject>(entityNamed: "Tag"))
    }

    private func insert(_ label: String, in context: ManagedObjectContext) throws {
      try context.insert(entityNamed: "Tag").setValue(label, for: "label")
      try context.save()
    }

    /// Stops what the replica has from growing.
    private func pause() {
      replica.sql("SELECT pg_wal_replay_pause()")
      replica.wait(until: "SELECT pg_get_wal_replay_pause_state() = 'paused'")
    }

    /// Makes a tag "a" that becomes "b" on the primary server alone.
    private func renameBehindReplica() throws {
      try insert("a", in: context(.primary))
      #expect(try count(.replicaAfterOwnSaves) == 1)
      pause()
      let other = context(.primary)
      try tags(in: other)[0].setValue("b", for: "label")
      try other.save()
    }

    private func resume() { replica.sql("SELECT pg_wal_replay_resume()") }

    private var reads: Int {
      Int(replica.sql("SELECT count(*) FROM pg_stat_activity WHERE application_name = 'oxbow'"))
        ?? 0
    }

    @Test func `what the program has saved is there when it is read next`() throws {
      for number in 1...100 {
        try insert("\(number)", in: context(.primary))
        #expect(try count(.replicaAfterOwnSaves) == number)
      }
      #expect(reads > 0)
    }

    @Test func `a replica that is behind is read as it is, or waited for, or left alone`() throws {
      #expect(try count(.replica) == 0)
      pause()
      try insert("a", in: context(.replica))
      #expect(try count(.primary) == 1)
      #expect(try count(.replica) == 0)
      #expect(try count(.replicaAfterOwnSaves) == 1)
      #expect(context(.replica).readPlace == .replica)
      resume()
      replica.wait(until: "SELECT count(*) FROM load.\"Tag\"")
      #expect(try count(.replica) == 1)
    }

    @Test func `a save of what was read late is a conflict, and is merged with what is there`()
      throws
    {
      try renameBehindReplica()
      let late = context(.replica)
      let tag = try tags(in: late)[0]
      #expect(try tag.value("label", as: String.self) == "a")
      try tag.setValue("c", for: "label")
      #expect(errorOf { try late.save() }?.code == .conflict)
      late.mergePolicy = .mergeByPropertyObjectTrump
      try late.save()
      #expect(try tags(in: context(.primary))[0].value("label", as: String.self) == "c")
      #expect(try count(.replicaAfterOwnSaves) == 1)
      resume()
    }

    @Test func `a replica that fails is left alone, and the primary server is read`() throws {
      try insert("a", in: context(.primary))
      #expect(try count(.replicaAfterOwnSaves) == 1)
      replica.crash()
      #expect(try count(.replica) == 1)
      #expect(try count(.replicaAfterOwnSaves) == 1)
      try insert("b", in: context(.replicaAfterOwnSaves))
      #expect(try count(.replicaAfterOwnSaves) == 2)
    }

    @Test func `a batch deletes by what the primary server has, however late the replica is`()
      throws
    {
      try renameBehindReplica()
      var request = FetchRequest<ManagedObject>(entityNamed: "Tag")
      request.predicate = .equal("label", "a")
      #expect(try context(.replica).batchDelete(request).count == 0)
      #expect(try count(.primary) == 1)
      request.predicate = .equal("label", "b")
      #expect(try context(.replica).batchDelete(request).count == 1)
      #expect(try count(.primary) == 0)
      resume()
    }

    @Test(arguments: [ReadPlace.replica, .replicaAfterOwnSaves])
    func `what others have saved is merged although the replica is late, and stays`(
      _ place: ReadPlace
    ) throws {
      try insert("a", in: context(.primary))
      try insert("gone", in: context(.primary))
      #expect(try count(.replicaAfterOwnSaves) == 2)
      let merging = context(place)
      merging.automaticallyMergesChangesFromParent = true
      let mine = try tags(in: merging)
      pause()
      let other = context(.primary)
      for tag in try tags(in: other) {
        if try tag.value("label", as: String.self) == "gone" {
          try other.delete(tag)
        } else {
          try tag.setValue("b", for: "label")
        }
      }
      try other.save()
      let found = try tags(in: merging)
      #expect(try found.map { try $0.value("label", as: String.self) } == ["b"])
      #expect(mine.count { $0.isFault || $0.context == nil } == 1)
      #expect(try merging.count(FetchRequest<ManagedObject>(entityNamed: "Tag")) == 1)
      resume()
    }

    // MARK: With others

    @Test func `live results of a late replica do not miss what was saved`() throws {
      let late = context(.replica)
      var request = FetchRequest<ManagedObject>(entityNamed: "Tag")
      let decided = try FetchedResults(request, in: context(.replica))
      let ofChild = try FetchedResults(
        request, in: ManagedObjectContext(parent: context(.replica)))
      // Only a fetch says what the first ten are.
      request.limit = 10
      let fetched = try FetchedResults(request, in: late)
      pause()
      try insert("a", in: context(.primary))
      for results in [decided, ofChild, fetched] {
        #expect(try results.update().insertions.count == 1)
      }
      try insert("b", in: late)
      for results in [decided, ofChild, fetched] {
        #expect(try results.update().insertions.count == 1)
        #expect(results.objects.count == 2)
      }
      resume()
    }

    @Test func `a child takes back a save that a late replica does not have`() throws {
      let noting = try Self.open(primary, replica: replica.connection, history: .values)
      let writing = ManagedObjectContext(coordinator: noting)
      try insert("a", in: writing)
      let parent = ManagedObjectContext(
        coordinator: noting, options: ContextOptions(readPlace: .replicaAfterOwnSaves))
      #expect(try tags(in: parent).count == 1)
      try parent.reset()
      parent.readPlace = .replica
      pause()
      try tags(in: writing)[0].setValue("b", for: "label")
      try writing.save()
      var history = try noting.history()
      var last: HistoryTransaction?
      while case .saves(let saves)? = try history.next() { last = saves.last }
      let child = ManagedObjectContext(parent: parent)
      try child.undo(try #require(last))
      try child.save()
      try parent.save()
      #expect(try tags(in: context(.primary))[0].value("label", as: String.self) == "a")
      resume()
    }

    @Test func `what is prefetched is not older than what the primary server has answered`() throws
    {
      let writing = context(.primary)
      let shelf = try writing.insert(entityNamed: "Shelf")
      try shelf.setValue("top", for: "label")
      try writing.save()
      #expect(try count(.replicaAfterOwnSaves) == 0)
      pause()
      let book = try writing.insert(entityNamed: "Book")
      try book.setValue("late", for: "title")
      try book.setValue(1 as Int32, for: "pages")
      try book.setObjects([shelf], for: "shelf")
      try writing.save()
      for place in [ReadPlace.replicaAfterOwnSaves, .primary] {
        let reading = context(place)
        var request = FetchRequest<ManagedObject>(entityNamed: "Shelf")
        request.prefetching = .named("books")
        let found = try #require(try reading.fetch(request).first)
        let fetches = reading.statistics.fetches
        #expect(try found.objects("books").count == 1)
        #expect(reading.statistics.fetches == fetches)
      }
      resume()
    }

    @Test func `a replica that is a primary server of its own by now is left alone`() throws {
      try insert("a", in: context(.primary))
      #expect(try count(.replicaAfterOwnSaves) == 1)
      #expect(replica.promote())
      try insert("b", in: context(.primary))
      #expect(try count(.replicaAfterOwnSaves) == 2)
    }

    @Test func `of several hosts, that which can be written to is the store's`() throws {
      let hosts = "host=\(replica.folder),\(primary.folder) port=5432,5432"
      let place = PostgresLocation("\(hosts) user=oxbow dbname=postgres", schema: "load")
      let model = try CompiledModel(libraryModel())
      let written = try PersistentStoreCoordinator(model, at: place)
      try insert("a", in: ManagedObjectContext(coordinator: written))
      let read = try PersistentStoreCoordinator(
        model, at: place, options: PostgresStoreOptions(isReadOnly: true))
      let error = errorOf { try insert("b", in: ManagedObjectContext(coordinator: read)) }
      #expect(error?.code == .storeReadOnly)
    }

    @Test func `a server that takes over gives no key again`() throws {
      let giving = context(.primary)
      let known = try giving.insert(entityNamed: "Tag")
      try known.setValue("a", for: "label")
      try giving.save()
      #expect(known.objectID.key < 1 << 32)
      #expect(try count(.replicaAfterOwnSaves) == 1)
      #expect(replica.promote())
      for round in 1...2 {
        let heir = try Self.open(replica, replica: nil)
        let taking = ManagedObjectContext(coordinator: heir)
        let new = try taking.insert(entityNamed: "Tag")
        try new.setValue("b", for: "label")
        try taking.save()
        #expect(new.objectID.key >> 32 == 1, "round \(round)")
      }
    }

    @Test func `another store is no replica, and a store without one has one place to read`() throws
    {
      let other = try #require(TestServer.shared)
      try Self.open(other, replica: nil).close()
      let wrong = try Self.open(primary, replica: other.connection)
      let context = ManagedObjectContext(coordinator: wrong)
      context.readPlace = .replica
      let error = errorOf { _ = try tags(in: context) }
      #expect(error?.code == .notAStore)
      #expect(error?.message.contains("is not a replica of the store") == true)
      let alone = ManagedObjectContext(coordinator: try Self.open(primary, replica: nil))
      alone.readPlace = .replicaAfterOwnSaves
      #expect(alone.readPlace == .primary)
      #expect(!alone.isPinned)
      let child = ManagedObjectContext(parent: self.context(.replica))
      #expect(child.readPlace == .replica)
      #expect(!child.isPinned)
    }
  }
#endif
