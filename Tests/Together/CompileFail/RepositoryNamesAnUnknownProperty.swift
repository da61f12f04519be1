// expect-error: RepositoryNamesAnUnknownProperty.swift:15:75: error: value of type 'Field<Book>' has no dynamic member 'titel' using key path from root type 'Book'
// expect-error: RepositoryNamesAnUnknownProperty.swift:16:79: error: value of type 'Field<Author>' has no dynamic member 'nam' using key path from root type 'Author'
// expect-error: RepositoryNamesAnUnknownProperty.swift:18:48: error: value of type 'Field<Book>' has no dynamic member 'titel' using key path from root type 'Book'

import Oxbow

@Entity final class Book: ManagedObject {
  var title: String = ""
  var pages: Int = 0
  @Relationship(inverse: \.books) var author: Author?
}

@Repository protocol Books: Repository<Book> {
  func find(title: String) throws -> [Book]
  func find(titelContains: String) throws -> [Book]
  func find(author_nam: String) throws -> [Book]
  func count(pagesAtLeast: Int) throws -> Int
  @Query(sortedBy: "titel") func find(pages: Int) throws -> [Book]
}

@Entity final class Author: ManagedObject {
  var name: String = ""
  @Relationship(inverse: \.author) var books: Set<Book> = []
}
