#if PostgreSQL
  import Foundation
  import OxbowMigration
  import OxbowModel
  import OxbowPostgres
  import OxbowSQLite
  import OxbowStore
  import OxbowStoreContract
  import OxbowTestSupport
  import Testing

  /// Derived attributes of a store on a server are computed when a migration adds or changes them.
  @Suite(.enabled(if: TestServer.shared != nil), .timeLimit(.minutes(30)))
  struct ServerDerivedTests {
    let lab: ServerLab

    init() throws { lab = try ServerLab() }

    private static func derived(_ text: String = "files.@count") -> ManagedObjectModel {
      Models.first.changing("Folder") {
        $0.attributes += [
          AttributeDescription("count", .integer16, derivation: text),
          AttributeDescription("key", .string, derivation: "uppercase:(path)"),
          AttributeDescription("saved", .date, derivation: "now()"),
        ]
      }.changing("File") {
        $0.attributes.append(AttributeDescription("place", .string, derivation: "folder.path"))
      }
    }

    private var folders: [String] {
      get throws {
        try lab.rows(
          "SELECT \"count\", \"key\", \"saved\" > 8e8, \"_version\" FROM \"Folder\" ORDER BY \"_id\""
        )
      }
    }

    @Test func `a derived attribute that is added has its value in every row (PM-01, PG-15)`()
      throws
    {
      try lab.fill(Models.first, Models.rows)
      let plan = try Migrator(lab.backend(), target: Self.derived()).plan()
      let fills = plan.steps.flatMap(\.operations).filter { $0.kind == .fill }
      #expect(fills.map(\.table) == ["File", "Folder", "Folder", "Folder"])
      #expect(fills[0].statements.count == 3)
      #expect(fills[0].statements[2].contains("SET \"place\" = n.c FROM unnest($1, $2)"))
      _ = try lab.infer(Self.derived())
      #expect(try lab.differences(from: Self.derived()) == [])
      #expect(try folders == ["2|'/A'|1|1", "1|'/B'|1|1"])
      #expect(
        try lab.rows("SELECT \"place\" FROM \"File\" ORDER BY \"_id\"") == ["'/a'", "'/a'", "'/b'"])
    }

    @Test func `a derivation that changes is computed anew, and a moment stays (PM-01)`() throws {
      try lab.fill(Models.first, Models.rows)
      _ = try lab.infer(Self.derived())
      let saved = try lab.rows("SELECT \"saved\" FROM \"Folder\"")
      _ = try lab.infer(Self.derived("files.size.@sum"))
      #expect(try folders == ["30|'/A'|1|1", "30|'/B'|1|1"])
      #expect(try lab.rows("SELECT \"saved\" FROM \"Folder\"") == saved)
    }

    @Test func `a script leaves derived attributes computed (PM-01)`() throws {
      try lab.add(Self.derived("files.size.@sum"))
      try lab.add(
        sql: "UPDATE \"File\" SET \"size\" = \"size\" + 1; UPDATE \"Folder\" SET \"path\" = '/c' "
          + "WHERE \"_id\" = 2;")
      _ = try lab.migrator().apply(upTo: 1)
      try lab.run(
        Models.rows.replacing("\"path\")", with: "\"path\", \"count\")")
          .replacing("'/a'", with: "'/a', 7").replacing("'/b'", with: "'/b', NULL"))
      _ = try lab.migrator().apply()
      #expect(try folders == ["32|'/A'|1|1", "31|'/C'|1|1"])
      #expect(
        try lab.rows("SELECT DISTINCT \"place\" FROM \"File\" ORDER BY 1") == ["'/a'", "'/c'"])
    }

    @Test func `a derived value that no row could have refuses the migration (PM-01)`() throws {
      try lab.fill(Models.first, Models.rows)
      let missing = Models.first.changing("File") {
        $0.attributes.append(AttributeDescription("form", .string, derivation: "lowercase:(kind)"))
      }
      #expect(
        lab.message { _ = try lab.infer(missing) }
          == "'form' of 'File' is derived, and 1 objects would have no value or one that is out of its "
          + "range; make it optional or of a larger type")
      try lab.run("UPDATE \"File\" SET \"size\" = 32767;")
      #expect(
        lab.message { _ = try lab.infer(Self.derived("files.size.@sum")) }.contains(
          "'count' of 'Folder' is derived, and 1 objects would have"))
      #expect(try lab.differences(from: Models.first) == [])
    }

    @Test func `objects are computed in blocks, and none is left out`() throws {
      try lab.fill(
        Models.first,
        """
        INSERT INTO "Folder" ("_id", "_version", "path")
          SELECT 3 * n, 1, 'p' || n FROM generate_series(1, 5000) AS n;
        INSERT INTO "File" ("_id", "_version", "name", "size", "folder")
          SELECT n, 1, 'f', 1, 3 * (n % 2500 + 1) FROM generate_series(1, 7500) AS n;
        """)
      _ = try lab.infer(Self.derived())
      #expect(
        try lab.rows(
          "SELECT \"count\", count(*) FROM \"Folder\" WHERE \"key\" = upper(\"path\") GROUP BY 1 "
            + "ORDER BY 1") == ["0|2500", "3|2500"])
    }

    @Test func `steps that change types are taken back together, in blocks of objects`() throws {
      let wide = Self.derived("files.size.@sum")
      let narrow = wide.changing("File") {
        $0.attributes[1] = AttributeDescription("size", .integer32)
      }
      try lab.add(narrow)
      try lab.add(wide, "wide")
      try lab.add(wide.adding(EntityDescription("Other")), "other")
      _ = try lab.migrator().apply(upTo: 1)
      try lab.run(
        "INSERT INTO \"Folder\" (\"_id\", \"_version\", \"path\", \"count\", \"key\") "
          + "SELECT n, 1, 'p' || n, 0, 'P' || n FROM generate_series(1, 4500) AS n;")
      _ = try lab.migrator().apply()
      #expect(
        try lab.migrator().undo(to: 1, allowsLoss: true).map(\.id) == ["0003", "0002"])
      #expect(try lab.differences(from: narrow) == [])
    }

    // MARK: At random

    @Test(arguments: Array(1...12) + [UInt64.random(in: 13...UInt64.max)])
    func `random changes leave the values that they leave in a file`(seed: UInt64) throws {
      var change = DerivationChange(seed)
      let file = try Lab()
      let model = try CompiledModel(change.before)
      let stores: [any PersistentStore] = [
        try SQLiteStore(model, at: .file(file.store)), try PostgresStore(model, at: lab.location),
      ]
      let changes = try change.objects(model)
      for store in stores {
        try store.save(changes)
        store.close()
      }
      let after = change.after
      let outcomes = [file.outcome(of: after), lab.outcome(of: after)]
      #expect(outcomes[0] == outcomes[1], "seed \(seed)")
      guard outcomes == ["done", "done"] else { return }
      #expect(try lab.differences(from: after) == [], "seed \(seed)")
      let compiled = try CompiledModel(after)
      let found: [any PersistentStore] = [
        try SQLiteStore(compiled, at: .file(file.store)),
        try PostgresStore(compiled, at: lab.location),
      ]
      #expect(try lines(of: found[1]) == lines(of: found[0]), "seed \(seed)")
      for store in found { store.close() }
    }
  }

  extension MigrationLab {
    /// What a migration to a model says.
    fileprivate func outcome(of model: ManagedObjectModel) -> String {
      do {
        _ = try infer(model, allowsLoss: true)
        return "done"
      } catch { return (error as? PersistenceError)?.message ?? "\(error)" }
    }
  }

  /// A model with derived attributes, objects, and another model.
  private struct DerivationChange {
    private var random: SeededRandom
    private(set) var before = ManagedObjectModel(entities: [])
    private(set) var after = ManagedObjectModel(entities: [])

    /// Derived attributes of entities, and what they may be derived from.
    private static let derived: [(entity: String, name: String, AttributeType, [String])] = [
      ("Author", "count", .integer16, ["books.@count", "books.pages.@sum"]),
      ("Author", "price", .decimal, ["books.price.@sum"]),
      ("Author", "weight", .double, ["books.weight.@sum"]),
      ("Author", "form", .string, ["canonical:(name)", "uppercase:(name)", "lowercase:(name)"]),
      ("Book", "writer", .string, ["author.name", "uppercase:(author.name)"]),
      ("Book", "origin", .string, ["author.country.name", "canonical:(author.country.name)"]),
      ("Book", "tagCount", .integer64, ["tags.@count"]),
      ("Novel", "kind", .string, ["lowercase:(genre)", "canonical:(genre)"]),
      ("Tag", "pages", .integer64, ["books.pages.@sum", "books.@count"]),
    ]

    init(_ seed: UInt64) {
      random = SeededRandom(seed: seed)
      before = model(isAfter: false)
      after = model(isAfter: true)
    }

    private mutating func attributes(of entity: String) -> [AttributeDescription] {
      var found: [AttributeDescription] = []
      for (owner, name, type, texts) in Self.derived
      where owner == entity && random.chance(70) {
        found.append(
          AttributeDescription(
            name, type, isOptional: type == .string,
            derivation: texts.randomElement(using: &random) ?? ""))
      }
      return found
    }

    private mutating func model(isAfter: Bool) -> ManagedObjectModel {
      let isWider = isAfter && random.chance(50)
      return ManagedObjectModel(entities: [
        EntityDescription(
          "Country", attributes: [AttributeDescription("name", .string, isOptional: true)]),
        EntityDescription(
          "Author",
          attributes: [AttributeDescription("name", .string, isOptional: true)]
            + attributes(of: "Author"),
          relationships: [
            RelationshipDescription("books", to: "Book", inverse: "author", isToMany: true),
            RelationshipDescription("country", to: "Country"),
          ]),
        EntityDescription(
          "Book",
          attributes: [
            AttributeDescription("pages", isWider ? .integer64 : .integer32, isOptional: true),
            AttributeDescription("price", .decimal, isOptional: true),
            AttributeDescription("weight", isWider ? .double : .float, isOptional: true),
          ] + attributes(of: "Book"),
          relationships: [
            RelationshipDescription("author", to: "Author", inverse: "books"),
            RelationshipDescription("tags", to: "Tag", inverse: "books", isToMany: true),
          ]),
        EntityDescription(
          "Novel", parent: "Book",
          attributes: [AttributeDescription("genre", .string, isOptional: true)]
            + attributes(of: "Novel")),
        EntityDescription(
          "Tag", attributes: attributes(of: "Tag"),
          relationships: [
            RelationshipDescription("books", to: "Book", inverse: "tags", isToMany: true)
          ]),
      ])
    }

    private mutating func text() -> AttributeValue? {
      let texts = ["Élan ÄRGER", "groß\u{0}e", "", "ŒUVRE", "日本"]
      return random.chance(20) ? nil : texts.randomElement(using: &random).map { .string($0) }
    }

    private mutating func number() -> Int64 { Int64.random(in: -900...9000, using: &random) }

    private mutating func value(_ name: String) -> AttributeValue? {
      guard !random.chance(15) else { return nil }
      return switch name {
      case "pages": .integer(number())
      case "price": .decimal(Decimal(number()) / 100)
      case "weight": .double(Double(number()) / 4)
      default: text()
      }
    }

    /// Objects with values and links, the same for each store.
    mutating func objects(_ model: CompiledModel) throws -> ChangeSet {
      var changes = ChangeSet()
      let counts = ["Country": 3, "Author": 6, "Book": 12, "Novel": 8, "Tag": 4]
      var references: [String: [ObjectReference]] = [:]
      var key: Int64 = 0
      for (name, count) in counts.sorted(by: { $0.key < $1.key }) {
        let entity = try model.requireEntity(named: name)
        for _ in 0..<count {
          key += 1
          var values: ContiguousArray<AttributeValue?> = []
          for property in entity.properties {
            let isPlain = property.attribute?.derivation == nil && property.attribute != nil
            values.append(isPlain ? value(property.name) : nil)
          }
          changes.inserts.append(
            ChangeSet.Insert(entity: entity.index, key: key, values: values))
          references[name, default: []].append(ObjectReference(entity: entity.index, key: key))
        }
      }
      let books = (references["Book"] ?? []) + (references["Novel"] ?? [])
      try link(books, "Book.author", references["Author"] ?? [], atMost: 1, model, &changes)
      try link(
        references["Author"] ?? [], "Author.country", references["Country"] ?? [], atMost: 1,
        model, &changes)
      try link(books, "Book.tags", references["Tag"] ?? [], atMost: 3, model, &changes)
      return changes
    }

    private mutating func link(
      _ objects: [ObjectReference], _ path: String, _ others: [ObjectReference], atMost count: Int,
      _ model: CompiledModel, _ changes: inout ChangeSet
    ) throws {
      let names = path.split(separator: ".").map(String.init)
      let property = try model.requireEntity(named: names[0]).requireProperty(named: names[1])
      guard let relationship = property.relationship else { return }
      let isOwner = relationship.storage.isCanonical
      guard let id = isOwner ? relationship.id : model.inverse(of: relationship)?.id else { return }
      for object in objects {
        for other in random.some(of: others, atMost: count) {
          changes.links.append(
            ChangeSet.Link(
              relationship: id, owner: isOwner ? object : other, member: isOwner ? other : object,
              memberPosition: nil, ownerPosition: nil))
        }
      }
    }
  }
#endif
