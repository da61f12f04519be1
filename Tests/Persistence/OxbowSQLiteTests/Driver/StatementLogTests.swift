import Logging
import OxbowModel
import OxbowSQLite
import OxbowStore
import OxbowStoreContract
import OxbowTestSupport
import Testing

@Suite struct StatementLogTests {
  /// Saves a book and fetches it, and returns what was logged after the store was open.
  private func logged(
    _ level: Logger.Level, _ kind: StoreKind, showsValues: Bool = false, slow: Int? = nil
  ) throws -> [LogRecorder.Entry] {
    let recorder = LogRecorder()
    let library = try Library(
      kind,
      options: SQLiteStoreOptions(
        showsValues: showsValues, logger: recorder.logger(level), slowStatementMilliseconds: slow))
    let opened = recorder.all.count
    try library.save { changes in
      changes.inserts.append(try library.insert("Tag", 1, ["label": .string("secret")]))
    }
    _ = try library.store.rows(of: try library.fetch("Tag"))
    return Array(recorder.all[opened...])
  }

  @Test(arguments: StoreKind.allCases)
  func `every statement is logged at debug, with its store, its connection and its time`(
    _ kind: StoreKind
  ) throws {
    let entries = try logged(.debug, kind)
    let insert = try #require(entries.first { $0.message.contains(#"INTO "Tag""#) })
    #expect(insert.level == .debug)
    #expect(insert.metadata["store"]?.isEmpty == false)
    #expect(["writer", "sole"].contains(insert.metadata["connection"]))
    #expect(insert.metadata["microseconds"].flatMap { Int($0) } != nil)
    #expect(entries.contains { $0.message.contains("SELECT") && $0.message.contains(#""Tag""#) })
  }

  @Test func `values are logged only where the options allow it`() throws {
    let hidden = try logged(.debug, .file)
    #expect(!hidden.contains { $0.message.contains("secret") })
    let shown = try logged(.debug, .file, showsValues: true)
    #expect(shown.map(\.message).joined(separator: "; ").contains("'secret'"))
  }

  @Test func `a logger of a higher level gets no statements`() throws {
    #expect(try logged(.info, .file).isEmpty)
  }

  // PS-16
  @Test(arguments: StoreKind.allCases)
  func `a statement that is slow is logged as a warning, with the rows that it scanned`(
    _ kind: StoreKind
  ) throws {
    let entries = try logged(.info, kind, slow: 0)
    let select = try #require(entries.last { $0.message.contains("SELECT") })
    #expect(select.level == .warning)
    #expect(select.message.contains(#""Tag""#))
    #expect(select.metadata["microseconds"].flatMap { Int($0) } != nil)
    #expect(select.metadata["scannedRows"].flatMap { Int($0) } != nil)
  }

  @Test func `a statement below the limit is none of the slow ones`() throws {
    #expect(try logged(.info, .file, slow: 3_600_000).isEmpty)
    #expect(try logged(.error, .file, slow: 0).isEmpty)
  }
}
