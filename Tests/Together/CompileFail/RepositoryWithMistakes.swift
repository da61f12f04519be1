// Each mistake is reported once, at the user's line.
// expect-error: RepositoryWithMistakes.swift:19:8: error: 'lookUp' is not a verb of a repository
// expect-error: RepositoryWithMistakes.swift:20:38: error: 'find' returns '[Book]' or '[ManagedObjectID]', and not 'Book?'; 'first' returns that
// expect-error: RepositoryWithMistakes.swift:21:8: error: 'count' asks a store, which can fail; declare it 'throws'
// expect-error: RepositoryWithMistakes.swift:22:14: error: a label says which property 'title' is compared with
// expect-error: RepositoryWithMistakes.swift:23:29: error: 'limit' means nothing to 'count'
// expect-error: RepositoryWithMistakes.swift:24:10: error: '$titel' is not a parameter of the method; it has 'title'
// expect-error: RepositoryWithMistakes.swift:24:10: error: the text does not use the parameter 'title'
// expect-error: RepositoryWithMistakes.swift:30:22: error: '@Repository' does not see whose objects 'Shelves' finds

import Oxbow

@Entity final class Book: ManagedObject {
  var title: String = ""
}

@Repository protocol Books: Repository<Book> {
  func exists(title: String) throws -> Bool
  func lookUp(title: String) throws -> [Book]
  func find(title: String) throws -> Book?
  func count(title: String) -> Int
  func first(_ title: String) throws -> Book?
  func count(title: String, limit: Int) throws -> Int
  @Query("title == $titel") func named(_ title: String) throws -> [Book]
}
struct StoredBooks: Books, Stored {
  let context: any ObjectContext & Sendable
}

@Repository protocol Shelves {}
