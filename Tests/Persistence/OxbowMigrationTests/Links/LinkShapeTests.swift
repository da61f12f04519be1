import OxbowMigration
import OxbowModel
import OxbowTestSupport
import Testing

// Links follow the pair: either end may match, and key, table of links and order are made of
// whatever matched (review M2 to M5).
@Suite struct LinkShapeTests {
  static func end(
    _ name: String, _ destination: String, _ inverse: String?, many: Bool = false,
    ordered: Bool = false, id: String? = nil, optional: Bool = true
  ) -> RelationshipDescription {
    RelationshipDescription(
      name, to: destination, inverse: inverse, isToMany: many, isOrdered: ordered,
      isOptional: optional, renamingIdentifier: id)
  }

  static func model(
    _ left: [RelationshipDescription], _ right: [RelationshipDescription], left a: String = "A",
    right b: String = "B"
  ) -> ManagedObjectModel {
    ManagedObjectModel(entities: [
      EntityDescription(a, relationships: left), EntityDescription(b, relationships: right),
    ])
  }

  /// Makes a store with links, migrates it, and returns what it has then.
  func migrate(
    _ before: ManagedObjectModel, _ links: [(Int64, Int64)], to after: ManagedObjectModel,
    by end: (String, String), left: [(String, [Int64])] = [("A", [1, 2, 3])],
    right: [(String, [Int64])] = [("B", [11, 12, 13])], allowsLoss: Bool = false
  ) throws -> StoreData {
    let lab = try Lab()
    try lab.fill(before, "")
    let data = try StoreData(lab, before)
    for (entity, keys) in left + right { try lab.run(try data.inserting(entity, keys)) }
    let relationship = try #require(try data.relationship(end.0, end.1))
    try lab.run(data.linking(relationship, links.map { (from: $0.0, to: $0.1) }))
    _ = try lab.infer(after, allowsLoss: allowsLoss)
    #expect(try lab.differences(from: after) == [])
    #expect(try lab.rows("PRAGMA foreign_key_check") == [])
    #expect(
      try lab.rows(
        "SELECT name FROM sqlite_schema WHERE name GLOB '_oxbow_links*' OR name GLOB '_oxbow_new*'")
        == [])
    return try StoreData(lab, after)
  }

  func links(_ data: StoreData, _ entity: String, _ name: String) throws -> [Int64: [Int64]] {
    let end = try #require(try data.relationship(entity, name))
    #expect(try data.wrongEntities(end) == [])
    return try data.links(end)
  }

  func refusal(_ body: () throws -> Void) -> String {
    do {
      try body()
      return "no error"
    } catch { return (error as? PersistenceError)?.description ?? "\(error)" }
  }

  @Test(arguments: [("A", "B"), ("Z", "B")])
  func `the other end gets a new name without identifier (review M3)`(a: String, b: String) throws {
    let before = Self.model(
      [Self.end("books", b, "author", many: true)], [Self.end("author", a, "books")], left: a,
      right: b)
    let after = Self.model(
      [Self.end("books", b, "writer", many: true)], [Self.end("writer", a, "books")], left: a,
      right: b)
    let data = try migrate(
      before, [(1, 11), (1, 12), (2, 13)], to: after, by: (a, "books"), left: [(a, [1, 2, 3])],
      right: [(b, [11, 12, 13])])
    #expect(try links(data, a, "books") == [1: [11, 12], 2: [13]])
    #expect(try links(data, b, "writer") == [11: [1], 12: [1], 13: [2]])
  }

  @Test(arguments: [("A", "B"), ("Z", "B")])
  func `the other end is new, or goes (review M3)`(a: String, b: String) throws {
    let one = Self.model([Self.end("docs", b, nil, many: true)], [], left: a, right: b)
    let two = Self.model(
      [Self.end("docs", b, "owner", many: true)], [Self.end("owner", a, "docs")], left: a,
      right: b)
    let data = try migrate(
      one, [(1, 11), (1, 12), (2, 13)], to: two, by: (a, "docs"), left: [(a, [1, 2, 3])],
      right: [(b, [11, 12, 13])])
    #expect(try links(data, a, "docs") == [1: [11, 12], 2: [13]])
    #expect(try links(data, b, "owner") == [11: [1], 12: [1], 13: [2]])
    let back = try migrate(
      two, [(1, 11), (1, 12), (2, 13)], to: one, by: (a, "docs"), left: [(a, [1, 2, 3])],
      right: [(b, [11, 12, 13])])
    #expect(try links(back, a, "docs") == [1: [11, 12], 2: [13]])
  }

  @Test(arguments: [("A", "B"), ("Z", "B")])
  func `a link to many becomes to-one where each has one only (review M3)`(
    a: String, b: String
  ) throws {
    let before = Self.model(
      [Self.end("tags", b, "owners", many: true)], [Self.end("owners", a, "tags", many: true)],
      left: a, right: b)
    let after = Self.model(
      [Self.end("tag", b, "owners")], [Self.end("owners", a, "tag", many: true)], left: a, right: b)
    let data = try migrate(
      before, [(1, 11), (2, 11), (3, 12)], to: after, by: (a, "tags"), left: [(a, [1, 2, 3])],
      right: [(b, [11, 12])])
    #expect(try links(data, a, "tag") == [1: [11], 2: [11], 3: [12]])
    let text = refusal {
      _ = try migrate(
        before, [(1, 11), (1, 12), (2, 11)], to: after, by: (a, "tags"), left: [(a, [1, 2, 3])],
        right: [(b, [11, 12])])
    }
    #expect(
      text.contains("links of '\(a).tag', which becomes to-one, but the first of each object: 1"))
    let back = try migrate(
      after, [(1, 11), (2, 11), (3, 12)], to: before, by: (a, "tag"), left: [(a, [1, 2, 3])],
      right: [(b, [11, 12])])
    #expect(try links(back, b, "owners") == [11: [1, 2], 12: [3]])
  }

  @Test func `both columns of a one-to-one are filled (review M4)`() throws {
    let many = Self.model(
      [Self.end("members", "B", "user", many: true)], [Self.end("user", "A", "members")])
    let one = Self.model(
      [Self.end("member", "B", "user", id: "members")], [Self.end("user", "A", "member")])
    let data = try migrate(many, [(1, 11), (2, 13)], to: one, by: ("A", "members"))
    #expect(try links(data, "A", "member") == [1: [11], 2: [13]])
    #expect(try links(data, "B", "user") == [11: [1], 13: [2]])
    let text = refusal {
      _ = try migrate(many, [(1, 11), (1, 12)], to: one, by: ("A", "members"))
    }
    #expect(
      text.contains("links of 'A.member', which becomes to-one, but the first of each object: 1"))
    let single = Self.model([Self.end("member", "B", nil)], [])
    let inverse = try migrate(single, [(1, 11), (2, 13)], to: one, by: ("A", "member"))
    #expect(try links(inverse, "B", "user") == [11: [1], 13: [2]])
    let renamed = Self.model(
      [Self.end("card", "B", "user")], [Self.end("user", "A", "card")])
    let other = try migrate(one, [(1, 11), (2, 13)], to: renamed, by: ("A", "member"))
    #expect(try links(other, "A", "card") == [1: [11], 2: [13]])
    #expect(try links(other, "B", "user") == [11: [1], 13: [2]])
    #expect(
      refusal { _ = try migrate(single, [(1, 11), (2, 11)], to: one, by: ("A", "member")) }
        .contains("links of 'B.user', which becomes to-one, but the first of each object: 1"))
  }

  static func hierarchy(
    _ root: [RelationshipDescription] = [], _ first: [RelationshipDescription] = [],
    _ second: [RelationshipDescription] = [], b: [RelationshipDescription] = []
  ) -> ManagedObjectModel {
    ManagedObjectModel(entities: [
      EntityDescription("R", relationships: root),
      EntityDescription("U", parent: "R", relationships: first),
      EntityDescription("V", parent: "R", relationships: second),
      EntityDescription("B", relationships: b),
    ])
  }

  static let rows: [(String, [Int64])] = [("R", [1]), ("U", [2]), ("V", [3])]

  @Test func `a destination that is narrowed refuses links to others (review M5)`() throws {
    let before = Self.hierarchy(
      [Self.end("bs", "B", "rs", many: true)], b: [Self.end("rs", "R", "bs", many: true)])
    let after = Self.hierarchy(
      [], [Self.end("bs", "B", "rs", many: true)], b: [Self.end("rs", "U", "bs", many: true)])
    let data = try migrate(
      before, [(11, 2), (12, 2)], to: after, by: ("B", "rs"), left: Self.rows)
    #expect(try links(data, "U", "bs") == [2: [11, 12]])
    #expect(
      refusal {
        _ = try migrate(before, [(11, 2), (12, 3)], to: after, by: ("B", "rs"), left: Self.rows)
      }.contains("links of 'B.rs' to objects that are not of 'U': 1. "))
  }

  @Test func `a relationship that moves down refuses links of others (review M5)`() throws {
    let before = Self.hierarchy(
      [Self.end("b", "B", "rs")], b: [Self.end("rs", "R", "b", many: true)])
    let after = Self.hierarchy(
      [], [Self.end("b", "B", "rs")], b: [Self.end("rs", "U", "b", many: true)])
    let data = try migrate(before, [(2, 11)], to: after, by: ("R", "b"), left: Self.rows)
    #expect(try links(data, "U", "b") == [2: [11]])
    #expect(
      refusal {
        _ = try migrate(before, [(2, 11), (1, 11)], to: after, by: ("R", "b"), left: Self.rows)
      }.contains("links of 'R.b' of objects that are not of 'U': 1. "))
  }

  @Test func `a to-one relationship moves up from two children (review M2)`() throws {
    let before = Self.hierarchy([], [Self.end("b", "B", nil)], [Self.end("b", "B", nil)])
    let after = Self.hierarchy([Self.end("b", "B", nil)])
    let lab = try Lab()
    try lab.fill(before, "")
    let data = try StoreData(lab, before)
    for (entity, keys) in Self.rows + [("B", [11, 12])] {
      try lab.run(try data.inserting(entity, keys))
    }
    try lab.run(data.linking(try #require(try data.relationship("U", "b")), [(from: 2, to: 11)]))
    try lab.run(data.linking(try #require(try data.relationship("V", "b")), [(from: 3, to: 12)]))
    _ = try lab.infer(after)
    #expect(try links(try StoreData(lab, after), "R", "b") == [2: [11], 3: [12]])
    _ = try lab.inferBack(before)
    let again = try StoreData(lab, before)
    #expect(try links(again, "U", "b") == [2: [11]])
    #expect(try links(again, "V", "b") == [3: [12]])
  }

  @Test func `an order stays with its links (review M12)`() throws {
    let before = Self.model(
      [Self.end("items", "B", "owner", many: true, ordered: true)],
      [Self.end("owner", "A", "items")])
    let after = Self.model(
      [Self.end("items", "B", "owners", many: true, ordered: true)],
      [Self.end("owners", "A", "items", many: true)])
    let order: [(Int64, Int64)] = [(1, 13), (1, 11), (2, 12)]
    let data = try migrate(before, order, to: after, by: ("A", "items"))
    #expect(try links(data, "A", "items") == [1: [13, 11], 2: [12]])
    let back = try migrate(after, order, to: before, by: ("A", "items"))
    #expect(try links(back, "A", "items") == [1: [13, 11], 2: [12]])
  }

  @Test func `a relationship that is its own inverse stays as it is`() throws {
    for isMany in [true, false] {
      func model(_ name: String, id: String? = nil, more: [AttributeDescription] = [])
        -> ManagedObjectModel
      {
        ManagedObjectModel(entities: [
          EntityDescription(
            "A", attributes: more,
            relationships: [Self.end(name, "A", name, many: isMany, id: id)]),
          EntityDescription("B"),
        ])
      }
      let more = [AttributeDescription("x", .string, isOptional: true)]
      let data = try migrate(
        model("friend"), [(1, 2), (2, 1)], to: model("mate", id: "friend", more: more),
        by: ("A", "friend"))
      #expect(try links(data, "A", "mate") == [1: [2], 2: [1]])
    }
  }

  @Test func `links to another entity are named and counted before they go`() throws {
    func model(_ destination: String) -> ManagedObjectModel {
      Self.model([Self.end("b", destination, nil)], []).adding(EntityDescription("C"))
    }
    #expect(
      refusal { _ = try migrate(model("B"), [(1, 11)], to: model("C"), by: ("A", "b")) }
        .contains("would remove data: links of 'A.b': 1. Write it"))
    let data = try migrate(
      model("B"), [(1, 11)], to: model("C"), by: ("A", "b"), allowsLoss: true)
    #expect(try links(data, "A", "b") == [:])
  }

  @Test func `what no end leads to is named and counted before it goes`() throws {
    let before = Self.model(
      [Self.end("books", "B", "author", many: true)], [Self.end("author", "A", "books")])
    let after = Self.model(
      [Self.end("works", "B", "writer", many: true)], [Self.end("writer", "A", "works")])
    #expect(
      refusal {
        _ = try migrate(before, [(1, 11), (1, 12)], to: after, by: ("A", "books"))
      }.contains("would remove data: links of 'B.author': 2"))
    let data = try migrate(
      before, [(1, 11)], to: after, by: ("A", "books"), allowsLoss: true)
    #expect(try links(data, "A", "works") == [:])
  }
}
