import Foundation
import Oxbow
import Testing

// M1: numbers that come from outside are refused, and stop nothing.

/// An actor with a context, which streams objects.
private actor Reader {
  private let context: ManagedObjectContext
  init(_ store: PersistentContainer) { context = store.makeContext("reader") }
  func read(_ size: Int) async throws {
    for try await _ in context.stream(FetchRequest<Tome>(), pageSize: size) {}
  }
}

@Suite struct RequestNumberTests {
  private let store: PersistentContainer

  init() throws { store = try PersistentContainer(.temporary, types: tomeTypes) }

  /// The code of what a body throws.
  private func code(_ body: @Sendable (ManagedObjectContext) throws -> Void) throws -> String? {
    try store.perform { context in
      do { try body(context) } catch { return (error as? PersistenceError)?.code.rawValue }
      return nil
    }
  }

  @Test(arguments: [0, -1, .min])
  func `M1 a stream with pages of no size throws at its first page`(size: Int) async throws {
    var error = await #expect(throws: PersistenceError.self) {
      for try await _ in store.stream(FetchRequest<Tome>(), pageSize: size, row: { _ in 0 }) {}
    }
    #expect(error?.code == .invalidPredicate)
    error = await #expect(throws: PersistenceError.self) {
      try await Reader(store).read(size)
    }
    #expect(error?.code == .invalidPredicate)
  }

  @Test func `M1 a stream with pages of any size ends`() async throws {
    try await store.perform { context in
      for number in 0..<3 { try context.insert(Tome.self).pages = number }
      try context.save()
    }
    for size in [1, 2, 3, 4, .max] {
      var pages: [Int] = []
      for try await page in store.stream(
        FetchRequest<Tome>(sortedBy: [.ascending(\.pages)]), pageSize: size, row: { $0.pages })
      { pages.append(page) }
      #expect(pages == [0, 1, 2])
    }
  }

  @Test(arguments: [true, false])
  func `M1 rows of values are counted from 0 on`(unsaved: Bool) throws {
    func rows(
      _ limit: Int?, _ offset: Int, _ columns: [FetchColumn] = ["title"]
    ) throws -> String? {
      try code { context in
        if unsaved { try context.insert(Tome.self).title = "Eden" }
        _ = try context.fetchRows(RowRequest("Tome", columns, limit: limit, offset: offset))
      }
    }
    for number in [-1, .min] {
      #expect(try rows(number, 0) == "invalidPredicate")
      #expect(try rows(1, number) == "invalidPredicate")
    }
    for number in [0, 1, .max] {
      #expect(try rows(number, 0) == nil)
      #expect(try rows(.max, number) == nil)
      #expect(try rows(nil, number, []) == nil)
    }
    #expect(
      try code { context in
        _ = try context.fetchRows(RowRequest("Tome", [], groupedBy: ["title"]))
      } == "invalidPredicate")
    #expect(
      try code { context in
        _ = try context.aggregate(Tome.self, limit: -1) { $0.count() }
      } == "invalidPredicate")
  }

  @Test(arguments: [0, -1, .min])
  func `M1 units of work of no size are refused`(unit: Int) throws {
    #expect(
      try code { try $0.importJSON(parts: [Data("[]".utf8)], as: "Tome", unitOfWork: unit) }
        == "invalidPredicate")
    #expect(
      try code { try $0.writeJSON(of: FetchRequest<Tome>(), unitOfWork: unit) { _ in } }
        == "invalidPredicate")
  }

  @Test func `M1 units of work of any size end`() throws {
    let text = Data(#"[{"title": "Eden"}, {"title": "Fiasco"}]"#.utf8)
    for unit in [1, 2, 3, .max] {
      let count = try store.perform { context in
        try context.importJSON(parts: [text], as: "Tome", matching: [], unitOfWork: unit)
      }
      #expect(count == 2)
    }
    for unit in [1, 7, 8, .max] {
      let count = try store.perform { context in
        try context.writeJSON(of: FetchRequest<Tome>(), unitOfWork: unit) { _ in }
      }
      #expect(count == 8)
    }
  }
}
