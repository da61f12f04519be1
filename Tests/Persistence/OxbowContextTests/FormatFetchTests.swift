import OxbowContext
import OxbowModel
import OxbowStore
import Testing

/// PF-08: conditions as text, with and without unsaved changes.
@Suite struct FormatFetchTests {
  let library: Library

  init() throws {
    library = try Library()
    let context = library.context()
    let lem = try context.insert(Author.self)
    lem.name = "Stanisław Lem"
    let eden = try library.book("Éden", in: context)
    eden.author = lem
    let dune = try library.book("Dune", in: context)
    for name in ["sand", "Spice"] {
      let tag = try context.insert(Tag.self)
      tag.name = name
      dune.tags.insert(tag)
    }
    try context.save()
  }

  @Test(arguments: [
    ("title BEGINSWITH[cd] 'e'", ["Éden"]), ("title LIKE[c] 'd?n*'", ["Dune"]),
    ("title MATCHES '.*e'", ["Dune"]), ("ANY tags.name ==[c] 'SPICE'", ["Dune"]),
    ("NONE tags.name == 'sand'", ["Éden"]), ("ALL tags.name > 'R'", ["Dune", "Éden"]),
    ("SUBQUERY(tags, $t, $t.name BEGINSWITH 's').@count == 1", ["Dune"]),
    ("max(tags.name) == 'sand'", ["Dune"]), ("tags.name CONTAINS 'sand'", ["Dune"]),
    ("TERNARY(author == nil, 'none', author.name) BETWEEN {'a', 'z'}", ["Dune"]),
    ("ANY tags (name == 'sand') AND tags.@count == 2", ["Dune"]),
  ])
  func `PF-08 a fetch by format text finds the same among unsaved objects`(
    format: String, expected: [String]
  ) throws {
    let request = FetchRequest<Book>(
      where: try FetchPredicate(format: format), sortedBy: [SortKey("title")])
    #expect(try library.context().fetch(request).map(\.title) == expected)
    let context = library.context()
    _ = try context.insert(Tag.self)
    try context.insert(Author.self).name = "Herbert"
    #expect(try context.fetch(request).map(\.title) == expected)
    #expect(try context.count(request) == expected.count)
  }

  @Test(arguments: ["\u{1113}\u{116A}", "\u{1112}\u{1176}", "\u{AC00}\u{11A8}"])
  func `PF-08 old Hangul is found without case and marks, saved and unsaved`(old: String) throws {
    let context = library.context()
    _ = try library.book(old + "\u{1100}\u{1161}", in: context)
    let formats = ["==[c] %@", "==[d] %@", "==[cd] %@", "CONTAINS[c] %@", "LIKE[d] %@"]
    for isSaved in [false, true] {
      if isSaved { try context.save() }
      for format in formats {
        let predicate = try FetchPredicate(format: "title " + format, old + "가")
        let found = try context.fetch(FetchRequest<Book>(where: predicate)).map(\.title)
        #expect(found == [old + "\u{1100}\u{1161}"], "\(format), saved: \(isSaved)")
        let other = try FetchPredicate(format: "title " + format, "\u{FFFD}가")
        #expect(try context.count(FetchRequest<Book>(where: other)) == 0)
      }
    }
  }

  @Test func `PF-08 a link that is not saved is found by its object`() throws {
    let context = library.context()
    let spice = try #require(
      context.fetch(
        FetchRequest<Tag>(where: try FetchPredicate(format: "name == 'Spice'"))
      ).first)
    let eden = try #require(
      context.fetch(FetchRequest<Book>(where: try FetchPredicate(format: "title BEGINSWITH 'É'")))
        .first)
    let tagged = FetchRequest<Book>(
      where: try FetchPredicate(format: "tags CONTAINS %@", spice), sortedBy: [SortKey("title")])
    #expect(try context.fetch(tagged).map(\.title) == ["Dune"])
    eden.tags.insert(spice)
    #expect(try context.fetch(tagged).map(\.title) == ["Dune", "Éden"])
  }
}
