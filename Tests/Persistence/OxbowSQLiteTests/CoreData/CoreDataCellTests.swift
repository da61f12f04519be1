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

/// Cells in the forms of Core Data: every type in every class that it may have, and in others.
@Suite struct CoreDataCellTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  /// An entity with an attribute of each type.
  static func model(isOptional: Bool = true) -> ManagedObjectModel {
    let types: [(String, AttributeType)] = [
      ("small", .integer16), ("middle", .integer32), ("large", .integer64), ("flag", .boolean),
      ("ratio", .double), ("factor", .float), ("day", .date), ("price", .decimal),
      ("name", .string), ("link", .uri), ("mark", .uuid), ("bytes", .binaryData),
      ("shape", .transformable),
    ]
    let attributes = types.map { AttributeDescription($0.0, $0.1, isOptional: isOptional) }
    let external = [AttributeType.binaryData, .transformable].map { type in
      AttributeDescription(
        type == .binaryData ? "picture" : "drawing", type, isOptional: isOptional,
        allowsExternalStorage: true)
    }
    return ManagedObjectModel(entities: [
      EntityDescription("Cell", attributes: attributes + external)
    ])
  }

  /// A store with one object, whose column has what a literal says.
  private func open(
    _ column: String, _ literal: String, isOptional: Bool = true, journal: String = "WAL"
  ) throws -> Library {
    try HandMadeStore.open(
      Self.model(isOptional: isOptional), in: scratch, journal: journal
    ) {
      try $0.execute(
        "INSERT INTO ZCELL (Z_PK, Z_ENT, Z_OPT, Z\(column.uppercased())) VALUES (7, 1, 1, \(literal))"
      )
    }
  }

  /// The value of a row of objects, and of a row of values.
  private func values(
    _ library: Library, _ name: String
  ) throws -> (AttributeValue?, AttributeValue?) {
    let slab = try #require(try library.store.rows(of: try library.fetch("Cell")).first)
    return (
      slab.storedValue(0, try library.property("Cell", name)), try columnValue(library, name)
    )
  }

  private func columnValue(_ library: Library, _ name: String) throws -> AttributeValue? {
    let query = try ColumnQuery(entity: try library.entity("Cell").index, columns: [.init(name)])
    let rows = try library.store.rows(of: query)
    if case .attribute(let found) = rows.values[0] { return found }
    return nil
  }

  private static func date(_ seconds: Double) -> AttributeValue {
    .date(Date(timeIntervalSinceReferenceDate: seconds))
  }

  private static func decimal(_ text: String) -> AttributeValue {
    .decimal(Decimal(string: text) ?? .nan)
  }

  /// What a cell has, and what it means.
  static let fits: [(column: String, literal: String, value: AttributeValue)] = [
    ("small", "-32768", .integer(-32768)), ("middle", "2147483647", .integer(2_147_483_647)),
    ("large", "-9223372036854775808", .integer(.min)), ("large", "'12'", .integer(12)),
    ("flag", "0", .boolean(false)), ("flag", "1", .boolean(true)),
    ("ratio", "3", .double(3)), ("ratio", "0.1", .double(0.1)),
    ("ratio", "1e999", .double(.infinity)),
    ("factor", "0.6700000166893005", .double(Double(Float(0.67)))), ("factor", "2", .double(2)),
    ("day", "3", date(3)), ("day", "3.0", date(3)), ("day", "-1.5", date(-1.5)),
    ("day", "0", date(0)), ("day", "'12'", date(12)),
    ("price", "5", decimal("5")), ("price", "'5.0'", decimal("5")),
    ("price", "'10.11'", decimal("10.11")), ("price", "-0.0", decimal("0")),
    ("price", "'123456789012345678'", decimal("123456789012345678")),
    ("price", "'100000000000000000000'", decimal("100000000000000000000")),
    ("price", "1e-7", decimal("0.0000001")), ("price", "0.1 + 0.2", decimal("0.3")),
    ("price", "-1234567.89012345", decimal("-1234567.89012345")),
    ("price", "1e30", decimal("1000000000000000000000000000000")),
    ("price", "9223372036854775807", decimal("9223372036854775807")),
    ("name", "''", .string("")), ("name", "'é'", .string("é")), ("name", "12", .string("12")),
    ("link", "'https://a.b/c'", .url(URL(string: "https://a.b/c") ?? URL(filePath: "/"))),
    (
      "mark", "x'000102030405060708090a0b0c0d0e0f'",
      .uuid(UUID(uuid: (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)))
    ),
    ("bytes", "x''", .data(Data())), ("bytes", "x'0100'", .data(Data([1, 0]))),
    ("shape", "x'62706c697374'", .data(Data("bplist".utf8))),
    ("picture", "x'01'", .data(Data())), ("picture", "x'0102ff'", .data(Data([2, 255]))),
    ("drawing", "x'0162706c'", .data(Data("bpl".utf8))),
  ]

  @Test(arguments: fits)
  func `PS-01 a cell of Core Data is read in each class that its type has`(
    column: String, literal: String, value: AttributeValue
  ) throws {
    let library = try open(column, literal)
    let (object, row) = try values(library, column)
    #expect(object == value)
    #expect(row == value)
  }

  @Test(arguments: model().entities[0].attributes.map(\.name))
  func `PS-01 NULL is no value`(name: String) throws {
    let (object, row) = try values(try open(name, "NULL"), name)
    #expect(object == nil)
    #expect(row == nil)
  }

  /// What a cell must not have, and how messages call it.
  static let unfit: [(column: String, literal: String, seen: String, expected: String)] = [
    ("small", "32768", "the INTEGER 32768", "an INTEGER from -32768 to 32767"),
    ("middle", "1.5", "the REAL 1.5", "an INTEGER from -2147483648 to 2147483647"),
    ("large", "'x'", "TEXT of 1 bytes", "an INTEGER"),
    ("large", "x'00'", "a BLOB of 1 bytes", "an INTEGER"),
    ("flag", "2", "the INTEGER 2", "0 or 1"), ("flag", "'YES'", "TEXT of 3 bytes", "0 or 1"),
    ("ratio", "'x'", "TEXT of 1 bytes", "a REAL"),
    ("ratio", "x'00'", "a BLOB of 1 bytes", "a REAL"),
    ("factor", "1e39", "the REAL 1e+39", "a REAL in the range of 32 bits"),
    ("day", "'now'", "TEXT of 3 bytes", "an INTEGER or a REAL of seconds since 2001"),
    ("day", "1e999", "the REAL inf", "an INTEGER or a REAL of seconds since 2001"),
    ("day", "x'00'", "a BLOB of 1 bytes", "an INTEGER or a REAL of seconds since 2001"),
    ("price", "'12,5'", "TEXT of 4 bytes", "an INTEGER or a REAL with a decimal number"),
    ("price", "x'31'", "a BLOB of 1 bytes", "an INTEGER or a REAL with a decimal number"),
    ("price", "1e999", "the REAL inf", "an INTEGER or a REAL with a decimal number"),
    ("price", "1e300", "the REAL 1e+300", "an INTEGER or a REAL with a decimal number"),
    ("price", "1e-300", "the REAL 1e-300", "an INTEGER or a REAL with a decimal number"),
    ("name", "x'61'", "a BLOB of 1 bytes", "TEXT in UTF-8"),
    ("name", "CAST(x'61ff' AS TEXT)", "TEXT of 2 bytes that is not UTF-8", "TEXT in UTF-8"),
    ("link", "x'61'", "a BLOB of 1 bytes", "TEXT with a URI"),
    ("mark", "x'00'", "a BLOB of 1 bytes", "a BLOB of 16 bytes"),
    ("mark", "'0'", "TEXT of 1 bytes", "a BLOB of 16 bytes"),
    ("bytes", "3", "the INTEGER 3", "a BLOB"), ("shape", "'x'", "TEXT of 1 bytes", "a BLOB"),
    ("picture", "x''", "a BLOB of 0 bytes", tagged),
    ("picture", "x'03aa'", "a BLOB of 2 bytes", tagged),
    ("picture", "x'02aa'", "a BLOB of 2 bytes", tagged),
    ("picture", "'x'", "TEXT of 1 bytes", tagged),
    ("picture", reference("../../../../../../../../../etc/hosts"), "a BLOB of 38 bytes", tagged),
    (
      "picture", reference("3f2504e0-4f89-41d3-9a0c-0305e82c3301"), "a BLOB of 38 bytes", tagged
    ),
    (
      "picture", reference("3F2504E0-4F89-41D3-9A0C-0305E82C3301", end: "01"),
      "a BLOB of 38 bytes", tagged
    ),
    ("drawing", "x'00'", "a BLOB of 1 bytes", tagged),
  ]

  /// The cell that refers to a file.
  static func reference(_ name: String, end: String = "00") -> String {
    "x'02" + name.utf8.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() + "\(end)'"
  }

  private static let tagged =
    "a BLOB with the tag 01 before bytes, or 02 before the name of a file"

  @Test(arguments: unfit)
  func `PS-01 a cell of another class is an error with table, column and key`(
    column: String, literal: String, seen: String, expected: String
  ) throws {
    let library = try open(column, literal)
    let error = errorOf { _ = try library.keys("Cell") }
    #expect(error?.code == .invalidStoredValue)
    #expect(
      error?.message
        == "the column 'Z\(column.uppercased())' of the table 'ZCELL' has \(seen) in the row with "
        + "Z_PK 7, where the model needs \(expected) or NULL; another program wrote it: correct "
        + "the row in the store")
    // Only the value is unreadable: conditions and other columns are not.
    #expect(try columnValue(library, column == "name" ? "flag" : "name") == nil)
    #expect(try library.store.count(of: library.fetch("Cell")) == 1)
  }

  @Test(arguments: model().entities[0].attributes.map(\.name))
  func `PS-01 a required value that is missing is no value, as it is for Core Data`(
    name: String
  ) throws {
    let library = try HandMadeStore.open(
      ManagedObjectModel(entities: [
        EntityDescription(
          "Cell",
          attributes: Self.model(isOptional: false).entities[0].attributes.filter {
            $0.name == name
          })
      ]), in: scratch
    ) { try $0.execute("INSERT INTO ZCELL (Z_PK, Z_ENT, Z_OPT) VALUES (7, 1, 1)") }
    let (object, row) = try values(library, name)
    #expect(object == nil && row == nil)
    let slab = try #require(try library.store.rows(of: try library.fetch("Cell")).first)
    // As typed accessors read required attributes.
    #expect(UUID._read(slab, 0, 0) == nil)
    #expect(slab.failure(0, try library.property("Cell", name)) == nil)
  }

  @Test func `PS-01 NaN is an error of its value only, and a value in rows of values`() throws {
    let library = try HandMadeStore.open(Self.model(), in: scratch) {
      try $0.execute(
        """
        INSERT INTO ZCELL (Z_PK, Z_ENT, Z_OPT, ZPRICE, ZNAME, ZSHAPE) VALUES
          (7, 1, 1, 'NaN', 'seven', x'0707'), (8, 1, 1, 2.5, 'eight', x'0808')
        """)
    }
    let slab = try #require(try library.store.rows(of: try library.fetch("Cell")).first)
    #expect(slab.count == 2)
    let price = try library.property("Cell", "price")
    for (row, name) in ["seven", "eight"].enumerated() {
      #expect(slab.storedValue(row, try library.property("Cell", "name")) == .string(name))
    }
    #expect(slab.storedValue(0, try library.property("Cell", "shape")) == .data(Data([7, 7])))
    #expect(slab.storedValue(0, price) == nil)
    #expect(slab.storedValue(1, price) == Self.decimal("2.5"))
    #expect(slab.failure(1, price) == nil)
    let error = slab.failure(0, price)
    #expect(error?.code == .invalidStoredValue)
    #expect(
      error?.message
        == "the column 'ZPRICE' of the table 'ZCELL' has the TEXT NaN in the row with Z_PK 7, which "
        + "Core Data writes for a decimal that is not a number; set another value")
    guard case .decimal(let number)? = try columnValue(library, "price") else {
      Issue.record("no decimal number")
      return
    }
    #expect(number.isNaN)
  }

  @Test(arguments: ["WAL", "DELETE"])
  func `PS-01 a version that is missing is 0`(journal: String) throws {
    let library = try HandMadeStore.open(Self.model(), in: scratch, journal: journal) {
      try $0.execute("INSERT INTO ZCELL (Z_PK, Z_ENT) VALUES (7, 1)")
    }
    #expect(library.heads(try library.store.rows(of: try library.fetch("Cell"))) == ["Cell 7 v0"])
  }

  @Test func `PS-01 a declaration proves only what can be of one class`() throws {
    let library = try HandMadeStore.open(
      Self.model(isOptional: false), in: scratch, isStrict: true
    ) {
      try $0.execute(
        """
        INSERT INTO ZCELL (Z_PK, Z_ENT, Z_OPT, ZSMALL, ZMIDDLE, ZLARGE, ZFLAG, ZRATIO, ZFACTOR, ZDAY,
          ZPRICE, ZNAME, ZLINK, ZMARK, ZBYTES, ZSHAPE, ZPICTURE, ZDRAWING) VALUES
        (7, 1, 1, 1, 2, 3, 1, 4, 5, 6, 7, 'n', '/l', zeroblob(16), x'', x'', x'01', x'0109'),
        (8, 1, 1, 1, 2, 3, 1, 4, 5, 6.5, 'NaN', 'n', '/l', zeroblob(16), x'', x'', x'01', x'01')
        """)
    }
    let cell = try library.entity("Cell").index
    let operations = try library.store.current().reader(cell).operations
    #expect(operations.filter { !$0.isProven }.map { "\($0.code)" } == ["date", "decimalNumber"])
    #expect(operations.count == 15)
    let values = try library.only("Cell", 7)
    #expect(values["price"].map { $0.contains("7") } == true)
    #expect(values["drawing"].map { $0.contains("1 bytes") } == true)
    #expect(try library.only("Cell", 8)["name"] == values["name"])
  }

  @Test func `PS-01 an entity beside a key is that of the row where it is missing or unknown`()
    throws
  {
    let model = ManagedObjectModel(entities: [
      EntityDescription(
        "Page", relationships: [RelationshipDescription("book", to: "Book", inverse: "pages")]),
      EntityDescription(
        "Book",
        relationships: [
          RelationshipDescription("pages", to: "Page", inverse: "book", isToMany: true)
        ]), EntityDescription("Novel", parent: "Book"),
    ])
    let library = try HandMadeStore.open(model, in: scratch) { _ in }
    let numbers = try library.store.current().mapping.entities
    let book = try library.entity("Book").index
    let column = "Z\(numbers[book].number)_BOOK"
    let writer = try library.intruder()
    defer { writer.close() }
    func read(_ number: String) throws -> String? {
      try writer.execute(
        "DELETE FROM ZPAGE; INSERT INTO ZPAGE (Z_PK, Z_ENT, Z_OPT, ZBOOK, \(column)) "
          + "VALUES (7, 1, 1, 3, \(number))")
      return try library.only("Page", 7)["book"]
    }
    #expect(try read("\(numbers[try library.entity("Novel").index].number)") == "3 Novel")
    let query = try ColumnQuery(entity: try library.entity("Page").index, columns: ["book"])
    for number in ["NULL", "0", "99"] {
      #expect(try read(number) == "3", "\(number)")
      guard case .object(let id) = try library.store.rows(of: query).values[0] else {
        Issue.record("no object for \(number)")
        continue
      }
      #expect((id.entityName, id.key) == ("Book", 3))
    }
  }

  // MARK: Files

  private static let name = "3F2504E0-4F89-41D3-9A0C-0305E82C3301"

  /// The folder of large values, made; the store's file is `store.sqlite`.
  private func makeFolder() throws -> String {
    let folder = scratch.path + "/.store_SUPPORT/_EXTERNAL_DATA"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    return folder
  }

  @Test(arguments: ["picture", "drawing"])
  func `PG-17 a value of Core Data may be in a file beside the store`(column: String) throws {
    let folder = try makeFolder()
    try Data("large".utf8).write(to: URL(filePath: "\(folder)/\(Self.name)"))
    let (object, row) = try values(open(column, Self.reference(Self.name)), column)
    #expect(object == .data(Data("large".utf8)))
    #expect(row == .data(Data("large".utf8)))
  }

  @Test func `PG-17 the folder has the name of the store's file without its extension`() {
    let names = [
      ("/a/App.sqlite", "/a/.App_SUPPORT/_EXTERNAL_DATA"),
      ("/a.b/App.v2.sqlite", "/a.b/.App.v2_SUPPORT/_EXTERNAL_DATA"),
      ("/a.b/App", "/a.b/.App_SUPPORT/_EXTERNAL_DATA"), ("App.db", ".App_SUPPORT/_EXTERNAL_DATA"),
      ("/.store", "/..store_SUPPORT/_EXTERNAL_DATA"),
    ]
    for (store, folder) in names { #expect(CoreDataFolder(ofStore: store).path == folder) }
  }

  @Test(arguments: ["nothing", "a folder", "no permission"])
  func `PG-17 a file that cannot be read is an error of its value only`(obstacle: String) throws {
    let path = try makeFolder() + "/" + Self.name
    if obstacle == "a folder" {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    }
    if obstacle == "no permission" {
      // A link to itself: the tests may run as a user who may read everything.
      try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: path)
    }
    let library = try HandMadeStore.open(Self.model(), in: scratch) {
      try $0.execute(
        """
        INSERT INTO ZCELL (Z_PK, Z_ENT, Z_OPT, ZPICTURE, ZDRAWING, ZNAME, ZSHAPE) VALUES
          (7, 1, 1, \(Self.reference(Self.name)), x'0105', 'seven', x'0707'),
          (8, 1, 1, x'0108', \(Self.reference(Self.name)), 'eight', x'0808')
        """)
    }
    let slab = try #require(try library.store.rows(of: try library.fetch("Cell")).first)
    #expect(slab.count == 2)
    func value(_ row: Int, _ name: String) throws -> AttributeValue? {
      slab.storedValue(row, try library.property("Cell", name))
    }
    #expect(try value(0, "name") == .string("seven"))
    #expect(try value(0, "shape") == .data(Data([7, 7])))
    #expect(try value(0, "drawing") == .data(Data([5])))
    #expect(try value(0, "picture") == nil)
    #expect(try value(1, "picture") == .data(Data([8])))
    #expect(try value(1, "drawing") == nil)
    #expect(try value(1, "shape") == .data(Data([8, 8])))
    let error = slab.failure(1, try library.property("Cell", "drawing"))
    #expect(error?.code == (obstacle == "no permission" ? .ioFailure : .invalidStoredValue))
    let start =
      "the column 'ZDRAWING' of the table 'ZCELL', in the row with Z_PK 8, has its value in the file "
      + "'\(path)', which "
    #expect(error?.message.hasPrefix(start) == true, "\(error?.message ?? "none")")
    if obstacle != "no permission" {
      #expect(
        error?.message == start
          + "is not there; nothing was changed: the folder belongs to the store's file, and both are "
          + "copied and moved together; put the file back from a backup")
    }
    #expect(slab.failure(0, try library.property("Cell", "drawing")) == nil)
    #expect(slab.failure(0, try library.property("Cell", "name")) == nil)
    let rows = errorOf { _ = try columnValue(library, "picture") }
    #expect(
      rows?.message.hasPrefix("the column 'picture' of a fetch of rows has its value in the file")
        == true)
  }

  // MARK: Garbage

  @Test(arguments: [1, UInt64.random(in: 2...UInt64.max)])
  func `PS-01 flipped bits in cells are values or errors with table, column and key`(
    seed: UInt64
  ) throws {
    print("Flipped bits in Core Data's cells: seed \(seed)")
    var random = SeededRandom(seed: seed)
    try Data("large".utf8).write(to: URL(filePath: "\(try makeFolder())/\(Self.name)"))
    let library = try HandMadeStore.open(Self.model(), in: scratch) { _ in }
    let writer = try library.intruder()
    defer { writer.close() }
    let columns = try library.store.current().mapping.entities[0].columns
    var errors = 0
    for round in 0..<400 {
      let column = try #require(columns.randomElement(using: &random))
      try writer.run("DELETE FROM ZCELL")
      try writer.run(
        "INSERT INTO ZCELL (Z_PK, Z_ENT, Z_OPT, \(column.name)) VALUES (7, 1, 1, ?)",
        [Self.spoilt(&random)])
      do {
        let slab = try #require(try library.store.rows(of: try library.fetch("Cell")).first)
        _ = library.values(slab, 0)
      } catch let error as PersistenceError {
        errors += 1
        #expect(error.code == .invalidStoredValue, "seed \(seed), round \(round): \(error)")
        #expect(
          error.message.hasPrefix("the column '\(column.name)' of the table 'ZCELL' has ")
            && error.message.contains("in the row with Z_PK 7"),
          "seed \(seed), round \(round): \(error)")
      }
    }
    #expect(errors > 50)
  }

  /// A cell that some column may have, with up to two bits flipped; or bytes.
  private static func spoilt(_ random: inout SeededRandom) -> SQLValue {
    var bytes: [UInt8] =
      switch Int.random(in: 0..<6, using: &random) {
      case 0: [2] + Array(name.utf8) + [0]
      case 1: [1, 9, 9, 9]
      case 2: Array("12.5".utf8)
      case 3: Array("https://a.b".utf8)
      case 4: withUnsafeBytes(of: Double.random(in: -1e9...1e9, using: &random)) { Array($0) }
      default:
        (0..<Int.random(in: 0...60, using: &random)).map { _ in
          UInt8.random(in: 0...255, using: &random)
        }
      }
    for _ in 0..<Int.random(in: 0...2, using: &random) where !bytes.isEmpty {
      let place = Int.random(in: 0..<bytes.count, using: &random)
      bytes[place] ^= 1 << UInt8.random(in: 0...7, using: &random)
    }
    switch Int.random(in: 0..<4, using: &random) {
    case 0: return .text(String(decoding: bytes, as: UTF8.self))
    case 1: return .integer(Int64(bytes.first ?? 0) << Int64.random(in: 0...62, using: &random))
    case 2:
      return .real(
        Double(bitPattern: bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }))
    default: return .blob(bytes)
    }
  }
}
