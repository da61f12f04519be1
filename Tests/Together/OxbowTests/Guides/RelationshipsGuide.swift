import Oxbow
import Testing

// The code of docs/guide/relationships.md.

/// The entities of the guide.
enum RelationshipsGuide {
  @Entity final class Choir: ManagedObject {
    var name: String
    @Relationship(.cascade, inverse: \.choir) var concerts: [Concert] = []
    @Relationship(.deny, inverse: \.choir) var singers: Set<Singer> = []
  }

  @Entity final class Concert: ManagedObject {
    var place: String
    @Relationship(inverse: \.concerts) var choir: Choir?
    @Relationship(inverse: \.concerts) var soloists: Set<Singer> = []
  }

  @Entity final class Singer: ManagedObject {
    var name: String
    @Relationship(inverse: \.singers) var choir: Choir?
    @Relationship(inverse: \.soloists) var concerts: Set<Concert> = []
  }
}

@Suite struct RelationshipsGuideTests {
  typealias Choir = RelationshipsGuide.Choir
  typealias Concert = RelationshipsGuide.Concert
  typealias Singer = RelationshipsGuide.Singer

  private let store: PersistentContainer
  private let context: ManagedObjectContext

  /// A choir with two concerts and a singer.
  init() throws {
    store = try PersistentContainer(
      .temporary, types: [Choir.self, Concert.self, Singer.self])
    try store.perform { context in
      let choir = try context.insert(Choir.self)
      choir.name = "Cantus"
      for place in ["Dom", "Aula"] {
        let concert = try context.insert(Concert.self)
        (concert.place, concert.choir) = (place, choir)
      }
      let singer = try context.insert(Singer.self)
      (singer.name, singer.choir) = ("Ada", choir)
      try context.save()
    }
    context = store.makeContext()
  }

  private func choir() throws -> Choir { try #require(try context.fetch(Choir.self).first) }

  private func singer() throws -> Singer { try #require(try context.fetch(Singer.self).first) }

  @Test func `both ends agree`() throws {
    let choir = try choir()
    let singer = try singer()
    singer.choir = choir
    #expect(choir.singers.contains(singer))
    choir.singers.remove(singer)
    #expect(singer.choir == nil)
    try choir.add(singer, to: \.singers)
    #expect(try choir.contains(singer, in: \.singers))
    try choir.remove(singer, from: \.singers)
    #expect(singer.choir == nil)
    try context.save()
    choir.concerts = choir.concerts.sorted { $0.place < $1.place }
    #expect(choir.concerts.map(\.place) == ["Aula", "Dom"])
    try context.save()
    try store.perform { context in
      let choir = try #require(try context.fetch(Choir.self).first)
      #expect(choir.concerts.map(\.place) == ["Aula", "Dom"])
      #expect(choir.singers.isEmpty)
    }
  }

  @Test func `a deletion follows its rules`() throws {
    let choir = try choir()
    try context.delete(choir)
    #expect(throws: PersistenceError.self) { try context.save() }  // it has singers
    try context.rollback()
    choir.singers = []
    try context.delete(choir)
    try context.save()
    #expect(try context.count(Concert.self) == 0)
    #expect(try singer().choir == nil)
  }

  @Test func `a fault reads itself`() throws {
    let concerts = try context.fetch(Concert.self, sortedBy: [.ascending(\.place)])
    let choir = try #require(concerts[0].choir)
    #expect(choir.isFault)
    #expect(choir.name == "Cantus")  // read now, for all concerts of the fetch
    #expect(!choir.isFault)
  }

  @Test func `a fault whose row is gone has a stand-in`() throws {
    let id = try #require(try context.fetchIDs(Singer.self).first)
    let singer = try #require(try context.object(with: id) as? Singer)
    try store.perform { context in
      try context.delete(try context.existingObject(with: id, as: Singer.self))
      try context.save()
    }
    #expect(singer.name == "")  // somebody else has deleted the row
    #expect(singer.faultError?.code == .rowGone)
    #expect(throws: PersistenceError.self) { try context.save() }
  }

  @Test func `a refresh takes over what others have saved`() throws {
    let singer = try singer()
    try store.perform { context in
      try #require(try context.fetch(Singer.self).first).name = "Grace"
      try context.save()
    }
    try context.refresh(singer, mergingChanges: true)  // others' values, and one's own edits
    #expect(singer.name == "Grace")
  }
}
