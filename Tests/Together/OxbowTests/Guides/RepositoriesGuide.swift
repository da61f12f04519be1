import Foundation
import Oxbow
import OxbowTesting
import Testing

// The code of docs/guide/repositories.md.

/// The entities of the guide.
@Entity final class Film: ManagedObject {
  var title: String
  var code: String
  var minutes: Int = 0
  var released: Date
  @Relationship(inverse: \.films) var director: Director?
  @Relationship(inverse: \.films) var topics: Set<Topic> = []
}

@Entity final class Director: ManagedObject {
  var name: String
  @Relationship(inverse: \.director) var films: Set<Film> = []
}

@Entity final class Topic: ManagedObject {
  var label: String
  @Relationship(inverse: \.topics) var films: Set<Film> = []
}

@Proxied @Repository protocol Films: Repository<Film> {
  func find(titleContains: String, limit: Int) throws -> [Film]
  func find(director_name: String, minutesAtLeast minutes: Int) throws -> [Film]
  func first(code: String) throws -> Film?
  func count(director: Director) throws -> Int
  func delete(releasedBefore date: Date) throws -> Int

  func page(_ page: PageRequest, minutesAbove: Int, sortedBy: [SortKey<Film>]) throws -> Page<Film>

  @Query(sortedBy: "released DESC")
  func slice(minutesAbove: Int, after token: PageToken?, limit: Int) throws -> FetchedSlice<Film>

  @Query(sortedBy: "director.name, title DESC")
  func find(minutesIn minutes: ClosedRange<Int>) throws -> [Film]

  @Query("director.name IN $names OR director == nil", sortedBy: "title")
  func made(by names: [String]) throws -> [Film]

  @Written func titles() throws -> [String]
}

struct StoredFilms: Films, Stored {
  let context: any ObjectContext & Sendable

  func titles() throws -> [String] { try find().map(\.title) }
}

extension FilmsProxy: FilmsForwarding {}

/// What the guide does.
enum RepositoriesGuide {
  static let types: [any ModelObject.Type] = [Film.self, Director.self, Topic.self]

  static func container() throws -> Container {
    let builder = ContainerBuilder()
    let context = builder.persistentStore(at: .temporary, types: types)
    builder.singleton(named: "films", { StoredFilms(context: $0) }, context)
    return try builder.build()
  }

  static func use(_ films: any Films) throws -> [String] {
    try films.insert { ($0.title, $0.code, $0.released) = ("Solaris", "1", .now) }
    try films.save()
    let first = try films.page(
      PageRequest(size: 20), minutesAbove: 0, sortedBy: [.ascending(\.title)])
    print(first.items.count, "of", first.totalCount, "next:", first.next as Any)
    for film in try films.stream(sortedBy: [.ascending(\.title)], batchSize: 50) {
      print(film.title)
    }
    return try films.titles()
  }

  static func newest(
    _ films: any Films, after token: PageToken?
  ) throws -> (titles: [String], address: String?) {
    let slice = try films.slice(minutesAbove: 40, after: token, limit: 20)
    let titles = slice.items.map(\.title)
    let address = slice.next.map { "/films?after=\($0)" }  // PageToken(text) reads it
    return (titles, address)
  }
}

@Suite struct RepositoriesGuideTests {
  @Test func `a repository finds what was inserted`() throws {
    let container = try RepositoriesGuide.container()
    let films = try container.object("films", as: StoredFilms.self)
    let titles = try onThread {
      let titles = try RepositoriesGuide.use(films)
      #expect(try films.first(code: "1")?.title == "Solaris")
      #expect(try films.made(by: ["x"]).count == 1)
      #expect(try films.find(minutesIn: 0...1).count == 1)
      for number in 0..<30 {
        try films.insert { ($0.title, $0.code, $0.minutes) = ("\(number)", "n\(number)", 90) }
      }
      let first = try RepositoriesGuide.newest(films, after: nil)
      let text = try #require(first.address).split(separator: "=").last.map(String.init)
      let rest = try RepositoriesGuide.newest(films, after: PageToken(text ?? ""))
      #expect(Set(first.titles + rest.titles).count == 30 && rest.address == nil)
      try films.rollback()
      return titles
    }
    #expect(titles == ["Solaris"])
    try container.shutDown()
  }
}
