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

@Repository protocol Notes: Repository<Note> {
  func find(bodyWords text: String) throws -> [Note]
  @Query("{title, body} WORDS $text", sortedBy: "title")
  func about(_ text: String) throws -> [Note]
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

  @Test func `PS-15 the repository of the guide asks for words`() throws {
    let notes = StoredNotes(context: context)
    #expect(try notes.find(bodyWords: "rust* NOT iron").map(\.title) == ["Gates"])
    #expect(try notes.about("gates OR iron").map(\.title) == ["Gates", "Metals"])
  }
}
