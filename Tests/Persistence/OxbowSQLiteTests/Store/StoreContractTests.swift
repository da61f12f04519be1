import OxbowModel
import OxbowSQLite
import OxbowStore
import OxbowStoreContract
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// SQLite's stores keep the contract, whatever they are kept in.
@Suite struct StoreContractTests {
  @Test(arguments: StoreKind.allCases)
  func `values of every type come back`(_ kind: StoreKind) throws {
    try StoreContract(kind).`values of every type come back`()
  }

  @Test(arguments: StoreKind.allCases)
  func `versions begin at 1 and count updates`(_ kind: StoreKind) throws {
    try StoreContract(kind).`versions begin at 1 and count updates`()
  }

  @Test(arguments: StoreKind.allCases, [1, 1000])
  func `PF-01 of rows that the caller has, only the header is read`(
    _ kind: StoreKind, _ count: Int
  ) throws {
    try StoreContract(kind).`PF-01 of rows that the caller has, only the header is read`(count)
  }

  @Test(arguments: StoreKind.allCases)
  func `a conflict names all objects and changes nothing`(_ kind: StoreKind) throws {
    try StoreContract(kind).`a conflict names all objects and changes nothing`()
  }

  @Test(arguments: StoreKind.allCases)
  func `a fetch of a hierarchy brings each row as what it is`(_ kind: StoreKind) throws {
    try StoreContract(kind).`a fetch of a hierarchy brings each row as what it is`()
  }

  @Test(arguments: StoreKind.allCases)
  func `sort, limit and offset act after the condition`(_ kind: StoreKind) throws {
    try StoreContract(kind).`sort, limit and offset act after the condition`()
  }

  @Test(arguments: StoreKind.allCases)
  func `decimals compare and sort by value`(_ kind: StoreKind) throws {
    try StoreContract(kind).`decimals compare and sort by value`()
  }

  @Test(arguments: StoreKind.allCases)
  func `rows by key come once, without those that are gone`(_ kind: StoreKind) throws {
    try StoreContract(kind).`rows by key come once, without those that are gone`()
  }

  @Test(arguments: StoreKind.allCases)
  func `PF-01 rows of a fetch come once, whatever its condition follows`(_ kind: StoreKind) throws {
    try StoreContract(kind).`PF-01 rows of a fetch come once, whatever its condition follows`()
  }

  @Test(arguments: StoreKind.allCases)
  func `to-many relationships are read for all owners at once, in order`(_ kind: StoreKind) throws {
    try StoreContract(kind).`to-many relationships are read for all owners at once, in order`()
  }

  @Test(arguments: StoreKind.allCases)
  func `links between two to-one ends are on both sides`(_ kind: StoreKind) throws {
    try StoreContract(kind).`links between two to-one ends are on both sides`()
  }

  @Test(arguments: StoreKind.allCases)
  func `a to-many relationship may be its own inverse, or have none`(_ kind: StoreKind) throws {
    try StoreContract(kind).`a to-many relationship may be its own inverse, or have none`()
  }

  @Test(arguments: StoreKind.allCases)
  func `a deleted object takes its join rows along`(_ kind: StoreKind) throws {
    try StoreContract(kind).`a deleted object takes its join rows along`()
  }

  @Test(arguments: StoreKind.allCases)
  func `a link to an object that is not there is refused, and nothing saved`(_ kind: StoreKind)
    throws
  {
    let error = try StoreContract(kind)
      .`a link to an object that is not there is refused, and nothing saved`()
    #expect(
      error?.message.contains("a row of 'Book' with _id 1 refers to a missing row of 'Shelf'")
        == true)
  }

  @Test(arguments: StoreKind.allCases)
  func `keys are never handed out twice`(_ kind: StoreKind) throws {
    try StoreContract(kind).`keys are never handed out twice`()
  }

  @Test(arguments: StoreKind.allCases)
  func `values that must be unique name the object that breaks it`(_ kind: StoreKind) throws {
    try StoreContract(kind).`values that must be unique name the object that breaks it`()
  }

  @Test(arguments: StoreKind.allCases)
  func `a change set can be applied again after a failure`(_ kind: StoreKind) throws {
    try StoreContract(kind).`a change set can be applied again after a failure`()
  }

  @Test(arguments: StoreKind.allCases)
  func `large results come in several slabs`(_ kind: StoreKind) throws {
    try StoreContract(kind).`large results come in several slabs`()
  }

  @Test(arguments: StoreKind.allCases)
  func `eight threads read whole saves while one writes`(_ kind: StoreKind) async throws {
    try await StoreContract(kind, options: SQLiteStoreOptions(synchronous: .normal))
      .`eight threads read whole saves while one writes`()
  }

  @Test(arguments: StoreKind.allCases)
  func `values that no column can have are refused by name`(_ kind: StoreKind) throws {
    let library = try Library(kind)
    let cases: [(String, AttributeValue, String)] = [
      ("weight", .double(.nan), "the column needs a REAL, and SQLite has no NaN"),
      ("grade", .integer(40_000), "an INTEGER from -32768 to 32767, and 40000 is out of range"),
      ("title", .integer(1), "the column needs TEXT in UTF-8, and 1 is out of range"),
    ]
    for (name, value, text) in cases {
      let error = errorOf {
        try library.save { $0.inserts = [try library.insert("Book", 1, [name: value])] }
      }
      #expect(error?.code == .validation)
      #expect(error?.message.contains("the value of '\(name)' of ") == true)
      #expect(error?.message.contains(text) == true, "\(error?.message ?? "")")
      #expect(error?.objectIDs.map(\.key) == [1])
    }
    let missing = ChangeSet.Insert(
      entity: try library.entity("Tag").index, key: 1,
      values: ContiguousArray(repeating: nil, count: try library.entity("Tag").properties.count))
    let error = errorOf { try library.save { $0.inserts = [missing] } }
    #expect(error?.code == .validation)
    #expect(error?.message.contains("NOT NULL constraint failed: Tag.label") == true)
  }

  @Test(arguments: StoreKind.allCases)
  func `a closed store says so`(_ kind: StoreKind) throws {
    let library = try Library(kind)
    library.store.close()
    library.store.close()
    let errors = [
      errorOf { _ = try library.keys("Tag") },
      errorOf { try library.save { $0.inserts = [try library.insert("Tag", 1)] } },
      errorOf { _ = try library.store.reserveKeys(root: 0, count: 1) },
    ]
    #expect(errors.allSatisfy { $0?.code == .storeClosed })
    #expect(
      errors[0]?.message == "the store '\(library.store.path)' was closed; open it again")
  }
}
