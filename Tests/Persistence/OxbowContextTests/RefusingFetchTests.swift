import OxbowContext
import OxbowModel
import OxbowStore
import Testing

/// A fetch reads what its condition asks for, under any policy (review S-W6).
@Suite struct RefusingFetchTests {
  let library: Library

  init() throws {
    library = try Library()
    let context = library.context()
    let author = try context.insert(Author.self)
    author.name = "Lem"
    try library.book("Eden", in: context).author = author
    let tag = try context.insert(Tag.self)
    tag.name = "sand"
    try library.book("Dune", in: context).tags = [tag]
    try context.save()
  }

  @Test(arguments: [
    FetchPredicate.equal("author.name", "Lem"), .isNil("author.name"),
    .any("tags", .isNotNil("name")), .not(.equal("author.name", "Lem")),
  ])
  func `a fetch among unsaved objects finds what it finds without`(condition: FetchPredicate) throws
  {
    let request = FetchRequest<Book>(where: condition, sortedBy: [SortKey("author.name")])
    let expected = try library.context().fetch(request).map(\.title)
    #expect(expected == ["Eden"] || expected == ["Dune"])
    for policy in [FaultPolicy.refuse, .log, .allow] {
      let reports = Reports()
      library.coordinator.sendReports { reports.add($0) }
      let context = library.context()
      context.faultPolicy = policy
      try context.insert(Author.self).name = "Herbert"
      #expect(try context.fetch(request).map(\.title) == expected)
      #expect(try context.count(request) == 1)
      #expect(context.statistics.faultsFired == 0)
      #expect(reports.texts.isEmpty)
      try context.save()
    }
  }

  @Test func `a getter is refused as before`() throws {
    let context = library.context()
    context.faultPolicy = .refuse
    let book = try #require(
      context.fetch(FetchRequest<Book>(where: .equal("title", "Eden"))).first)
    #expect(book.author?.name == "")
    #expect(code { try context.save() } == .faultRefused)
  }
}
