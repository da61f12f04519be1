// expect-error: RepositoryComparesWithAnotherType.swift:14:88: error: cannot convert value of type 'Int' to expected argument type 'String'
// expect-error: RepositoryComparesWithAnotherType.swift:15:75: error: cannot convert value of type 'Field<Int>' to expected argument type 'Field<String>'

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
