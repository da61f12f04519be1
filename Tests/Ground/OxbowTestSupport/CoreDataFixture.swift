import CSQLite

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A small model and store as Core Data writes them, made here.
public enum CoreDataFixture {
  /// A model that has everything that a compiled model can say.
  ///
  /// `change` is called with the fields of the attribute `Book.title` before they are written.
  public static func model(
    titleType: Int = 700, version: String = "1", fewestPages: Double = 1
  ) -> [UInt8] {
    var maker = ArchiveMaker()
    let (work, book, author) = (maker.reserve(), maker.reserve(), maker.reserve())
    let (books, writer) = (maker.reserve(), maker.reserve())
    let uuid = maker.attribute("id", 1100, of: work)
    let title = maker.attribute(
      "title", titleType, of: book, optional: true, default: "untitled",
      rules: [("length", 3, 2), ("length", 1, 50), ("SELF", 6, "[A-Z].*")])
    let pages = maker.attribute(
      "pages", 300, of: book, default: 1, rules: [("SELF", 3, .real(fewestPages))])
    let cover = maker.attribute("cover", 1000, of: book, optional: true, flags: 4)
    maker.fill(
      books, "NSRelationshipDescription",
      [
        "NSPropertyName": maker.add("books"), "NSEntity": author, "NSDestinationEntity": book,
        "_NSDestinationEntityName": maker.add("Book"), "NSInverseRelationship": writer,
        "_NSInverseRelationshipName": maker.add("author"), "NSDeleteRule": 2, "NSMaxCount": 0,
        "NSMinCount": 0, "NSIsOptional": true, "NSIsOrdered": true,
      ])
    maker.fill(
      writer, "NSRelationshipDescription",
      [
        "NSPropertyName": maker.add("author"), "NSEntity": book, "NSDestinationEntity": author,
        "NSInverseRelationship": books, "NSDeleteRule": 1, "NSMaxCount": 1, "NSMinCount": 1,
      ])
    let count = maker.derivedCount("bookCount", "books", of: author)
    let name = maker.attribute("name", 700, of: author, renamed: "title")
    let famous = maker.fetched("famous", author, book)
    let proxy = maker.add(
      "_NSPropertyDescriptionProxy", ["NSUnderlyingProperty": uuid, "NSReferenceID": 1])
    maker.entity(work, "Work", ["id": uuid], isAbstract: true)
    maker.entity(
      book, "Book",
      ["id": proxy, "title": title, "pages": pages, "cover": cover, "author": writer],
      parent: work, index: "title", unique: "title", renamed: "Volume")
    maker.entity(
      author, "Author", ["books": books, "bookCount": count, "name": name, "famous": famous])
    let template = maker.request(
      book, where: maker.comparison("title", 99, "x", flags: 1), flags: 28)
    let model = maker.add(
      "NSManagedObjectModel",
      [
        "NSEntities": maker.pairs(["Work": work, "Book": book, "Author": author]),
        "NSVersionIdentifiers": maker.list([.text(version)], of: "NSSet"),
        "NSFetchRequestTemplates": maker.pairs(["byTitle": template]),
        "NSConfigurations": maker.pairs(["Local": maker.list([author], of: "NSSet")]),
      ])
    return maker.archive(model).bytes
  }

  /// The document that says what `model()` says.
  public static func document(titleType: String = "String", version: String = "1") -> String {
    """
    <model userDefinedModelVersionIdentifier="\(version)">
      <entity name="Author">
        <attribute name="bookCount" optional="YES" attributeType="Integer 64" derived="YES" \
    derivationExpression="books.@count"/>
        <relationship name="books" optional="YES" toMany="YES" ordered="YES" deletionRule="Cascade" \
    destinationEntity="Book" inverseName="author" inverseEntity="Book"/>
        <fetchedProperty name="famous" optional="YES">
          <fetchRequest name="fetchedPropertyFetchRequest" entity="Book" fetchLimit="5" \
    predicateString="(title == $FETCH_SOURCE.name) AND (NOT (pages IN {1, 2}))"/>
        </fetchedProperty>
        <attribute name="name" attributeType="String" elementID="title"/>
      </entity>
      <entity name="Book" parentEntity="Work" elementID="Volume">
        <relationship name="author" minCount="1" maxCount="1" deletionRule="Nullify" \
    destinationEntity="Author" inverseName="books" inverseEntity="Author"/>
        <attribute name="cover" optional="YES" attributeType="Binary" \
    allowsExternalBinaryDataStorage="YES"/>
        <attribute name="pages" attributeType="Integer 64" defaultValueString="1" \
    minValueString="1.0"/>
        <attribute name="title" optional="YES" attributeType="\(titleType)" \
    defaultValueString="untitled" minValueString="2" maxValueString="50" \
    regularExpressionString="[A-Z].*"/>
        <fetchIndex name="byTitle">
          <fetchIndexElement property="title" type="Binary" order="descending"/>
        </fetchIndex>
        <uniquenessConstraints>
          <uniquenessConstraint><constraint value="title"/></uniquenessConstraint>
        </uniquenessConstraints>
        <userInfo><entry key="shelf" value="3"/></userInfo>
      </entity>
      <entity name="Work" isAbstract="YES"><attribute name="id" attributeType="UUID"/></entity>
      <configuration name="Local"><memberEntity name="Author"/></configuration>
      <fetchRequest name="byTitle" entity="Book" predicateString="title CONTAINS[c] &quot;x&quot;" \
    includeSubentities="NO"/>
    </model>
    """
  }

  /// A raw deflate stream whose blocks are not compressed.
  public static func deflated(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    var rest = bytes[...]
    repeat {
      let part = rest.prefix(60_000)
      rest = rest.dropFirst(part.count)
      let (low, high) = (UInt8(part.count & 0xFF), UInt8(part.count >> 8))
      result += [rest.isEmpty ? 1 : 0, low, high, ~low, ~high] + part
    } while !rest.isEmpty
    return result
  }

  /// The property list of a store's metadata.
  public static func properties(_ hashes: [String: [UInt8]], framework: Int = 1344) -> [UInt8] {
    ListValue.dictionary([
      ("NSStoreType", "SQLite"), ("NSPersistenceFrameworkVersion", .integer(framework)),
      ("NSStoreModelVersionHashesVersion", 3), ("NSStoreModelVersionIdentifiers", .array(["1"])),
      (
        "NSStoreModelVersionHashes",
        .dictionary(hashes.sorted { $0.key < $1.key }.map { ($0.key, .data($0.value)) })
      ), ("lastSync", "yesterday"),
    ]).bytes
  }

  /// The tables of a store of `model()`, with three books, of two authors.
  public static let statements = """
    CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, \
    Z_MAX INTEGER);
    CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);
    CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB);
    CREATE TABLE ZAUTHOR (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR);
    CREATE TABLE ZWORK (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZTITLE VARCHAR);
    INSERT INTO Z_PRIMARYKEY VALUES (1, 'Author', 0, 2), (2, 'Work', 0, 3), (3, 'Volume', 2, 0),
      (16001, 'CHANGE', 0, 0);
    INSERT INTO ZAUTHOR VALUES (1, 1, 1, 'a'), (2, 9, 1, 'b');
    INSERT INTO ZWORK VALUES (1, 3, 1, 'x'), (2, 3, 1, 'y'), (3, 3, 1, 'z');
    """

  /// The columns that the model has beside those of ``statements``.
  private static let columns = """
    ALTER TABLE ZAUTHOR ADD COLUMN ZBOOKCOUNT INTEGER; ALTER TABLE ZWORK ADD COLUMN ZID BLOB;
    ALTER TABLE ZWORK ADD COLUMN ZPAGES INTEGER; ALTER TABLE ZWORK ADD COLUMN ZCOVER BLOB;
    ALTER TABLE ZWORK ADD COLUMN ZAUTHOR INTEGER;
    ALTER TABLE ZWORK ADD COLUMN Z_FOK_AUTHOR INTEGER;

    """

  /// The tables of a history of saves, as Core Data makes them.
  public static let historyTables = """
    CREATE TABLE ACHANGE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER,
      ZCHANGETYPE INTEGER, ZENTITY INTEGER, ZENTITYPK INTEGER, ZTRANSACTIONID INTEGER,
      ZCOLUMNS BLOB);
    CREATE TABLE ATRANSACTION (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER,
      ZAUTHORTS INTEGER, ZBUNDLEIDTS INTEGER, ZCONTEXTNAMETS INTEGER, ZPROCESSIDTS INTEGER,
      ZTIMESTAMP FLOAT, ZAUTHOR VARCHAR, ZBUNDLEID VARCHAR, ZCONTEXTNAME VARCHAR,
      ZPROCESSID VARCHAR, ZQUERYGEN BLOB);
    CREATE TABLE ATRANSACTIONSTRING (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER,
      ZNAME VARCHAR);
    """

  /// Makes a store that keeps its model, from the model's hashes; that of Author may be made up.
  public static func keeping(
    _ path: String, hashes: [String: [UInt8]], more: String = ""
  ) throws {
    let hashes = hashes.merging(["Author": [UInt8](repeating: 9, count: 32)]) { own, _ in own }
    try store(path, properties(hashes), model: deflated(model()), more: columns + more)
  }

  /// Makes a store and keeps it open while `body` runs.
  public static func store(
    _ path: String, _ properties: [UInt8], model: [UInt8]? = nil, journal: String = "wal",
    uuid: String = "8A0F9F6C-6B0E-4C7E-9C6C-0123456789AB", more: String = "",
    whileOpen body: () throws -> Void = {}
  ) throws {
    func hexadecimal(_ bytes: [UInt8]) -> String {
      bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
    try FixtureDatabase.run(
      path,
      "PRAGMA journal_mode = \(journal); PRAGMA wal_autocheckpoint = 0; BEGIN; \(statements)"
        + "INSERT INTO Z_METADATA VALUES (1, '\(uuid)', x'\(hexadecimal(properties))');"
        + (model.map { "INSERT INTO Z_MODELCACHE VALUES (x'\(hexadecimal($0))');" } ?? "")
        + "COMMIT; \(more)", whileOpen: body)
  }
}

/// A database that a test keeps open.
public enum FixtureDatabase {
  public struct Failure: Error { public let message: String }

  /// Runs statements, and `body` before the database is closed.
  public static func run(
    _ path: String, _ sql: String, whileOpen body: () throws -> Void = {}
  ) throws {
    var handle: OpaquePointer?
    defer { sqlite3_close(handle) }
    guard sqlite3_open(path, &handle) == SQLITE_OK,
      sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK
    else { throw Failure(message: String(cString: sqlite3_errmsg(handle))) }
    try body()
  }
}

// MARK: - Parts of models

extension ArchiveMaker {
  fileprivate mutating func entity(
    _ place: ListValue, _ name: String, _ properties: KeyValuePairs<String, ListValue>,
    isAbstract: Bool = false, parent: ListValue = .reference(0), index: String? = nil,
    unique: String? = nil, renamed: String? = nil
  ) {
    let indexes = index.map { property -> ListValue in
      let element = add(
        "NSFetchIndexElementDescription",
        [
          "NSPropertyName": add(.text(property)), "NSAscending": false,
          "NSFetchIndexElementType": 0,
        ])
      return add(
        "NSFetchIndexDescription",
        [
          "NSIndexName": add("byTitle"), "NSIndexElements": list([element]),
          "NSPartialIndexPredicate": .reference(0),
        ])
    }
    let constraints = unique.map { list([.text($0)]) }
    fill(
      place, "NSEntityDescription",
      [
        "NSEntityName": add(.text(name)), "NSProperties": pairs(properties),
        "NSSuperentity": parent, "NSIsAbstract": .boolean(isAbstract),
        "NSRenamingIdentifier": add(.text(renamed ?? name)),
        "NSClassNameForEntity": .reference(0),
        "NSFetchIndexDescriptions": list(indexes.map { [$0] } ?? []),
        "NSUniqueTuples": list(constraints.map { [$0] } ?? []),
        "NSUserInfo": renamed == nil ? pairs([:]) : pairs(["shelf": 3]),
      ])
  }

  fileprivate mutating func attribute(
    _ name: String, _ type: Int, of entity: ListValue, optional: Bool = false,
    default value: ListValue? = nil, rules: [(String, Int, ListValue)] = [], flags: Int = 0,
    renamed: String? = nil
  ) -> ListValue {
    let conditions = rules.map { comparison($0.0, $0.1, $0.2) }
    return add(
      "NSAttributeDescription",
      [
        "NSPropertyName": add(.text(name)), "NSAttributeType": .integer(type), "NSEntity": entity,
        "NSIsOptional": .boolean(optional), "NSFlagsKey": .integer(flags),
        "NSDefaultValue": value.map { add($0) } ?? .reference(0),
        "NSRenamingIdentifier": add(.text(renamed ?? name)),
        "NSValidationPredicates": list(conditions),
      ])
  }

  fileprivate mutating func derivedCount(
    _ name: String, _ path: String, of entity: ListValue
  ) -> ListValue {
    let operand = add(
      "NSConstantValueExpression", ["NSConstantValueClassName": add("_NSPredicateUtilities")])
    let function = add(
      "NSFunctionExpression",
      [
        "NSSelectorName": add("count:"), "NSOperand": operand,
        "NSArguments": list([keyPath(path)]),
      ])
    return add(
      "NSDerivedAttributeDescription",
      [
        "NSPropertyName": add(.text(name)), "NSAttributeType": 300, "NSEntity": entity,
        "NSIsOptional": true, "NSDerivationExpression": function,
      ])
  }

  fileprivate mutating func fetched(
    _ name: String, _ entity: ListValue, _ destination: ListValue
  ) -> ListValue {
    let source = keyPath(
      "name", of: add("NSVariableExpression", ["NSVariable": add("FETCH_SOURCE")]))
    let same = comparison(keyPath("title"), 4, source)
    let numbers = [ListValue.integer(1), 2].map {
      add("NSConstantValueExpression", ["NSConstantValue": add($0)])
    }
    let few = comparison(
      keyPath("pages"), 10, add("NSAggregateExpression", ["NSCollection": list(numbers)]))
    let not = add(
      "NSCompoundPredicate", ["NSCompoundPredicateType": 0, "NSSubpredicates": list([few])])
    let both = add(
      "NSCompoundPredicate", ["NSCompoundPredicateType": 1, "NSSubpredicates": list([same, not])])
    return add(
      "NSFetchedPropertyDescription",
      [
        "NSPropertyName": add(.text(name)), "NSEntity": entity, "NSIsOptional": true,
        "NSFetchRequest": request(destination, where: both, limit: 5),
      ])
  }

  fileprivate mutating func request(
    _ entity: ListValue, where predicate: ListValue, limit: Int = 0, flags: Int = 30
  ) -> ListValue {
    add(
      "NSFetchRequest",
      [
        "NSEntity": entity, "NSPredicate": predicate, "NSFetchLimit": .integer(limit),
        "NSHasFetchRequestFlags": true, "NSFetchRequestFlags": .integer(flags), "NSResultType": 0,
      ])
  }

  /// A condition of a path, or of the value itself, and a constant.
  public mutating func comparison(
    _ path: String, _ sign: Int, _ value: ListValue, flags: Int = 0
  ) -> ListValue {
    let constant = add("NSConstantValueExpression", ["NSConstantValue": add(value)])
    let left = path == "SELF" ? add("NSSelfExpression", [:]) : keyPath(path)
    return comparison(left, sign, constant, flags: flags)
  }

  fileprivate mutating func comparison(
    _ left: ListValue, _ sign: Int, _ right: ListValue, flags: Int = 0
  ) -> ListValue {
    add(
      "NSComparisonPredicate",
      [
        "NSLeftExpression": left, "NSRightExpression": right,
        "NSPredicateOperator": add(
          "NSPredicateOperator", ["NSOperatorType": .integer(sign), "NSFlags": .integer(flags)]),
      ])
  }

  fileprivate mutating func keyPath(_ path: String, of owner: ListValue? = nil) -> ListValue {
    let specifier = add("NSKeyPathSpecifierExpression", ["NSKeyPath": add(.text(path))])
    return add(
      "NSKeyPathExpression",
      [
        "NSOperand": owner ?? add("NSSelfExpression", [:]), "NSArguments": list([specifier]),
      ])
  }
}
