import Foundation
import Oxbow
import OxbowTesting
import Testing

// The code of docs/guide/search.md.

/// The entities of the guide.
@Entity final class Note: ManagedObject {
  var title: String
  var body: String
  var year: Int = 2026
  @Relationship(inverse: \.notes) var author: NoteAuthor?
  @Relationship(inverse: \.note) var comments: Set<NoteComment> = []
}

@Entity final class NoteAuthor: ManagedObject {
  var name: String
  @Relationship(inverse: \.author) var notes: Set<Note> = []
}

@Entity final class NoteComment: ManagedObject {
  var text: String
  @Relationship(inverse: \.comments) var note: Note?
}

@Entity(indexes: [FetchIndexDescription("byTime", rTree: "begin", "end")])
final class Booking: ManagedObject {
  var begin: Date
  var end: Date
  var room: String = ""
}

@Entity(indexes: [.init("byPlace", elements: [.init("latitude"), .init("longitude")])])
final class Harbour: ManagedObject {
  var name: String
  var latitude: Double
  var longitude: Double
}

@Repository protocol Notes: Repository<Note> {
  func find(bodyWords text: String) throws -> [Note]
  @Query("{title, body} WORDS $text", sortedBy: "title")
  func about(_ text: String) throws -> [Note]
  @Query("{title, body} WORDS $text", sortedBy: "rank()")
  func best(_ text: String) throws -> [Note]
}

private struct StoredNotes: Notes, Stored {
  let context: any ObjectContext & Sendable
}

@Suite(
  .objectContext {
    try PersistentContainer(.temporary, types: [Note.self, NoteAuthor.self, NoteComment.self])
  })
struct SearchGuideTests {
  private let context: any ObjectContext & Sendable

  init() throws {
    context = try ObjectContextTrait.contexts
    let kafka = try context.insert(NoteAuthor.self) { $0.name = "Kafka" }
    for (title, body) in [
      ("Gates", "The gate is rusty."), ("Metals", "Rust is iron oxide."),
      ("Court", "On \"The Trial\", by e-mail"),
    ] {
      try context.insert(Note.self) { ($0.title, $0.body, $0.author) = (title, body, kafka) }
    }
    try context.save()
  }

  @Test func `PS-15 searches of the guide find what they say`() throws {
    let notes = try context.fetch(Note.self, where: .words("body", "rust* NOT iron"))
    #expect(notes.map(\.title) == ["Gates"])
    let field = "E-MAIL trial"
    let found = try context.fetch(Note.self, where: .words("body", all: field))
    #expect(found.map(\.title) == ["Court"])
    let both = try context.fetch(
      Note.self, where: .words(["title", "body", "author.name"], "kafka \"the trial\""))
    #expect(both == found)
  }

  @Test func `PS-15 texts and values of the guide are read`() throws {
    let field = "rust*"
    let rusty = try FetchPredicate(format: "body WORDS %@ AND year > %d", field, 1990)
    let either = try FetchPredicate(format: "{title, body} WORDS $text")
    let discussed = try FetchPredicate(format: "ANY comments.text WORDS 'rust*'")
    #expect(try context.fetch(Note.self, where: rusty).count == 2)
    #expect(try context.fetch(Note.self, where: either.substituting(["text": "metals"])).count == 1)
    #expect(try context.fetch(Note.self, where: discussed).isEmpty)
    let search = try WordQuery("Rust*  AND (Ore OR \"E-Mail\")")
    #expect("\(search)" == "rust* (ore OR \"e mail\")")
  }

  @Test func `PS-15 the guide's ranks and snippets are what it says`() throws {
    let best = try context.fetch(
      Note.self, where: .words("body", "rust OR gate"), sortedBy: [.rank], limit: 20)
    #expect(best.map(\.title) == ["Gates", "Metals"] || best.map(\.title) == ["Metals", "Gates"])
    let ordered = try context.fetch(
      Note.self, where: .words("body", "rust OR gate"), sortedBy: [.descending(\.year), .rank])
    #expect(ordered == best)
    let rows = try context.fetchRows(
      RowRequest(
        "Note", ["title", .rank, .snippet("body", SnippetStyle(words: 8), as: "piece")],
        where: .words("body", "rust* AND iron"), sortedBy: [.rank], limit: 20))
    print(try rows[0].value("piece", as: String.self) ?? "")  // [Rust] is [iron] oxide.
    #expect(try rows.map { try $0.value("piece", as: String.self) } == ["[Rust] is [iron] oxide."])
    let note = best[0]
    let search = try WordQuery("rust* OR gate")
    let piece = search.snippet(
      of: note.body, SnippetStyle(words: 12, before: "<", after: ">", ellipsis: "…"))
    #expect(piece.contains("<"))
    #expect(try StoredNotes(context: context).best("rust OR gate") == best)
  }

  @Test func `PS-15 the repository of the guide asks for words`() throws {
    let notes = StoredNotes(context: context)
    #expect(try notes.find(bodyWords: "rust* NOT iron").map(\.title) == ["Gates"])
    #expect(try notes.about("gates OR iron").map(\.title) == ["Gates", "Metals"])
  }
}

@Suite(
  .objectContext {
    try PersistentContainer(.temporary, types: [Booking.self, Harbour.self])
  })
struct IntervalGuideTests {
  private let context: any ObjectContext & Sendable

  init() throws { context = try ObjectContextTrait.contexts }

  @Test func `PS-15 intervals and places of the guide are found`() throws {
    let monday = Date(timeIntervalSinceReferenceDate: 8e8)
    let (sunday, now) = (monday + 6 * 86400, monday + 10)
    for (begin, end) in [(-100.0, 0.0), (0, 20), (500_000, 700_000), (700_000, 800_000)] {
      try context.insert(Booking.self) { ($0.begin, $0.end) = (monday + begin, monday + end) }
    }
    for (name, longitude) in [("Suva", 178.4), ("Apia", -171.8), ("Lautoka", 177.4)] {
      try context.insert(Harbour.self) {
        ($0.name, $0.latitude, $0.longitude) = (name, -18, longitude)
      }
    }
    try context.save()
    let busy = try context.fetch(Booking.self, where: .overlaps("begin", "end", monday..<sunday))
    let running = try context.fetch(Booking.self, where: .overlaps("begin", "end", now...now))
    #expect(busy.count == 2)
    #expect(running.count == 1)
    let box = BoundingBox(south: -20, north: -15, west: 175, east: -175)
    let nearby = try context.fetch(
      Harbour.self, where: .within(latitude: "latitude", longitude: "longitude", box))
    #expect(Set(nearby.map(\.name)) == ["Suva", "Lautoka"])
    let text = try FetchPredicate(format: "begin < $end AND end > $start")
    let same = try text.substituting(["start": monday, "end": sunday])
    #expect(try context.count(Booking.self, where: same) == 2)
  }
}
