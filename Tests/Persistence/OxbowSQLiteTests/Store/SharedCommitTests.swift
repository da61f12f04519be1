import Foundation
import OxbowModel
import OxbowSQLite
import OxbowStore
import OxbowStoreContract
import OxbowTestSupport
import Testing

// Decision 0136.
@Suite struct SharedCommitTests {
  /// The kinds of stores whose writer waits for a medium.
  static let kinds: [StoreKind] = [.file, .rollbackJournal]

  private let recorder = LogRecorder()

  private func library(
    _ kind: StoreKind, model: ManagedObjectModel = libraryModel(), maximumBytes: Int? = nil
  ) throws -> Library {
    try Library(
      kind,
      options: SQLiteStoreOptions(maximumBytes: maximumBytes, logger: recorder.statementLogger),
      model: model)
  }

  private func tag(_ library: Library, _ key: Int64, _ label: String = "") throws -> ChangeSet {
    var changes = ChangeSet()
    changes.inserts = [try library.insert("Tag", key, ["label": .string(label)])]
    return changes
  }

  /// The statements of transactions while `body` ran, behind that which kept the writer busy.
  private func transactions(_ body: () throws -> Void) throws -> [String] {
    let count = recorder.statements.count
    try body()
    let all = recorder.statements.dropFirst(count)
    return all.drop { $0 != "ROLLBACK" }.dropFirst().filter {
      ["BEGIN IMMEDIATE", "COMMIT", "ROLLBACK"].contains($0)
    }
  }

  @Test(arguments: kinds)
  func `saves that wait for the writer share a transaction (PS-06)`(_ kind: StoreKind) throws {
    let library = try library(kind)
    let changes = try (1...8).map { try tag(library, $0) }
    let transactions = try transactions {
      let errors = try saveTogether(changes, library.store)
      #expect(errors.compactMap(\.?.code) == [])
    }
    #expect(transactions == ["BEGIN IMMEDIATE", "COMMIT"])
    #expect(try library.keys("Tag") == Array(1...8))
  }

  @Test(arguments: kinds)
  func `a save that meets another version fails alone (PS-06)`(_ kind: StoreKind) throws {
    let library = try library(kind)
    try library.save { $0 = try tag(library, 1) }
    var changes = try [10, 11, 12, 13].map { try tag(library, $0) }
    // The second of the two finds the version that the first has written.
    for place in [1, 2] {
      changes[place].updates = [try library.update("Tag", 1, 1, ["label": .string("\(place)")])]
    }
    let errors = try saveTogether(changes, library.store)
    #expect(errors.map(\.?.code) == [nil, nil, .conflict, nil])
    #expect(try library.keys("Tag") == [1, 10, 11, 13])
    #expect(try library.only("Tag", 1)["label"]?.contains("1") == true)
  }

  @Test(arguments: kinds)
  func `a save that breaks a unique constraint fails alone (PS-06)`(_ kind: StoreKind) throws {
    let library = try library(kind, model: UniqueValueTests.model([["number"]]))
    func account(_ key: Int64, _ number: Int64) throws -> ChangeSet {
      var changes = ChangeSet()
      changes.inserts = [
        try library.insert("Account", key, ["number": .integer(number), "name": .string("n")])
      ]
      return changes
    }
    let errors = try saveTogether(
      [try account(1, 1), try account(2, 1), try account(3, 3)], library.store)
    #expect(errors.map(\.?.code) == [nil, .uniquenessViolated, nil])
    #expect(try library.keys("Account") == [1, 3])
  }

  @Test(arguments: kinds)
  func `a save that refers to a missing row fails alone (PS-06)`(_ kind: StoreKind) throws {
    let library = try library(kind)
    func book(_ key: Int64, author: Int64?) throws -> ChangeSet {
      var changes = ChangeSet()
      changes.inserts = [try library.insert("Book", key)]
      if let author {
        changes.links = [try library.link(("Book", key), "author", ("Writer", author))]
      }
      return changes
    }
    try library.save { $0.inserts = [try library.insert("Writer", 1)] }
    let errors = try saveTogether(
      [try book(1, author: nil), try book(2, author: 99), try book(3, author: 1)], library.store)
    #expect(errors.map(\.?.code) == [nil, .conflict, nil])
    #expect(errors[1]?.message.contains("missing row") == true)
    #expect(try library.keys("Book") == [1, 3])
  }

  @Test(arguments: kinds)
  func `a save that ends the transaction fails alone, and the others begin again (PS-06)`(
    _ kind: StoreKind
  ) throws {
    let library = try library(kind)
    try library.intruder().execute(
      "CREATE TRIGGER refuse BEFORE INSERT ON Tag WHEN new.label = 'bad' "
        + "BEGIN SELECT RAISE(ROLLBACK, 'no bad tags'); END")
    let labels = ["a", "bad", "b", "bad", "c"]
    let changes = try labels.enumerated().map { try tag(library, Int64($0.offset + 1), $0.element) }
    let errors = try saveTogether(changes, library.store)
    #expect(errors.map { $0 == nil } == [true, false, true, false, true])
    #expect(errors[1].map { "\($0)" }?.contains("no bad tags") == true)
    #expect(try library.keys("Tag") == [1, 3, 5])
  }

  @Test(arguments: kinds)
  func `a save that the store has no room for fails alone (PS-06)`(_ kind: StoreKind) throws {
    let library = try library(kind, maximumBytes: 1 << 20)
    let labels = ["a", String(repeating: "x", count: 2 << 20), "b"]
    let changes = try labels.enumerated().map { try tag(library, Int64($0.offset + 1), $0.element) }
    let errors = try saveTogether(changes, library.store)
    #expect(errors.map(\.?.code) == [nil, .storeFull, nil])
    #expect(try library.keys("Tag") == [1, 3])
  }

  @Test(arguments: kinds)
  func `a large save has a transaction of its own (PS-06)`(_ kind: StoreKind) throws {
    let library = try library(kind)
    var large = ChangeSet()
    large.inserts = try (100...1100).map { try library.insert("Tag", $0) }
    let small = try (1...3).map { try tag(library, $0) }
    let transactions = try transactions {
      let saves = (small + [large]).map { (library.store, $0) }
      let errors = try saveTogether(saves, waiting: 3)
      #expect(errors.compactMap(\.?.code) == [])
    }
    #expect(transactions == ["BEGIN IMMEDIATE", "COMMIT", "BEGIN IMMEDIATE", "COMMIT"])
  }

  @Test(arguments: kinds)
  func `stores of one file share commits (PS-06)`(_ kind: StoreKind) throws {
    let library = try library(kind)
    let other = try SQLiteStore(
      library.model, at: .file(library.store.path),
      options: SQLiteStoreOptions(usesWriteAheadLog: kind == .file))
    defer { other.close() }
    let transactions = try transactions {
      let errors = try saveTogether([
        (library.store, try tag(library, 1)), (other, try tag(library, 2)),
      ])
      #expect(errors.allSatisfy { $0 == nil })
    }
    #expect(transactions == ["BEGIN IMMEDIATE", "COMMIT"])
  }

  @Test(arguments: kinds)
  func `who cannot have the writer fails alone, and the next one tries (PS-06)`(
    _ kind: StoreKind
  ) throws {
    let library = try library(kind)
    let changes = try (1...3).map { (library.store, try tag(library, $0)) }
    let errors = try saveTogether(changes) {
      try FileManager.default.moveItem(
        atPath: library.store.path, toPath: library.scratch.file("moved"))
    }
    #expect(errors.map(\.?.code) == [.storeUnreachable, .storeUnreachable, .storeUnreachable])
  }
}
