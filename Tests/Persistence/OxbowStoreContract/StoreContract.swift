package import OxbowModel
package import OxbowStore
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What every store must do, whatever it is kept in.
///
/// A test target opens its stores and has a test for each function:
///
/// ```swift
/// @Test func `versions begin at 1 and count updates`() throws {
///   try StoreContract { StoreLibrary(try MyStore(CompiledModel($0))) }
///     .`versions begin at 1 and count updates`()
/// }
/// ```
package struct StoreContract<Store: PersistentStore>: Sendable {
  /// Makes an empty store of a model.
  let open: @Sendable (ManagedObjectModel) throws -> StoreLibrary<Store>

  package init(_ open: @escaping @Sendable (ManagedObjectModel) throws -> StoreLibrary<Store>) {
    self.open = open
  }

  package func `values of every type come back`() throws {
    let library = try open(libraryModel())
    let uuid = UUID()
    let values: [String: AttributeValue] = [
      "title": .string("Ærø \u{0} 𝄞"), "pages": .integer(Int64(Int32.min)),
      "price": .decimal(Decimal(string: "-1234567890123456789012345678.5") ?? 0),
      "printed": .date(Date(timeIntervalSinceReferenceDate: -1.25)), "isLent": .boolean(true),
      "weight": .double(-.infinity), "number": .uuid(uuid), "cover": .data(Data([0, 255, 1])),
      "page": .url(URL(string: "https://example.org/a?b=%20c#d") ?? URL(filePath: "/")),
      "grade": .integer(-32768), "factor": .double(0.5), "copies": .integer(.max),
    ]
    try library.save { $0.inserts = [try library.insert("Book", 1, values)] }
    #expect(try library.only("Book", 1) == values.mapValues { "\($0)" })
    try library.save {
      $0.updates = [
        try library.update(
          "Book", 1, 1,
          [
            "price": nil, "printed": nil, "isLent": nil, "weight": nil, "number": nil,
            "cover": .data(Data()), "page": nil, "grade": nil, "factor": nil, "copies": nil,
            "title": .string(""), "pages": .integer(7),
          ])
      ]
    }
    #expect(
      try library.only("Book", 1) == [
        "title": "\(AttributeValue.string(""))", "pages": "\(AttributeValue.integer(7))",
        "cover": "\(AttributeValue.data(Data()))",
      ])
  }

  package func `versions begin at 1 and count updates`() throws {
    let library = try open(libraryModel())
    try library.save { $0.inserts = [try library.insert("Tag", 5), try library.insert("Tag", 3)] }
    try library.save {
      $0.updates = [try library.update("Tag", 5, 1, ["label": .string("x")])]
    }
    try library.save { $0.updates = [try library.update("Tag", 5, 2, [:])] }
    let fetch = try library.fetch("Tag")
    #expect(library.heads(try library.store.rows(of: fetch)) == ["Tag 3 v1", "Tag 5 v3"])
    #expect(library.keys(try library.store.keys(of: fetch)) == [3, 5])
    #expect(try library.store.keys(of: fetch).allSatisfy { $0.isFault })
    #expect(try library.store.rows(of: fetch).allSatisfy { !$0.isFault })
  }

  package func `PF-01 of rows that the caller has, only the header is read`(_ count: Int) throws {
    let library = try open(libraryModel())
    try library.save { $0.inserts = [try library.insert("Tag", 5), try library.insert("Tag", 3)] }
    try library.save {
      $0.updates = [try library.update("Tag", 5, 1, ["label": .string("x")])]
    }
    let known = RowFilter(count: count) { _, _, version in version == 1 }
    let slabs = try library.store.rows(of: try library.fetch("Tag"), unless: known)
    #expect(library.heads(slabs) == ["Tag 3 v1", "Tag 5 v2"])
    let slab = try #require(slabs.first)
    #expect((0..<slab.count).map { slab.hasValues($0) } == [false, true])
    #expect(library.values(slab, 1)["label"] == "\(AttributeValue.string("x"))")
  }

  package func `a conflict names all objects and changes nothing`() throws {
    let library = try open(libraryModel())
    try library.save {
      $0.inserts = try (1...4).map { try library.insert("Tag", $0) }
    }
    try library.save {
      $0.updates = [try library.update("Tag", 1, 1, ["label": .string("theirs")])]
    }
    let error = errorOf {
      try library.save {
        $0.inserts = [try library.insert("Tag", 9)]
        $0.updates = [
          try library.update("Tag", 1, 1, ["label": .string("mine")]),
          try library.update("Tag", 2, 1, ["label": .string("mine")]),
          try library.update("Tag", 77, 1, ["label": .string("mine")]),
        ]
        $0.deletes = [try library.delete("Tag", 3, 9), try library.delete("Tag", 4)]
      }
    }
    #expect(error?.code == .conflict)
    #expect(error?.objectIDs.map(\.key) == [3, 1, 77])
    #expect(error?.objectIDs.allSatisfy { $0.store == library.store.identifier } == true)
    #expect(
      error?.message.hasSuffix(
        "changed in the store, or was deleted, since this context read it; nothing was saved: "
          + "refresh and make the changes again") == true)
    #expect(try library.keys("Tag") == [1, 2, 3, 4])
    #expect(try library.only("Tag", 2)["label"] == "\(AttributeValue.string(""))")
  }

  package func `a fetch of a hierarchy brings each row as what it is`() throws {
    let library = try open(libraryModel())
    try library.save {
      $0.inserts = [
        try library.insert("Reader", 1, ["name": .string("r"), "card": .integer(9)]),
        try library.insert("Writer", 2, ["name": .string("w"), "note": .string("n")]),
        try library.insert("Book", 1, ["title": .string("b")]),
      ]
      $0.links = [try library.link(("Book", 1), "author", ("Writer", 2))]
    }
    let slabs = try library.store.rows(of: try library.fetch("Person"))
    #expect(library.heads(slabs) == ["Reader 1 v1", "Writer 2 v1"])
    #expect(library.values(slabs[0], 0)["card"] == "\(AttributeValue.integer(9))")
    #expect(library.values(slabs[0], 1)["note"] == "\(AttributeValue.string("n"))")
    #expect(try library.keys("Reader") == [1])
    #expect(try library.keys("Writer") == [2])
    var narrow = try library.fetch("Person")
    narrow.includesSubentities = false
    #expect(try library.store.rows(of: narrow).isEmpty)
    #expect(try library.store.count(of: narrow) == 0)
    #expect(try library.only("Book", 1)["author"] == "2 Writer")
    #expect(try library.only("Writer", 1).isEmpty)
  }

  package func `sort, limit and offset act after the condition`() throws {
    let library = try open(libraryModel())
    try library.save {
      $0.inserts = try (1...20).map {
        try library.insert(
          "Book", $0, ["pages": .integer($0 % 3), "title": .string("\($0)")])
      }
    }
    var fetch = try library.fetch(
      "Book",
      .comparison(.path(["pages"]), .notEqual, .value(.attribute(.integer(0)))))
    fetch.sortKeys = [OrderingTerm("pages", ascending: false)]
    fetch.limit = 4
    fetch.offset = 5
    #expect(library.keys(try library.store.rows(of: fetch)) == [17, 20, 1, 4])
    #expect(library.keys(try library.store.keys(of: fetch)) == [17, 20, 1, 4])
    #expect(try library.store.count(of: fetch) == 4)
    fetch.offset = 12
    #expect(try library.store.count(of: fetch) == 2)
    fetch.limit = nil
    #expect(library.keys(try library.store.rows(of: fetch)) == [16, 19])
  }

  package func `decimals compare and sort by value`() throws {
    let library = try open(libraryModel())
    let prices = ["10", "9.5", "-3", "9.50", "0.001", "100"]
    try library.save {
      $0.inserts =
        try prices.enumerated().map {
          try library.insert(
            "Book", Int64($0) + 1, ["price": .decimal(Decimal(string: $1) ?? 0)])
        } + [try library.insert("Book", 7)]
    }
    var fetch = try library.fetch("Book")
    fetch.sortKeys = [OrderingTerm("price")]
    #expect(library.keys(try library.store.rows(of: fetch)) == [7, 3, 5, 2, 4, 1, 6])
    #expect(
      try library.keys(
        "Book",
        .comparison(
          .path(["price"]), .less, .value(.attribute(.decimal(Decimal(string: "9.6") ?? 0)))))
        == [2, 3, 4, 5])
  }

  package func `rows by key come once, without those that are gone`() throws {
    let library = try open(libraryModel())
    try library.save { $0.inserts = try (1...50).map { try library.insert("Tag", $0) } }
    let tag = try library.entity("Tag").index
    #expect(
      library.keys(try library.store.rows(of: tag, keys: [7, 3, 99, 3, 50])).sorted() == [3, 7, 50]
    )
    #expect(try library.store.rows(of: tag, keys: []).isEmpty)
    let many = (1...40_000).map(Int64.init)
    #expect(library.keys(try library.store.rows(of: tag, keys: many)).count == 50)
  }

  package func `PF-01 rows of a fetch come once, whatever its condition follows`() throws {
    let library = try open(libraryModel())
    let links: [(book: Int64, tag: Int64)] = [(1, 1), (1, 2), (1, 3), (2, 3)]
    try library.save { changes in
      changes.inserts = try (1...2).map { try library.insert("Book", $0) }
      changes.inserts += try (1...3).map { try library.insert("Tag", $0) }
      changes.links = try links.map {
        try library.link(("Book", $0.book), "tags", ("Tag", $0.tag), at: 1024 * $0.tag)
      }
    }
    var fetch = try library.fetch("Book")
    fetch.predicate = try FetchPredicate(format: "ANY tags.books.tags.label != 'x'")
    #expect(library.keys(try library.store.rows(of: fetch)) == [1, 2])
    #expect(library.keys(try library.store.keys(of: fetch)) == [1, 2])
  }

  // MARK: Links

  package func `to-many relationships are read for all owners at once, in order`() throws {
    let library = try open(libraryModel())
    try library.save { changes in
      changes.inserts = try (1...4).map { try library.insert("Book", $0) }
      changes.inserts += try (1...2).map { try library.insert("Shelf", $0) }
      changes.inserts += [try library.insert("Tag", 1), try library.insert("Tag", 2)]
      changes.links = [
        try library.link(("Book", 1), "shelf", ("Shelf", 1), ownerAt: 4096),
        try library.link(("Book", 2), "shelf", ("Shelf", 1), ownerAt: 2048),
        try library.link(("Book", 4), "shelf", ("Shelf", 2), ownerAt: 2048),
        try library.link(("Book", 1), "tags", ("Tag", 2), at: 2048),
        try library.link(("Book", 1), "tags", ("Tag", 1), at: 3072),
        try library.link(("Book", 3), "tags", ("Tag", 1), at: 2048),
      ]
    }
    #expect(try library.related("Shelf", "books", [1, 2, 3]) == [1: [2, 1], 2: [4]])
    #expect(try library.related("Book", "tags", [1, 3, 4]) == [1: [2, 1], 3: [1]])
    #expect(try library.related("Tag", "books", [1, 2]) == [1: [1, 3], 2: [1]])
    let tags = try #require(try library.property("Book", "tags").relationship)
    let related = try library.store.rows(related: tags.id, to: [1, 3])
    #expect(library.keys(related.slabs).sorted() == [1, 2])
    // Moved, untied and tied again.
    try library.save {
      $0.updates = [try library.update("Book", 1, 1, [:])]
      $0.unlinks = [
        try library.link(("Book", 1), "shelf", ("Shelf", 1)),
        try library.link(("Book", 1), "tags", ("Tag", 2)),
      ]
      $0.links = [
        try library.link(("Book", 1), "shelf", ("Shelf", 2), ownerAt: 1024),
        try library.link(("Book", 1), "tags", ("Tag", 1), at: 9000),
      ]
    }
    #expect(try library.related("Shelf", "books", [1, 2]) == [1: [2], 2: [1, 4]])
    #expect(try library.related("Book", "tags", [1]) == [1: [1]])
    #expect(library.heads(try library.store.rows(of: try library.fetch("Book")))[0] == "Book 1 v2")
  }

  package func `links between two to-one ends are on both sides`() throws {
    let library = try open(libraryModel())
    try library.save {
      $0.inserts = [
        try library.insert("Reader", 1), try library.insert("Writer", 2),
        try library.insert("Writer", 3),
      ]
      $0.links = [
        try library.link(("Reader", 1), "mentor", ("Writer", 2)),
        try library.link(("Reader", 1), "friend", ("Writer", 3)),
      ]
    }
    #expect(try library.only("Reader", 1)["mentor"] == "2 Writer")
    #expect(try library.only("Writer", 2)["pupil"] == "1 Reader")
    #expect(try library.only("Writer", 3)["friend"] == "1 Reader")
    #expect(try library.only("Reader", 1)["friend"] == "3 Writer")
    try library.save {
      $0.unlinks = [
        try library.link(("Reader", 1), "mentor", ("Writer", 2)),
        try library.link(("Reader", 1), "friend", ("Writer", 3)),
      ]
      $0.links = [try library.link(("Reader", 1), "mentor", ("Writer", 3))]
    }
    #expect(try library.only("Reader", 1)["mentor"] == "3 Writer")
    #expect(try library.only("Reader", 1)["friend"] == nil)
    #expect(try library.only("Writer", 2)["pupil"] == nil)
    #expect(try library.only("Writer", 3)["pupil"] == "1 Reader")
    #expect(try library.only("Writer", 3)["friend"] == nil)
  }

  package func `a to-many relationship may be its own inverse, or have none`() throws {
    let library = try open(libraryModel())
    try library.save {
      $0.inserts = try [1, 2, 3].map { try library.insert("Reader", $0) }
      $0.inserts += try [1, 2].map { try library.insert("Tag", $0) }
      $0.links = [
        try library.link(("Reader", 1), "peers", ("Reader", 2)),
        try library.link(("Reader", 3), "peers", ("Reader", 1)),
        try library.link(("Tag", 1), "related", ("Tag", 2)),
        try library.link(("Tag", 1), "related", ("Tag", 1)),
      ]
    }
    #expect(try library.related("Reader", "peers", [1, 2, 3]) == [1: [2, 3], 2: [1], 3: [1]])
    #expect(try library.related("Tag", "related", [1, 2]) == [1: [1, 2]])
    try library.save { $0.unlinks = [try library.link(("Reader", 2), "peers", ("Reader", 1))] }
    #expect(try library.related("Reader", "peers", [1, 2]) == [1: [3]])
  }

  package func `a deleted object takes its join rows along`() throws {
    let library = try open(libraryModel())
    try library.save {
      $0.inserts = [try library.insert("Book", 1), try library.insert("Tag", 1)]
      $0.links = [try library.link(("Book", 1), "tags", ("Tag", 1))]
    }
    try library.save {
      $0.deletes = [try library.delete("Tag", 1, 1)]
      $0.unlinks = [try library.link(("Book", 1), "tags", ("Tag", 1))]
    }
    #expect(try library.related("Book", "tags", [1]) == [:])
    #expect(try library.keys("Tag").isEmpty)
  }

  /// Returns the refusal, whose words are the store's own.
  @discardableResult
  package func `a link to an object that is not there is refused, and nothing saved`() throws
    -> PersistenceError?
  {
    let library = try open(libraryModel())
    let error = errorOf {
      try library.save {
        $0.inserts = [try library.insert("Book", 1)]
        $0.links = [try library.link(("Book", 1), "shelf", ("Shelf", 8))]
      }
    }
    #expect(error?.code == .conflict)
    #expect(try library.keys("Book").isEmpty)
    return error
  }

  // MARK: Keys, constraints, life

  package func `keys are never handed out twice`() throws {
    let library = try open(libraryModel())
    let tag = try library.entity("Tag").index
    let first = try library.store.reserveKeys(root: tag, count: 10)
    #expect(first == 1..<11)
    #expect(try library.store.reserveKeys(root: tag, count: 1) == 11..<12)
    try library.save { $0.inserts = [try library.insert("Tag", 500)] }
    #expect(try library.store.reserveKeys(root: tag, count: 3) == 501..<504)
    try library.save { $0.deletes = [try library.delete("Tag", 500, 1)] }
    #expect(try library.store.reserveKeys(root: tag, count: 1) == 504..<505)
    #expect(
      try library.store.reserveKeys(root: try library.entity("Book").index, count: 1) == 1..<2)
  }

  package func `values that must be unique name the object that breaks it`() throws {
    let library = try open(libraryModel())
    let number = AttributeValue.uuid(UUID())
    try library.save { $0.inserts = [try library.insert("Book", 1, ["number": number])] }
    let error = errorOf {
      try library.save {
        $0.inserts = [
          try library.insert("Book", 2), try library.insert("Book", 3, ["number": number]),
        ]
      }
    }
    #expect(error?.code == .uniquenessViolated)
    #expect(error?.objectIDs.map(\.key) == [3, 1])
    #expect(error?.message.hasPrefix("'number' of 'x-oxbow://") == true)
    #expect(try library.keys("Book") == [1])
    // What makes room comes first.
    try library.save {
      $0.deletes = [try library.delete("Book", 1, 1)]
      $0.inserts = [try library.insert("Book", 4, ["number": number])]
    }
    let clash = errorOf {
      try library.save {
        $0.inserts = [try library.insert("Book", 5)]
        $0.updates = [try library.update("Book", 4, 1, ["pages": .integer(1)])]
      }
      try library.save {
        $0.updates = [try library.update("Book", 5, 1, ["number": number])]
      }
    }
    #expect(clash?.objectIDs.map(\.key) == [5, 4])
  }

  package func `a change set can be applied again after a failure`() throws {
    let library = try open(libraryModel())
    var changes = ChangeSet()
    changes.inserts = [try library.insert("Book", 1)]
    changes.links = [try library.link(("Book", 1), "shelf", ("Shelf", 8), ownerAt: 2048)]
    #expect(throws: PersistenceError.self) { try library.store.save(changes) }
    try library.save { $0.inserts = [try library.insert("Shelf", 8)] }
    try library.store.save(changes)
    #expect(try library.related("Shelf", "books", [8]) == [8: [1]])
  }

  package func `large results come in several slabs`() throws {
    let library = try open(libraryModel())
    let text = String(repeating: "x", count: 100)
    try library.save {
      $0.inserts = try (1...5000).map {
        try library.insert("Tag", $0, ["label": .string("\(text)\($0)")])
      }
    }
    let slabs = try library.store.rows(of: try library.fetch("Tag"))
    #expect(slabs.map(\.count) == [2048, 2048, 904])
    #expect(library.keys(slabs) == Array(1...5000))
    #expect(
      library.values(slabs[2], 903)["label"] == "\(AttributeValue.string("\(text)5000"))")
  }

  package func `eight threads read whole saves while one writes`() async throws {
    let library = try open(libraryModel())
    try library.save {
      $0.inserts = [try library.insert("Tag", 1), try library.insert("Tag", 2)]
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        for round in 1...100 {
          try library.save {
            let label = ["label": AttributeValue.string("\(round)")] as [String: AttributeValue?]
            $0.updates = [
              try library.update("Tag", 1, Int64(round), label),
              try library.update("Tag", 2, Int64(round), label),
            ]
          }
        }
      }
      for _ in 0..<8 {
        group.addTask {
          for _ in 0..<100 {
            let slabs = try library.store.rows(of: try library.fetch("Tag"))
            #expect(library.values(slabs[0], 0) == library.values(slabs[0], 1))
            #expect(slabs[0]._version(0) == slabs[0]._version(1))
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(
      library.heads(try library.store.rows(of: try library.fetch("Tag"))) == [
        "Tag 1 v101", "Tag 2 v101",
      ])
  }
}
