import OxbowModel
import OxbowRelational
import OxbowStore
import OxbowStoreContract
import OxbowTestSupport
import Testing

@testable import OxbowSQLite

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Whether unique values clash is asked of a save as a whole (review X-7, E).
@Suite struct UniqueValueTests {
  static let types: [AttributeType] = [
    .string, .integer16, .integer32, .integer64, .double, .float, .decimal, .boolean, .date,
    .binaryData, .uuid, .uri,
  ]

  /// Two values of a type.
  static func values(_ type: AttributeType) throws -> [AttributeValue] {
    switch type {
    case .string: return [.string("a"), .string("")]
    case .integer16, .integer32, .integer64: return [.integer(1), .integer(-2)]
    case .double, .float: return [.double(0.5), .double(-1)]
    case .decimal: return [.decimal(1), .decimal(Decimal(25) / 10)]
    case .boolean: return [.boolean(true), .boolean(false)]
    case .date:
      return [0, 5].map { .date(Date(timeIntervalSinceReferenceDate: $0)) }
    case .binaryData: return [.data(Data()), .data(Data([0]))]
    case .uuid: return [.uuid(UUID()), .uuid(UUID())]
    default: return [.url(URL(filePath: "/a")), .url(URL(filePath: "/b"))]
    }
  }

  static func account(_ keys: [[String]]) -> EntityDescription {
    EntityDescription(
      "Account",
      attributes: [
        AttributeDescription("number", .integer64), AttributeDescription("name", .string),
        AttributeDescription("nick", .string, isOptional: true),
      ],
      relationships: [RelationshipDescription("bank", to: "Bank", inverse: "accounts")],
      uniquenessConstraints: keys)
  }

  static func model(_ keys: [[String]]) -> ManagedObjectModel {
    ManagedObjectModel(entities: [
      account(keys),
      EntityDescription(
        "Bank",
        relationships: [
          RelationshipDescription("accounts", to: "Account", inverse: "bank", isToMany: true)
        ]),
      EntityDescription(
        "Savings", parent: "Account", attributes: [AttributeDescription("code", .string)],
        uniquenessConstraints: [["code"]]),
    ])
  }

  private func accounts(_ library: Library, _ numbers: [Int64]) throws {
    try library.save { changes in
      changes.inserts = try numbers.enumerated().map { index, number in
        try library.insert(
          "Account", Int64(index + 1), ["number": .integer(number), "name": .string("n\(number)")])
      }
    }
  }

  private func numbers(_ library: Library) throws -> [String] {
    try library.keys("Account").map { try library.only("Account", $0)["number"] ?? "none" }
  }

  // MARK: Exchange

  @Test(arguments: types, [true, false])
  func `two objects exchange their values`(type: AttributeType, isOptional: Bool) throws {
    let library = try Library(
      .inMemory,
      model: ManagedObjectModel(entities: [
        EntityDescription(
          "Thing", attributes: [AttributeDescription("value", type, isOptional: isOptional)],
          uniquenessConstraints: [["value"]])
      ]))
    let values = try Self.values(type)
    try library.save {
      $0.inserts = [
        try library.insert("Thing", 1, ["value": values[0]]),
        try library.insert("Thing", 2, ["value": values[1]]),
      ]
    }
    let before = try [1, 2].map { try library.only("Thing", $0)["value"] }
    try library.save {
      $0.updates = [
        try library.update("Thing", 1, 1, ["value": values[1]]),
        try library.update("Thing", 2, 1, ["value": values[0]]),
      ]
    }
    #expect(try [2, 1].map { try library.only("Thing", $0)["value"] } == before)
    #expect(
      library.heads(try library.store.rows(of: try library.fetch("Thing")))
        == ["Thing 1 v2", "Thing 2 v2"])
  }

  @Test(arguments: [[1, 2, 3], [3, 2, 1], [2, 1, 3]] as [[Int64]])
  func `a chain works in any order of edits`(order: [Int64]) throws {
    let library = try Library(.inMemory, model: Self.model([["number"]]))
    try accounts(library, [1, 2, 3])
    try library.save { changes in
      changes.updates = try order.map {
        try library.update("Account", $0, 1, ["number": .integer($0 + 1)])
      }
    }
    #expect(try numbers(library) == ["2", "3", "4"])
  }

  @Test func `an exchange works with several columns, sub-entities and relationships`() throws {
    let library = try Library(
      .inMemory, model: Self.model([["bank", "name"], ["number"], ["nick", "name"]]))
    try library.save {
      $0.inserts = [
        try library.insert("Bank", 1), try library.insert("Bank", 2),
        try library.insert(
          "Savings", 1, ["number": .integer(1), "name": .string("x"), "code": .string("a")]),
        try library.insert(
          "Savings", 2, ["number": .integer(2), "name": .string("x"), "code": .string("b")]),
      ]
      $0.links = [
        try library.link(("Savings", 1), "bank", ("Bank", 1)),
        try library.link(("Savings", 2), "bank", ("Bank", 2)),
      ]
    }
    try library.save {
      $0.updates = [
        try library.update("Savings", 1, 1, ["number": .integer(2), "code": .string("b")]),
        try library.update("Savings", 2, 1, ["number": .integer(1), "code": .string("a")]),
      ]
      $0.links = [
        try library.link(("Savings", 1), "bank", ("Bank", 2)),
        try library.link(("Savings", 2), "bank", ("Bank", 1)),
      ]
    }
    #expect(try library.only("Account", 1)["code"] == "\(AttributeValue.string("b"))")
    #expect(try library.only("Account", 2)["number"] == "1")
    #expect(try library.related("Bank", "accounts", [1, 2]) == [1: [2], 2: [1]])
  }

  @Test func `a new object takes what a changed one leaves`() throws {
    let library = try Library(.inMemory, model: Self.model([["number"]]))
    try accounts(library, [1, 2])
    try library.save {
      $0.inserts = [try library.insert("Account", 3, ["number": .integer(1)])]
      $0.updates = [
        try library.update("Account", 1, 1, ["number": .integer(2)]),
        try library.update("Account", 2, 1, ["number": .integer(3)]),
      ]
    }
    #expect(try numbers(library) == ["2", "3", "1"])
  }

  @Test func `a table of another program follows an exchange`() throws {
    let library = try Library(.file, model: Self.model([["nick"]]))
    try accounts(library, [1, 2])
    try library.save {
      $0.updates = try [1, 2].map {
        try library.update("Account", $0, 1, ["nick": .string("nick \($0)")])
      }
    }
    let other = try library.intruder()
    try other.execute(
      "CREATE TABLE mine(id INTEGER, nick REFERENCES Account(nick) ON UPDATE CASCADE);"
        + "INSERT INTO mine VALUES (1, 'nick 1'), (2, 'nick 2')")
    try library.save {
      $0.updates = [
        try library.update("Account", 1, 2, ["nick": .string("nick 2")]),
        try library.update("Account", 2, 2, ["nick": .string("nick 1")]),
      ]
    }
    #expect(
      try other.rows("SELECT nick FROM mine ORDER BY id")
        == [[.text("nick 2")], [.text("nick 1")]])
  }

  @Test(arguments: [1, 2, UInt64.random(in: 3...UInt64.max)])
  func `a random save is right exactly when no two values are equal at its end`(
    seed: UInt64
  ) throws {
    var random = SeededRandom(seed: seed)
    let library = try Library(.inMemory, model: Self.model([["number"], ["name", "nick"]]))
    try accounts(library, [1, 2, 3, 4, 5, 6])
    var numbers: [Int64: Int64] = Dictionary(uniqueKeysWithValues: (1...6).map { ($0, $0) })
    var versions: [Int64: Int64] = numbers.mapValues { _ in 1 }
    for _ in 0..<60 {
      let changed = Array(
        numbers.keys.shuffled(using: &random).prefix(Int.random(in: 1...6, using: &random)))
      var wanted = numbers
      for key in changed { wanted[key] = Int64.random(in: 1...8, using: &random) }
      let error = errorOf {
        try library.save { changes in
          changes.updates = try changed.map { key in
            try library.update(
              "Account", key, versions[key] ?? 0, ["number": wanted[key].map { .integer($0) }])
          }
        }
      }
      let isValid = Set(wanted.values).count == wanted.count
      #expect(error?.code == (isValid ? nil : .uniquenessViolated), "seed \(seed)")
      guard isValid else { continue }
      numbers = wanted
      for key in changed { versions[key, default: 0] += 1 }
    }
    let found = try numbers.keys.sorted().map { try library.only("Account", $0)["number"] }
    #expect(found == numbers.sorted { $0.key < $1.key }.map { "\($0.value)" })
  }

  // MARK: Clash

  @Test func `a clash names the object, its values and who has them`() throws {
    let library = try Library(.inMemory, model: Self.model([["number"], ["bank", "name"]]))
    try library.save {
      $0.inserts = [
        try library.insert("Bank", 1),
        try library.insert("Account", 1, ["number": .integer(1), "name": .string("main")]),
        try library.insert("Savings", 2, ["number": .integer(2), "name": .string("other")]),
      ]
      $0.links = [
        try library.link(("Account", 1), "bank", ("Bank", 1)),
        try library.link(("Savings", 2), "bank", ("Bank", 1)),
      ]
    }
    let store = library.store.identifier
    let number = errorOf {
      try library.save {
        $0.updates = [try library.update("Account", 1, 1, ["number": .integer(2)])]
      }
    }
    #expect(number?.code == .uniquenessViolated)
    #expect(
      number?.description == """
        'number' of 'x-oxbow://\(store)/Account/p1' must be unique: \
        'x-oxbow://\(store)/Account/Savings/p2' has 2 already; nothing was saved
        """)
    #expect(number?.objectIDs.map(\.key) == [1, 2])
    let name = errorOf {
      try library.save {
        $0.updates = [try library.update("Savings", 2, 1, ["name": .string("main")])]
      }
    }
    #expect(
      name?.message == """
        'bank' and 'name' of 'x-oxbow://\(store)/Account/Savings/p2' must be unique together: \
        'x-oxbow://\(store)/Account/p1' has 'x-oxbow://\(store)/Bank/p1' and "main" already; \
        nothing was saved
        """)
    let failure = try #require(name?.validationFailures.first)
    #expect(failure.properties == ["bank", "name"] && failure.property == nil)
    #expect(failure.values["name"] == .attribute(.string("main")))
    #expect(failure.values["bank"]?.objectIDs.map(\.key) == [1])
    #expect(failure.holderID?.key == 1 && failure.rule == .unique)
    #expect(try library.only("Account", 1)["number"] == "1")
    #expect(try library.only("Account", 2)["name"] == "\(AttributeValue.string("other"))")
  }

  @Test func `a clash with what another has changed is a conflict`() throws {
    let library = try Library(.inMemory, model: Self.model([["number"]]))
    try accounts(library, [1, 2])
    try library.save {
      $0.updates = [try library.update("Account", 2, 1, ["name": .string("theirs")])]
    }
    let error = errorOf {
      try library.save {
        $0.updates = [
          try library.update("Account", 1, 1, ["number": .integer(2)]),
          try library.update("Account", 2, 1, ["number": .integer(1)]),
        ]
      }
    }
    #expect(error?.code == .conflict)
    #expect(error?.objectIDs.map(\.key) == [2])
    #expect(try numbers(library) == ["1", "2"])
  }

  // MARK: Rows that are refused

  @Test func `a row that a trigger swallows is an error (review E)`() throws {
    let library = try Library(.file, model: Self.model([]))
    try library.intruder().execute(
      "CREATE TRIGGER mine BEFORE INSERT ON Account WHEN NEW.number = 2 "
        + "BEGIN SELECT RAISE(IGNORE); END")
    let error = errorOf { try accounts(library, [1, 2]) }
    #expect(error?.code == .statementFailed)
    #expect(error?.objectIDs.map(\.key) == [2])
    #expect(error?.message.contains("a trigger of the table 'Account' swallowed it") == true)
    #expect(try library.keys("Account").isEmpty)
  }

  @Test(arguments: ["title", "cover", "both"])
  func `values above SQLite's limit name their object (review E)`(name: String) throws {
    let library = try Library(.inMemory)
    try library.store.database.write { $0.limit(valueBytes: 1_000) }
    var values: [String: AttributeValue] = [:]
    let count = name == "both" ? 700 : 2000
    if name != "cover" { values["title"] = .string(String(repeating: "x", count: count)) }
    if name != "title" { values["cover"] = .data(Data(repeating: 0, count: count)) }
    let error = errorOf {
      try library.save { $0.inserts = [try library.insert("Book", 1, values)] }
    }
    #expect(error?.code == .validation)
    #expect(error?.objectIDs.map(\.key) == [1])
    #expect(
      error?.message.contains(
        name == "both"
          ? "together are larger than a row can be"
          : "the value of '\(name)' of 'x-oxbow://\(library.store.identifier)/Book/p1' has 2000 "
            + "bytes"
      ) == true)
  }
}
