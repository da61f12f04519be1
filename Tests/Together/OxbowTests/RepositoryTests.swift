import Foundation
import Oxbow
import OxbowTesting
import Testing

// OX-30: the data layer on top, as protocols whose methods a macro writes.

@Entity class Tome: ManagedObject {
  var title: String = ""
  var subtitle: String?
  var pages: Int = 0
  var year: Int?
  var published: Date = Date(timeIntervalSinceReferenceDate: 0)
  var checkedIn: Bool = false
  var shelf: Shelfmark = .fiction
  @Relationship(inverse: \.volumes) var writer: Penman?
  @Relationship(inverse: \.volumes) var marks: Set<Stamp> = []
}

enum Shelfmark: String, AttributeConvertible { case fiction, science }

@Entity final class Penman: ManagedObject {
  var name: String = ""
  @Relationship(inverse: \.writer) var volumes: Set<Tome> = []
  @Relationship(inverse: \.writers) var city: Town?
}

@Entity final class Town: ManagedObject {
  var name: String = ""
  @Relationship(inverse: \.city) var writers: Set<Penman> = []
}

@Entity final class Stamp: ManagedObject {
  var label: String = ""
  @Relationship(inverse: \.marks) var volumes: Set<Tome> = []
}

@Proxied @Repository protocol Tomes: Repository<Tome> {
  func find(titleContains: String, limit: Int) throws -> [Tome]
  func find(writer_name: String, pagesAtLeast pages: Int) throws -> [Tome]
  func find(writer_city_name: String) throws -> [Tome]
  func find(
    titleBeginsWith start: String, titleEndsWith end: String, subtitleContains part: String
  ) throws -> [Tome]
  func find(
    yearIn years: ClosedRange<Int>, sortedBy: [SortKey<Tome>], limit: Int?, offset: Int
  ) throws -> [Tome]
  func find(yearIn years: [Int], titleIsNot title: String) throws -> [ManagedObjectID]
  func find(pagesAbove low: Int, pagesBelow high: Int) throws -> [Tome]
  func find(pagesAtMost: Int) throws -> [Tome]
  func find(titleWords text: String) throws -> [Tome]
  func count(titleWords search: WordQuery, writer_name: String) throws -> Int
  @Query(sortedBy: "writer.name, title DESC")
  func find(shelf: Shelfmark) throws -> [Tome]
  func first(title: String) throws -> Tome?
  func first(subtitle: String?, sortedBy: [SortKey<Tome>]) throws -> Tome?
  func first(title: String) throws -> ManagedObjectID?
  func count(writer: Penman) throws -> Int
  func count(writer: ManagedObjectID) throws -> Int
  func count(marksContains mark: Stamp) throws -> Int
  func count() throws -> Int
  func exists(title: String) throws -> Bool
  func delete(publishedBefore date: Date) throws -> Int
  func delete(title: String) throws
  func stream(pagesAtLeast: Int, sortedBy: [SortKey<Tome>], batchSize: Int) throws
    -> FetchedObjects<Tome>
  func page(_ page: PageRequest, pagesAtLeast: Int, sortedBy: [SortKey<Tome>]) throws
    -> Page<Tome>
  func slice(
    pagesAtLeast: Int, sortedBy: [SortKey<Tome>], after token: PageToken?, limit: Int
  ) throws -> FetchedSlice<Tome>
  @Query("pages < $pages", sortedBy: "year DESC, title")
  func below(_ pages: Int, after token: PageToken?, limit: Int) throws -> FetchedSlice<Tome>
  @Query("writer.name IN $names AND pages > $pages", sortedBy: "title")
  func written(by names: [String], longerThan pages: Int) throws -> [Tome]
  @Query("SUBQUERY(marks, $m, $m.label == $label).@count > 0")
  func count(label: String) throws -> Int
  @Query("checkedIn == $checkedIn")
  func deleteAll(checkedIn: Bool) throws -> Int
  @Query("title LIKE[c] $pattern") func any(like pattern: String) throws -> Tome?
  @Query("{title, subtitle} WORDS $text", sortedBy: "title")
  func about(_ text: String) throws -> [Tome]
  @Written func titles() throws -> [String]
}
extension TomesProxy: TomesForwarding {}

struct StoredTomes: Tomes, Stored {
  let context: any ObjectContext & Sendable

  func titles() throws -> [String] { try find().map(\.title).sorted() }
}

/// What is beside the stored ones in tests of a user's.
final class NoTomes: Tomes, Stored, Sendable {
  let context: any ObjectContext & Sendable

  init(context: any ObjectContext & Sendable) { self.context = context }

  func titles() throws -> [String] { [] }
  func find(titleContains: String, limit: Int) throws -> [Tome] { [] }
}

/// A repository whose objects are files' to define.
@Component final class FiledTomes: Tomes, Stored, Sendable {
  let context: any ObjectContext & Sendable

  init(context: any ObjectContext & Sendable) { self.context = context }

  func titles() throws -> [String] { [] }
}

struct StoredAuthors: Repository, Stored {
  typealias Entity = Author
  let context: any ObjectContext & Sendable
}

let tomeTypes: [any ModelObject.Type] = [
  Tome.self, Penman.self, Town.self, Stamp.self,
]

@Suite(.objectContext { try PersistentContainer(.temporary, types: tomeTypes) })
struct RepositoryTests {
  private let context: any ObjectContext & Sendable
  private let volumes: any Tomes

  init() throws {
    context = try ObjectContextTrait.contexts
    volumes = StoredTomes(context: context)
    let krakow = try context.insert(Town.self) { $0.name = "Kraków" }
    let lem = try context.insert(Penman.self) { ($0.name, $0.city) = ("Lem", krakow) }
    let kafka = try context.insert(Penman.self) { $0.name = "Kafka" }
    let classic = try context.insert(Stamp.self) { $0.label = "classic" }
    for (title, pages, year, writer) in [
      ("Solaris", 204, 1961, lem), ("Fiasco", 322, 1986, lem), ("The Trial", 255, 1925, kafka),
      ("The Castle", 352, nil, kafka),
    ] as [(String, Int, Int?, Penman)] {
      try context.insert(Tome.self) {
        ($0.title, $0.pages, $0.year, $0.writer) = (title, pages, year, writer)
        $0.published = Date(timeIntervalSinceReferenceDate: Double(year ?? 1926))
        $0.shelf = writer === lem ? .science : .fiction
        $0.checkedIn = pages > 300
        if year == nil { $0.subtitle = "a novel" }
        if writer === kafka { $0.marks = [classic] }
      }
    }
    try context.save()
  }

  private func titles(_ volumes: [Tome]) -> [String] { volumes.map(\.title).sorted() }

  @Test func `OX-30 labels are conditions on properties, all of which hold`() throws {
    #expect(
      try titles(volumes.find(titleContains: "The", limit: 9)) == ["The Castle", "The Trial"])
    #expect(try volumes.find(titleContains: "The", limit: 1).count == 1)
    #expect(try titles(volumes.find(writer_name: "Lem", pagesAtLeast: 300)) == ["Fiasco"])
    #expect(try titles(volumes.find(writer_city_name: "Kraków")) == ["Fiasco", "Solaris"])
    #expect(
      try titles(
        volumes.find(titleBeginsWith: "The", titleEndsWith: "le", subtitleContains: "nov"))
        == ["The Castle"])
    #expect(try titles(volumes.find(pagesAbove: 204, pagesBelow: 322)) == ["The Trial"])
    #expect(try titles(volumes.find(pagesAtMost: 204)) == ["Solaris"])
  }

  @Test func `PS-15 OX-30 a label that ends with Words is a search for words`() throws {
    #expect(try titles(volumes.find(titleWords: "the NOT cast*")) == ["The Trial"])
    #expect(try volumes.find(titleWords: "").isEmpty)
    #expect(try volumes.count(titleWords: WordQuery("castle OR fiasco"), writer_name: "Lem") == 1)
    #expect(try volumes.about("castle novel").map(\.title) == ["The Castle"])
    let byLabel = #expect(throws: PersistenceError.self) {
      try volumes.find(titleWords: "castle OR")
    }
    let byText = #expect(throws: PersistenceError.self) { try volumes.about("castle OR") }
    #expect(byLabel?.code == .invalidPredicate && byText?.code == .invalidPredicate)
  }

  @Test func `OX-30 limits and orders are options`() throws {
    let found = try volumes.find(
      yearIn: 1900...1990, sortedBy: [.descending(\.year)], limit: 1, offset: 1)
    #expect(titles(found) == ["Solaris"])
    #expect(try volumes.find(shelf: .fiction).map(\.title) == ["The Trial", "The Castle"])
    #expect(throws: PersistenceError.self) {
      try volumes.find(yearIn: 1...2, sortedBy: [], limit: -1, offset: 0)
    }
  }

  @Test func `OX-30 the result says what is returned`() throws {
    let solaris: Tome = try #require(try volumes.first(title: "Solaris"))
    let id: ManagedObjectID? = try volumes.first(title: "Solaris")
    #expect(id == solaris.objectID)
    #expect(try volumes.find(yearIn: [1961, 1986], titleIsNot: "Fiasco") == [solaris.objectID])
    #expect(try volumes.first(title: "Eden") as Tome? == nil)
    let untitled = try volumes.first(subtitle: nil, sortedBy: [.ascending(\.title)])
    #expect(untitled?.title == "Fiasco")
    #expect(try volumes.exists(title: "Fiasco"))
    #expect(try !volumes.exists(title: "Eden"))
    #expect(try volumes.count() == 4)
  }

  @Test func `OX-30 objects, their IDs and members are values of conditions`() throws {
    let lem = try #require(try volumes.find(writer_name: "Lem", pagesAtLeast: 0).first?.writer)
    #expect(try volumes.count(writer: lem) == 2)
    #expect(try volumes.count(writer: lem.objectID) == 2)
    let mark = try #require(try context.fetch(Stamp.self).first)
    #expect(try volumes.count(marksContains: mark) == 2)
  }

  @Test func `OX-30 delete marks for deletion, and save writes`() throws {
    let date = Date(timeIntervalSinceReferenceDate: 1950)
    #expect(try volumes.delete(publishedBefore: date) == 2)
    #expect(try volumes.count() == 2)
    try volumes.rollback()
    #expect(try volumes.count() == 4)
    try volumes.delete(title: "Fiasco")
    try volumes.save()
    #expect(try volumes.count() == 3)
  }

  @Test(.noUnplannedReads) func `OX-30 what comes with every repository can read ahead`() throws {
    try context.reset()
    let paths: PrefetchPaths<Tome> = [\.writer?.city, \.marks]
    let read = { (tome: Tome) in
      "\(tome.title) \(tome.writer?.city?.name ?? "-") \(tome.marks.count)"
    }
    let order: [SortKey<Tome>] = [.ascending(\.title)]
    let first = try volumes.find(sortedBy: order, limit: 1, prefetching: paths)
    #expect(first.map(read) == ["Fiasco Kraków 0"])
    try context.reset()
    let page = try volumes.page(PageRequest(1, size: 2), sortedBy: order, prefetching: paths)
    #expect(page.items.map(read) == ["The Castle - 1", "The Trial - 1"])
    try context.reset()
    #expect(try volumes.stream(sortedBy: order, prefetching: paths).map(read).count == 4)
  }

  @Test func `OX-30 slice returns a part and the tokens of its neighbours`() throws {
    let keys: [SortKey<Tome>] = [.descending(\.pages)]
    let first = try volumes.slice(pagesAtLeast: 0, sortedBy: keys, after: nil, limit: 3)
    let second = try volumes.slice(pagesAtLeast: 0, sortedBy: keys, after: first.next, limit: 3)
    #expect((first.items.count, second.items.count) == (3, 1))
    #expect(
      first.items.map(\.pages) + second.items.map(\.pages)
        == (try volumes.find()).map(\.pages).sorted(by: >))
    let back = try volumes.slice(
      pagesAtLeast: 0, sortedBy: keys, after: second.previous, limit: 3)
    #expect(back.items == first.items)
    let refused = code {
      try volumes.slice(pagesAtLeast: 1, sortedBy: keys, after: first.next, limit: 3)
    }
    #expect(refused == "pageTokenForeign")
    var (found, token) = (0, nil as PageToken?)
    repeat {
      let slice = try volumes.below(10_000, after: token, limit: 1)
      (found, token) = (found + slice.items.count, slice.next)
    } while token != nil
    #expect(found == 4)
    #expect(try volumes.slice(limit: 2).items.count == 2)
  }

  @Test func `OX-30 insert, page and stream come with every repository`() throws {
    try volumes.insert { ($0.title, $0.pages) = ("Eden", 300) }
    #expect(throws: CancellationError.self) {
      try volumes.insert { _ in throw CancellationError() }
    }
    #expect(try volumes.count() == 5)
    let first = try volumes.page(
      PageRequest(size: 2), pagesAtLeast: 250, sortedBy: [.ascending(\.title)])
    #expect(first.items.map(\.title) == ["Eden", "Fiasco"])
    #expect((first.totalCount, first.pageCount) == (4, 2))
    let second = try volumes.page(
      try #require(first.next), pagesAtLeast: 250, sortedBy: [.ascending(\.title)])
    #expect(second.items.map(\.title) == ["The Castle", "The Trial"])
    #expect(second.next == nil)
    #expect(try volumes.page(PageRequest(1, size: 4)).items.count == 1)
    let huge = try volumes.page(PageRequest(0, size: .max))
    #expect(huge.pageCount == 1 && huge.next == nil)
    #expect(try volumes.page(PageRequest(.max, size: 2)).items.isEmpty)
    for page in [PageRequest(size: 0), PageRequest(-1, size: 2), PageRequest(size: .min)] {
      let refused = [
        code { try volumes.page(page) },
        code { try volumes.page(page, pagesAtLeast: 250, sortedBy: []) },
      ]
      #expect(refused == ["invalidPredicate", "invalidPredicate"])
      #expect(Page<Tome>(items: [], request: page, totalCount: 3).next == nil)
    }
    let numbers = [
      code { try volumes.find(limit: -1) }, code { try volumes.find(offset: -1) },
      code { try volumes.stream(batchSize: 0) }, code { try volumes.find(FetchRequest(limit: -1)) },
      code { try volumes.count(FetchRequest(offset: -1)) },
    ]
    #expect(numbers == Array(repeating: "invalidPredicate", count: 5))
    let stream = try volumes.stream(
      pagesAtLeast: 0, sortedBy: [.ascending(\.pages)], batchSize: 2)
    #expect(stream.map(\.pages) == [204, 255, 300, 322, 352])
    #expect(try volumes.stream(sortedBy: [.ascending(\.title)]).first?.title == "Eden")
    let id = try #require(try volumes.first(title: "Eden") as ManagedObjectID?)
    #expect(try volumes.object(with: id).title == "Eden")
  }

  @Test func `OX-30 an insert that fails deletes nothing that was linked`() throws {
    let store = try PersistentContainer(.temporary, types: [Author.self, Book.self, Tag.self])
    try onThread {
      let authors = StoredAuthors(context: store.contexts)
      let book = try store.contexts.insert(Book.self) { $0.title = "Kindred" }
      try authors.save()
      #expect(throws: CancellationError.self) {
        try authors.insert {
          $0.books = [book]
          throw CancellationError()
        }
      }
      try authors.save()
      #expect(try store.contexts.count(Book.self) == 1)
      #expect(try authors.count() == 0)
    }
    store.close()
  }

  @Test func `OX-30 texts say what labels cannot`() throws {
    #expect(
      try volumes.written(by: ["Kafka", "Borges"], longerThan: 200).map(\.title)
        == ["The Castle", "The Trial"])
    #expect(try volumes.count(label: "classic") == 2)
    #expect(try volumes.any(like: "sol*")?.title == "Solaris")
    #expect(try volumes.deleteAll(checkedIn: true) == 2)
    #expect(try volumes.count() == 2)
  }

  @Test func `OX-30 a method of the type goes before a written one`() throws {
    let none: any Tomes = NoTomes(context: context)
    #expect(try none.find(titleContains: "The", limit: 9).isEmpty)
    #expect(try none.count() == 4)
    #expect(try volumes.titles() == ["Fiasco", "Solaris", "The Castle", "The Trial"])
  }

  @Test func `OX-30 a proxy forwards to a repository, base methods included`() throws {
    let recorder = CallRecorder()
    let context = context
    let proxy: any Tomes = TomesProxy.recording(into: recorder) {
      StoredTomes(context: context)
    }
    #expect(try proxy.count() == 4)
    #expect(try proxy.find(titleContains: "The", limit: 1).count == 1)
    try proxy.save()
    #expect(
      recorder.calls.map(\.description)
        == ["count()", "find(titleContains: The, limit: 1)", "save()"])
  }
}

@Suite struct RepositoryWiringTests {
  private func builder() -> (ContainerBuilder, Ref<any ObjectContext & Sendable>) {
    let builder = ContainerBuilder()
    return (builder, builder.persistentStore(at: .temporary, types: tomeTypes))
  }

  @Test func `OX-30 each thread has its own context behind one repository`() throws {
    let (builder, context) = builder()
    let ref = builder.singleton(named: "volumes", { StoredTomes(context: $0) }, context)
    let container = try builder.build()
    let volumes = try container.object(ref)
    let counts = try (0..<4).map { number in
      try onThread {
        try volumes.insert { $0.title = "volume \(number)" }
        let mine = try volumes.count()
        try volumes.save()
        return mine
      }
    }
    #expect(counts == [1, 2, 3, 4])
    #expect(try onThread { try volumes.count() } == 4)
    try container.shutDown()
  }

  @Test func `OX-30 a file defines a repository by its class`() throws {
    let (builder, _) = builder()
    try builder.load(
      text: """
        <container><object id="volumes" class="FiledTomes">
          <property name="context" ref="context"/>
        </object></container>
        """)
    let container = try builder.build()
    let volumes = try container.object("volumes", as: FiledTomes.self)
    #expect(try onThread { try volumes.count() } == 0)
    try container.shutDown()
  }
}

/// The code of what a body throws.
private func code<R>(_ body: () throws -> R) -> String? {
  do { _ = try body() } catch { return (error as? PersistenceError)?.code.rawValue }
  return nil
}
