/// A small store as Core Data writes it, with every kind of relationship, made by SQL text.
///
/// It has no model inside: `contents` is the app's.
public enum CoreDataShelves {
  /// Numbers: Author 1, Item 2, Book 3, Film 4, Shelf 5, Tag 6, which was called Label once.
  public static let contents = """
    <model userDefinedModelVersionIdentifier="shelves" documentVersion="1.0">
      <entity name="Author" representedClassName="Author">
        <attribute name="born" optional="YES" attributeType="Date"/>
        <attribute name="name" attributeType="String"/>
        <relationship name="books" optional="YES" toMany="YES" ordered="YES" deletionRule="Nullify" \
    destinationEntity="Book" inverseName="author" inverseEntity="Book"/>
        <relationship name="shelf" optional="YES" maxCount="1" deletionRule="Nullify" \
    destinationEntity="Shelf" inverseName="owner" inverseEntity="Shelf"/>
      </entity>
      <entity name="Book" parentEntity="Item">
        <attribute name="pages" optional="YES" attributeType="Integer 32"/>
        <attribute name="price" optional="YES" attributeType="Decimal"/>
        <attribute name="title" attributeType="String"/>
        <attribute name="cover" optional="YES" attributeType="Binary" \
    allowsExternalBinaryDataStorage="YES"/>
        <relationship name="author" optional="YES" maxCount="1" deletionRule="Nullify" \
    destinationEntity="Author" inverseName="books" inverseEntity="Author"/>
      </entity>
      <entity name="Film" parentEntity="Item">
        <attribute name="minutes" optional="YES" attributeType="Integer 32"/>
        <attribute name="title" attributeType="String"/>
      </entity>
      <entity name="Item" isAbstract="YES">
        <attribute name="code" optional="YES" attributeType="String"/>
        <relationship name="tags" optional="YES" toMany="YES" deletionRule="Nullify" \
    destinationEntity="Tag" inverseName="items" inverseEntity="Tag"/>
      </entity>
      <entity name="Shelf">
        <attribute name="label" optional="YES" attributeType="String"/>
        <relationship name="contents" optional="YES" toMany="YES" deletionRule="Nullify" \
    destinationEntity="Item"/>
        <relationship name="favourite" optional="YES" maxCount="1" deletionRule="Nullify" \
    destinationEntity="Item"/>
        <relationship name="owner" optional="YES" maxCount="1" deletionRule="Nullify" \
    destinationEntity="Author" inverseName="shelf" inverseEntity="Author"/>
      </entity>
      <entity name="Tag" elementID="Label">
        <attribute name="name" attributeType="String"/>
        <relationship name="items" optional="YES" toMany="YES" ordered="YES" deletionRule="Nullify" \
    destinationEntity="Item" inverseName="tags" inverseEntity="Item"/>
        <relationship name="related" optional="YES" toMany="YES" deletionRule="Nullify" \
    destinationEntity="Tag" inverseName="relatedBy" inverseEntity="Tag"/>
        <relationship name="relatedBy" optional="YES" toMany="YES" deletionRule="Nullify" \
    destinationEntity="Tag" inverseName="related" inverseEntity="Tag"/>
      </entity>
    </model>
    """

  /// The tables and rows, with what migrations of Core Data leave: the name before in Z_PRIMARYKEY,
  /// numbers that are not looked at (of tags), a value in the column of a sibling (of the film), a
  /// key and a row of links that lead nowhere, and a table of links named after the other end.
  public static let statements = """
    CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, \
    Z_MAX INTEGER);
    CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);
    CREATE TABLE ZAUTHOR (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZSHELF INTEGER, \
    ZBORN TIMESTAMP, ZNAME VARCHAR);
    CREATE TABLE ZITEM (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, Z5CONTENTS INTEGER, \
    ZPAGES INTEGER, ZAUTHOR INTEGER, Z_FOK_AUTHOR INTEGER, ZMINUTES INTEGER, ZPRICE DECIMAL, \
    ZCODE VARCHAR, ZTITLE VARCHAR, ZTITLE1 VARCHAR, ZCOVER BLOB);
    CREATE TABLE ZSHELF (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZFAVOURITE INTEGER, \
    Z2_FAVOURITE INTEGER, ZOWNER INTEGER, ZLABEL VARCHAR);
    CREATE TABLE ZTAG (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR);
    CREATE TABLE Z_2TAGS (Z_2ITEMS INTEGER, Z_6TAGS1 INTEGER, Z_FOK_2ITEMS INTEGER, \
    PRIMARY KEY (Z_2ITEMS, Z_6TAGS1));
    CREATE TABLE "Z_6RELATEDBY" (Z_6RELATED INTEGER, Z_6RELATEDBY INTEGER, \
    PRIMARY KEY (Z_6RELATED, Z_6RELATEDBY));
    INSERT INTO Z_PRIMARYKEY VALUES (1, 'Author', 0, 2), (2, 'Item', 0, 4), (3, 'Book', 2, 0),
      (4, 'Film', 2, 0), (5, 'Shelf', 0, 2), (6, 'Label', 0, 3), (16001, 'CHANGE', 0, 0);
    INSERT INTO ZAUTHOR VALUES (1, 1, 4, 1, 12, 'Ursula'), (2, 1, 1, NULL, -0.5, 'Iain');
    INSERT INTO ZITEM VALUES
      (1, 3, 1, 1, 117, 1, 3072, NULL, 9.5, 'a', 'Rocannon', NULL, x'01c0ffee'),
      (2, 3, 2, 1, 113, 1, 2048, NULL, 12, NULL, 'Planet', NULL, NULL),
      (3, 4, 1, 2, NULL, NULL, NULL, 105, NULL, NULL, 'stale', 'Lathe', NULL),
      (4, 3, 1, NULL, NULL, 9, 2048, NULL, NULL, NULL, 'Walking', NULL, NULL);
    INSERT INTO ZSHELF VALUES (1, 5, 1, 3, 4, 1, 'low'), (2, 5, 1, 1, 3, NULL, NULL);
    INSERT INTO ZTAG VALUES (1, 7, 1, 'sf'), (2, 7, 1, 'old'), (3, 6, NULL, 'new');
    INSERT INTO Z_2TAGS VALUES (1, 1, 2048), (2, 1, 1024), (3, 2, 2048), (99, 1, 4096);
    INSERT INTO Z_6RELATEDBY VALUES (2, 1), (3, 1);
    """

  public static let identifier = "8A0F9F6C-6B0E-4C7E-9C6C-0123456789AB"

  /// Makes the store and keeps it open while `body` runs.
  ///
  /// `hashes` are the version hashes of the entities.
  public static func make(
    _ path: String, _ hashes: [String: [UInt8]], journal: String = "wal", more: String = "",
    whileOpen body: () throws -> Void = {}
  ) throws {
    let list = CoreDataFixture.properties(hashes).map {
      ($0 < 16 ? "0" : "") + String($0, radix: 16)
    }
    try FixtureDatabase.run(
      path,
      "PRAGMA journal_mode = \(journal); PRAGMA wal_autocheckpoint = 0; BEGIN; \(statements)"
        + "INSERT INTO Z_METADATA VALUES (1, '\(identifier)', x'\(list.joined())'); COMMIT; \(more)",
      whileOpen: body)
  }
}
