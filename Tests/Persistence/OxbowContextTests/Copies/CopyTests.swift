import OxbowContext
import OxbowModel
import OxbowSQLite
import OxbowStore
import Testing

@Suite struct CopyTests {
  let library: Library
  let context: ManagedObjectContext

  init() throws {
    library = try Library()
    context = library.context()
  }

  @Test func `PG-14 a copy has what belongs to the original, and shares the rest`() throws {
    let author = try context.insert(Author.self) { $0.name = "Lem" }
    let book = try library.book("Summa", pages: 600, in: context)
    book.author = author
    try context.save()
    let other = try context.copy(of: author)
    #expect(other !== author && other.name == "Lem" && other.isInserted)
    #expect(other.books.map(\.title) == ["Summa"] && other.books.first !== book)
    #expect(author.books == [book] && book.author === author)
    // A book belongs to its author, who can have more.
    let second = try context.copy(of: book)
    #expect(second.author === author && author.books == [book, second])
    // Alone, the books stay with the original.
    let alone = try context.copy(of: author, depth: 0)
    #expect(alone.books.isEmpty && author.books.count == 2)
    try context.save()
    #expect(try library.titlesOnDisk() == ["Summa", "Summa", "Summa"])
  }

  @Test func `PG-14 a copy along all relationships is a graph of its own, in the same order`()
    throws
  {
    let model = ManagedObjectModel(entities: [
      EntityDescription(
        "Node", attributes: [AttributeDescription("name", .string, isOptional: true)],
        relationships: [
          RelationshipDescription(
            "next", to: "Node", inverse: "previous", isToMany: true, isOrdered: true),
          RelationshipDescription(
            "previous", to: "Node", inverse: "next", isToMany: true),
          RelationshipDescription("twin", to: "Node", inverse: "twin"),
        ])
    ])
    let context = ManagedObjectContext(
      coordinator: try PersistentStoreCoordinator(CompiledModel(model), at: .inMemory))
    let nodes = try ["a", "b", "c"].map { name in
      let node = try context.insert(entityNamed: "Node")
      try node.setValue(name, for: "name")
      return node
    }
    try nodes[0].setObjects([nodes[2], nodes[1], nodes[0]], for: "next")
    try nodes[1].setObjects([nodes[2]], for: "twin")
    try context.save()
    let copy = try context.copy(of: nodes[0], following: .all)
    let next = try copy.objects("next")
    #expect(try next.map { try $0.value("name", as: String.self) } == ["c", "b", "a"])
    #expect(next[2] === copy && Set(next).isDisjoint(with: nodes))
    #expect(try next[1].objects("twin") == [next[0]])
    #expect(try nodes[1].objects("twin") == [nodes[2]])
    try context.save()
    #expect(try nodes[0].objects("next") == [nodes[2], nodes[1], nodes[0]])
    // What a single object leads back to stays with it.
    let alone = try context.copy(of: nodes[1], depth: 0)
    #expect(try alone.objects("twin").isEmpty && alone.objects("previous") == [nodes[0]])
  }

  @Test func `PG-14 what no two objects may share is not copied`() throws {
    let bank = try Bank()
    let context = bank.context()
    let deposit = try context.insert(Deposit.self) {
      $0.number = 7
      $0.balance = 3
    }
    try context.save()
    let copy = try context.copy(of: deposit)
    #expect(copy.number == nil && copy.balance == 3)
    try context.save()
  }
}
