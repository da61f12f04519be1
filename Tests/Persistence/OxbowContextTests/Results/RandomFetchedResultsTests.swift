import OxbowContext
import OxbowModel
import OxbowStore
import OxbowTestSupport
import Testing

// PS-09: whatever happened, results are what their context would fetch, and the change leads there.

@Suite struct RandomFetchedResultsTests {
  @Test(arguments: 0..<40)
  func `results agree with a fetch, and their changes with what was shown`(seed: Int) throws {
    var game = try ResultsGame(seed: UInt64(seed))
    for step in 0..<200 {
      try game.play()
      guard game.differences.isEmpty else {
        Issue.record("seed \(seed), step \(step): \(game.differences)\n\(game.log.suffix(12))")
        return
      }
    }
    #expect(game.moves > 0 && game.updates > 20, "seed \(seed)")
  }
}

/// The names of sections by pages, which change: sections then swap their places.
private final class SectionNames {
  var names = Array("abcdefgh").map(String.init)
}

/// Results, and what was last shown of them.
private struct Shown {
  let name: String
  let results: FetchedResults<Book>
  var rows: [Row]
  var sections: [[ManagedObjectID]]

  struct Row: Hashable {
    let id: ManagedObjectID
    let title: String
    let pages: Int32
  }

  init(_ name: String, _ results: FetchedResults<Book>) {
    self.name = name
    self.results = results
    rows = Self.rows(of: results)
    sections = Self.sections(of: results)
  }

  static func sections(of results: FetchedResults<Book>) -> [[ManagedObjectID]] {
    results.sections.map { $0.indices.map { results.objects[$0].objectID } }
  }

  static func rows(of results: FetchedResults<Book>) -> [Row] {
    results.objects.map { Row(id: $0.objectID, title: $0.title, pages: $0.pages) }
  }
}

private struct ResultsGame {
  private var random: SeededRandom
  private let library: Library
  private let contexts: [ManagedObjectContext]
  private var shown: [Shown] = []
  private let sectionNames = SectionNames()
  /// Whether the sections have other names since they were shown: names are made of values, so only
  /// a fetch looks at all of them.
  private var hasOtherNames = false
  private(set) var differences: [String] = []
  private(set) var log: [String] = []
  private(set) var moves = 0
  private(set) var updates = 0

  init(seed: UInt64) throws {
    random = SeededRandom(seed: seed)
    library = try Library()
    contexts = [library.context("mine"), library.context("theirs")]
    for context in contexts { context.mergePolicy = .mergeByPropertyObjectTrump }
    contexts[0].automaticallyMergesChangesFromParent = random.chance(50)
    for name in ["A", "B"] { _ = try contexts[1].insert(Author.self) { $0.name = name } }
    try contexts[1].save()
    let atLeast3 = FetchPredicate.comparison(
      .path(["pages"]), .greaterOrEqual, .value(.attribute(.integer(3))))
    let ofA = FetchPredicate.comparison(
      .path(["author", "name"]), .equal, .value(.attribute(.string("A"))))
    let order = [SortKey<Book>("pages", ascending: false), SortKey<Book>("title")]
    var novels = FetchRequest<Book>(entityNamed: "Book", sortedBy: order)
    novels.includesSubentities = false
    shown = [
      Shown(
        "sections",
        try FetchedResults(
          FetchRequest<Book>(where: atLeast3, sortedBy: order), in: contexts[0],
          sectionName: { [sectionNames] in sectionNames.names[Int($0.pages)] })),
      Shown("keys", try FetchedResults(FetchRequest<Book>(where: atLeast3), in: contexts[0])),
      Shown("no novels", try FetchedResults(novels, in: contexts[0])),
      Shown(
        "author",
        try FetchedResults(FetchRequest<Book>(where: ofA, sortedBy: order), in: contexts[0])),
      Shown(
        "first",
        try FetchedResults(
          FetchRequest<Book>(sortedBy: order, limit: 3, offset: 1), in: contexts[0])),
    ]
  }

  mutating func play() throws {
    if random.chance(20) {
      sectionNames.names.shuffle(using: &random)
      hasOtherNames = true
    }
    for _ in 0..<Int.random(in: 1...4, using: &random) { try change(random.chance(50) ? 0 : 1) }
    for index in shown.indices where random.chance(60) { try check(index) }
  }

  private mutating func change(_ side: Int) throws {
    let context = contexts[side]
    let books = try context.fetch(FetchRequest<Book>(sortedBy: [SortKey("title")]))
    let authors = try context.fetch(FetchRequest<Author>())
    let book = books.randomElement(using: &random)
    switch Int.random(in: 0..<12, using: &random) {
    case 0, 1:
      let made: Book = random.chance(30) ? try context.insert(Novel.self) : try context.insert()
      made.title = "t\(Int.random(in: 0..<9, using: &random))"
      made.pages = Int32.random(in: 0..<8, using: &random)
      log.append("\(side) insert \(made)")
    case 2, 3:
      book?.pages = Int32.random(in: 0..<8, using: &random)
      log.append("\(side) pages of \(book.map { "\($0)" } ?? "none")")
    case 4:
      book?.title = "t\(Int.random(in: 0..<9, using: &random))"
      log.append("\(side) title of \(book.map { "\($0)" } ?? "none")")
    case 5:
      book?.author = random.chance(30) ? nil : authors.randomElement(using: &random)
      log.append("\(side) author of \(book.map { "\($0)" } ?? "none")")
    case 6:
      guard let book, books.count > 3 || random.chance(20) else { return }
      log.append("\(side) delete \(book)")
      try context.delete(book)
    case 7:
      authors.randomElement(using: &random)?.name = random.chance(50) ? "A" : "B"
      log.append("\(side) name")
    case 8:
      log.append("\(side) rollback")
      try context.rollback()
    case 9:
      guard let book, !book.hasChanges else { return }
      log.append("\(side) refresh \(book)")
      try context.refresh(book)
    default:
      log.append("\(side) save")
      do { try context.save() } catch {
        log.append("\(side) refused")
        try context.rollback()
      }
    }
  }

  private mutating func check(_ index: Int) throws {
    let (results, old) = (shown[index].results, shown[index].rows)
    let isRenamed = index == 0 && hasOtherNames
    let change = try isRenamed ? results.refetch() : results.update()
    if index == 0 { hasOtherNames = false }
    let new = Shown.rows(of: results)
    var expected = try contexts[0].fetch(results.request)
    if results.request.sortKeys.isEmpty { expected.sort { $0.objectID.key < $1.objectID.key } }
    if results.objects != expected {
      differences.append("\(shown[index].name): \(results.objects), a fetch \(expected)")
    }
    if applied(change, to: old.map(\.id)) != new.map(\.id) {
      differences.append("\(shown[index].name): \(change) leads elsewhere")
    }
    let sections = Shown.sections(of: results)
    if applied(change, to: shown[index].sections) != sections {
      differences.append("\(shown[index].name): \(change) leads to other sections")
    }
    shown[index].sections = sections
    let drawn = Set((change.updates + change.insertions).map(\.objectID))
    for row in Set(new).subtracting(old) where !drawn.contains(row.id) {
      differences.append("\(shown[index].name): \(row) is not drawn again")
    }
    let names = results.sections.flatMap { section in section.indices.map { _ in section.name } }
    if shown[index].name == "sections", names != new.map({ sectionNames.names[Int($0.pages)] }) {
      differences.append("sections \(names) of \(new)")
    }
    if !isRenamed, let moved = change.moves.first(where: { !drawn.contains($0.objectID) }) {
      differences.append("\(shown[index].name): \(moved) was not touched")
    }
    moves += change.moves.count
    updates += change.updates.count
    shown[index].rows = new
  }

  /// What the sections of a list become as the documentation of a change says.
  private func applied(
    _ change: FetchedResultsChange, to old: [[ManagedObjectID]]
  ) -> [[ManagedObjectID]] {
    var list = old
    let gone = change.deletions.map(\.position) + change.moves.map(\.from)
    for position in gone.sorted(by: { $0.index > $1.index }) {
      list[position.section].remove(at: position.item)
    }
    for section in change.deletedSections.reversed() {
      guard list.remove(at: section).isEmpty else { return [] }
    }
    for section in change.insertedSections { list.insert([], at: section) }
    let come =
      change.insertions.map { ($0.position, $0.objectID) }
      + change.moves.map { ($0.to, $0.objectID) }
    for (position, id) in come.sorted(by: { $0.0.index < $1.0.index }) {
      guard position.section < list.count, position.item <= list[position.section].count else {
        return []
      }
      list[position.section].insert(id, at: position.item)
    }
    return list
  }

  /// What a list becomes as the documentation of a change says.
  private func applied(
    _ change: FetchedResultsChange, to old: [ManagedObjectID]
  ) -> [ManagedObjectID] {
    var list = old
    let gone = change.deletions.map(\.position.index) + change.moves.map(\.from.index)
    for index in gone.sorted(by: >) { list.remove(at: index) }
    let come =
      change.insertions.map { ($0.position.index, $0.objectID) }
      + change.moves.map { ($0.to.index, $0.objectID) }
    for (index, id) in come.sorted(by: { $0.0 < $1.0 }) {
      guard index <= list.count else { return [] }
      list.insert(id, at: index)
    }
    return list
  }
}
