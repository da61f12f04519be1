// expect-error: RepositoryComparesWithAnotherType.swift:14:88: error: cannot convert value of type 'Int' to expected argument type 'String'
// expect-error: RepositoryComparesWithAnotherType.swift:15:49: error: no exact matches in call to static method 'contains'

import Oxbow

@Entity final class Book: ManagedObject {
  var title: String = ""
  var pages: Int = 0
}

@Repository protocol Books: Repository<Book> {
  func find(pagesAtLeast: Int) throws -> [Book]

  func find(title: Int) throws -> [Book]
  func find(pagesContains: String) throws -> [Book]
}
