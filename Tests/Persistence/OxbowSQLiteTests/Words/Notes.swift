import OxbowModel
import OxbowRelational
import OxbowSQLite
import OxbowStore
import OxbowStoreContract
import OxbowTestSupport

/// Texts in many scripts, and searches for them.
struct NoteRandom {
  var random: SeededRandom

  /// Words that differ in case, marks and form only, words of queries, scripts without blanks.
  private static let words = [
    "Rust", "rust", "RÜST", "iron", "Iron", "e-mail", "mail", "e", "Straße", "STRASSE", "naïve",
    "naive", "ΕΛΛΑΣ", "ελλάς", "हिन्दी", "हिन्द", "日本語", "本", "テキスト", "ภาษาไทย", "한국어", "한국",
    "and", "OR", "not", "near", "rank", "a1", "1", "ﬁn", "x_y", "don't", "ᾳδης", "ẞ\u{301}xy",
    "a\u{0}bc", "\u{FFFD}x\u{10FFFD}", "İst", "\u{1112}\u{1161}\u{11AB}",
  ]

  mutating func text() -> String {
    let separators = [" ", " ", "  ", ", ", "\n", " 😀 ", "—", "\"\""]
    return (0..<Int.random(in: 0...6, using: &random)).map { _ in
      word() + (separators.randomElement(using: &random) ?? " ")
    }.joined()
  }

  private mutating func word() -> String { Self.words.randomElement(using: &random) ?? "a" }

  private mutating func term(_ depth: Int) -> String {
    switch Int.random(in: 0..<(depth > 0 ? 8 : 4), using: &random) {
    case 0: "\"\(word()) \(word())\""
    case 1: "\"\(word())\"" + "*"
    case 2, 3: "\"\(word())\""
    case 4: "(\(term(depth - 1)) OR \(term(depth - 1)))"
    case 5: "(\(term(depth - 1)) NOT \(term(depth - 1)))"
    default: "(\(term(depth - 1)) \(term(depth - 1)))"
    }
  }

  mutating func query() throws -> WordQuery { try WordQuery(term(2)) }

  /// A part of a text in any case and form, or a pattern of parts.
  mutating func part(of text: String) -> (TextOperator, String, TextOptions) {
    let scalars = Array(text.unicodeScalars)
    let start = scalars.indices.randomElement(using: &random) ?? 0
    let end = min(scalars.count, start + Int.random(in: 1...9, using: &random))
    var part = String(String.UnicodeScalarView(scalars[start..<max(start, end)]))
    let options = TextOptions(rawValue: UInt8.random(in: 0..<4, using: &random))
    switch Int.random(in: 0..<6, using: &random) {
    case 0: part = part.uppercased()
    case 1: part = TextFolding.folded(part, options)
    default: break
    }
    switch Int.random(in: 0..<6, using: &random) {
    case 0: return (.beginsWith, String(String.UnicodeScalarView(scalars.prefix(5))), options)
    case 1: return (.endsWith, String(String.UnicodeScalarView(scalars.suffix(5))), options)
    case 2: return (.like, "*\(part)*", options)
    case 3: return (.like, "*\(part)?*\(word())*", options)
    default: return (.contains, part, options)
    }
  }
}

/// A model with search indexes in a hierarchy and behind a relationship.
///
/// `rank` is a name that FTS5 reserves. Without the hierarchy, items have all that notes have.
func notesModel(
  search: AttributeSearch = .words, ofItems: AttributeSearch? = nil, isFlat: Bool = false
) -> ManagedObjectModel {
  let texts = [
    AttributeDescription("body", .string, isOptional: true, search: search),
    AttributeDescription("plain", .string, isOptional: true),
  ]
  return ManagedObjectModel(
    entities: [
      EntityDescription(
        "Folder", attributes: [AttributeDescription("name", .string)],
        relationships: [
          RelationshipDescription("items", to: "Item", inverse: "folder", isToMany: true)
        ]),
      EntityDescription(
        "Item",
        attributes: [
          AttributeDescription("rank", .string, isOptional: true, search: ofItems ?? search),
          AttributeDescription("year", .integer64),
        ] + (isFlat ? texts : []),
        relationships: [RelationshipDescription("folder", to: "Folder", inverse: "items")]),
    ] + (isFlat ? [] : [EntityDescription("Note", parent: "Item", attributes: texts)]))
}

extension StoreLibrary {
  /// The condition that the text at a path has a part, and the same as the store has to read the
  /// texts for it.
  func part(
    _ path: String, _ comparison: TextOperator, _ part: String, _ options: TextOptions
  ) -> (byIndex: FetchPredicate, read: FetchPredicate) {
    let (text, part) = (
      FetchExpression.path([path]), FetchExpression.value(.attribute(.string(part)))
    )
    return (
      .text(text, comparison, part, options),
      .text(.coalesced(text, .value(.null)), comparison, part, options)
    )
  }

  /// The condition that the texts at the paths meet a search, and the same as the store has to
  /// read the texts for it.
  func words(_ paths: [String], _ query: WordQuery) -> (
    byIndex: FetchPredicate, read: FetchPredicate
  ) {
    let texts = paths.map { FetchExpression.path([$0]) }
    let search = FetchExpression.value(.attribute(.string(query.description)))
    return (
      .words(texts, search),
      .words(texts.map { .coalesced($0, .value(.attribute(.string("")))) }, search)
    )
  }
}

/// Tests of stores of notes in a folder.
protocol NotesSuite {
  var scratch: Scratch { get }
}

extension NotesSuite {
  /// Looks at the store, which is closed.
  func rows(_ sql: String) throws -> [String] {
    let connection = try Connection(path: scratch.file(), configuration: .init(role: .sole))
    defer { connection.close() }
    return try connection.rows(sql).map { $0.map(\.description).joined(separator: "|") }
  }

  /// Changes the store, which is closed, as another program does.
  func run(_ sql: String) throws {
    let connection = try Connection(path: scratch.file(), configuration: .init(role: .sole))
    defer { connection.close() }
    try connection.execute(sql)
  }

  func insert(_ keys: ClosedRange<Int64>, _ library: Library, _ text: String) throws {
    try library.save { changes in
      for key in keys {
        changes.inserts.append(try library.insert("Note", key, ["body": .string("\(text) \(key)")]))
      }
    }
  }

  func catchUp(_ library: Library) throws { while try !library.store.catchUpSearch() {} }
}
