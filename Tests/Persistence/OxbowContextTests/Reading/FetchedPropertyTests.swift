import OxbowContext
import OxbowModel
import OxbowSQLite
import OxbowStore
import Testing

@Suite struct FetchedPropertyTests {
  let context: ManagedObjectContext

  init() throws {
    let document = try ModelDocument(
      Array(
        """
        <model>
          <entity name="Book">
            <attribute name="title" attributeType="String"/>
            <attribute name="series" optional="YES" attributeType="String"/>
            <fetchedProperty name="sequels">
              <fetchRequest name="fetchedPropertyFetchRequest" entity="Book"
                predicateString="series == $FETCH_SOURCE.series AND self != $FETCH_SOURCE"/>
            </fetchedProperty>
            <fetchedProperty name="classics">
              <fetchRequest name="fetchedPropertyFetchRequest" entity="Book"
                predicateString="series == $FETCHED_PROPERTY.userInfo.series"/>
              <userInfo><entry key="series" value="Dune"/></userInfo>
            </fetchedProperty>
            <fetchedProperty name="lost">
              <fetchRequest name="fetchedPropertyFetchRequest" entity="Book"
                predicateString="series == $FETCHED_PROPERTY.userInfo.serie"/>
            </fetchedProperty>
          </entity>
          <entity name="Novel" parentEntity="Book"/>
          <fetchRequest name="ofSeries" entity="Book" predicateString="series == $SERIES"/>
        </model>
        """.utf8), file: "m")
    let coordinator = try PersistentStoreCoordinator(CompiledModel(document.model), at: .inMemory)
    context = ManagedObjectContext(coordinator: coordinator, owner: .holder)
  }

  private func book(_ entity: String, _ title: String, _ series: String?) throws -> ManagedObject {
    let book = try context.insert(entityNamed: entity)
    try book.setValue(title, for: "title")
    try book.setValue(series, for: "series")
    return book
  }

  @Test func `a fetched property finds what its condition says of the object (PF-13)`() throws {
    let first = try book("Novel", "1", "Dune")
    let second = try book("Book", "2", "Dune")
    _ = try book("Book", "3", "Other")
    try context.save()
    let third = try book("Book", "4", "Dune")
    #expect(try first.fetched("sequels", sortedBy: [SortKey("title")]) == [second, third])
    try first.setValue("Other", for: "series")
    #expect(try first.fetched("sequels").map { try $0.value("title") } == ["3"])
    let found: [ManagedObject] = try context.fetch(template: "ofSeries", ["SERIES": "Dune"])
    #expect(Set(found) == [second, third])
    let error = #expect(throws: PersistenceError.self) { try first.fetched("sequel") }
    #expect(
      error?.description
        == "'Novel' has no fetched property 'sequel'; it has 'classics', 'lost', 'sequels'\n  did you mean: 'sequels'?"
    )
  }

  @Test func `a condition reads the user info of its fetched property`() throws {
    let first = try book("Novel", "1", "Dune")
    let other = try book("Book", "2", "Other")
    #expect(try other.fetched("classics") == [first])
    let error = #expect(throws: PersistenceError.self) { try other.fetched("lost") }
    #expect(error?.code == .invalidPredicate)
    #expect(error?.message.contains("'$FETCHED_PROPERTY.userInfo.serie' of 'lost'") == true)
  }
}
