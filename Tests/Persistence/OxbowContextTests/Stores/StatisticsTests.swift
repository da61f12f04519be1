import OxbowContext
import OxbowModel
import OxbowSQLite
import OxbowStore
import OxbowTestSupport
import Testing

/// What stores and contexts count.
@Suite struct StatisticsTests {
  private let folder: TemporaryFolder
  private let coordinator: PersistentStoreCoordinator

  init() throws {
    folder = try TemporaryFolder()
    let types: [any ModelObject.Type] = [Author.self, Book.self, Novel.self, Tag.self]
    coordinator = try PersistentStoreCoordinator(
      CompiledModel(ManagedObjectModel(types: types), classes: types),
      at: .file(folder.file("store.sqlite")))
  }

  private func context() -> ManagedObjectContext { ManagedObjectContext(coordinator: coordinator) }

  private func counted(_ body: () throws -> Void) rethrows -> StoreStatistics {
    let before = coordinator.statistics
    try body()
    return coordinator.statistics.since(before)
  }

  /// Saves tags called "0", "1", ….
  private func fill(_ count: Int) throws {
    let context = context()
    for number in 0..<count { _ = try context.insert(Tag.self) { $0.name = "\(number)" } }
    try context.save()
  }

  @Test func `a save is one save, one commit, and a statement for each row (PS-16)`() throws {
    try fill(1)  // the keys of the next ones are reserved
    let save = try counted { try fill(3) }
    #expect(save.saves == 1 && save.commits == 1)
    // BEGIN, the schema's version, three inserts, the counter of saves, COMMIT.
    #expect(save.statements == 7)
    #expect(try counted { try context().save() } == unchanged())
  }

  /// Statistics of nothing done, with the sizes of now.
  private func unchanged() -> StoreStatistics {
    coordinator.statistics.since(coordinator.statistics)
  }

  @Test func `a fetch counts its rows, in the store and in the context (PS-16)`() throws {
    try fill(5)
    _ = try context().fetchIDs(Tag.self)  // opens the reader
    let context = context()
    let fetch = try counted { _ = try context.fetch(Tag.self) }
    #expect(fetch.statements == 1)
    #expect(fetch.rowsRead == 5)
    #expect(context.statistics.rowsRead == 5 && context.statistics.fetches == 1)
    let ids = try counted { _ = try context.fetchIDs(Tag.self) }
    #expect(ids.rowsRead == 5 && context.statistics.rowsRead == 5)
    let count = try counted { _ = try context.count(Tag.self) }
    #expect(count.rowsRead == 1)
  }

  @Test func `rows to which no index leads are scanned (PS-16)`() throws {
    try fill(20)
    let key = try #require(try context().fetchIDs(Tag.self).first)
    let byKey = try counted { _ = try context().existingObject(with: key, as: Tag.self) }
    #expect(byKey.rowsScanned == 0 && byKey.rowsRead == 1)
    let byName = try counted { _ = try context().fetch(Tag.self, where: .equal("name", "7")) }
    #expect(byName.rowsScanned >= 19 && byName.rowsRead == 1)
  }

  @Test func `what a logger counts is counted all the same (PS-16)`() throws {
    let coordinator = try Library(recorder: LogRecorder()).coordinator
    let context = ManagedObjectContext(coordinator: coordinator)
    for number in 0..<20 { _ = try context.insert(Tag.self) { $0.name = "\(number)" } }
    try context.save()
    let before = coordinator.statistics
    _ = try context.fetch(Tag.self, where: .equal("name", "7"))
    #expect(coordinator.statistics.since(before).rowsScanned >= 19)
  }

  @Test func `the sizes are those of the files (PS-16)`() throws {
    try fill(100)
    let sizes = coordinator.statistics
    #expect(sizes.databaseBytes > 0 && sizes.logBytes > 0)
    #expect(sizes.databaseBytes % 4096 == 0)
  }
}
