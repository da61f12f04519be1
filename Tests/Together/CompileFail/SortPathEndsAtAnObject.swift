// expect-error: or does not end at an attribute: leave the class out, as in '\.author?.name'

import Oxbow

@Entity final class Author: ManagedObject {
  var name: String
  @Relationship(inverse: \.author) var books: Set<Book> = []
}

@Entity final class Book: ManagedObject {
  var title: String
  @Relationship(inverse: \.books) var author: Author?
}

func books(in context: ManagedObjectContext) throws -> [Book] {
  try context.fetch(Book.self, sortedBy: [.ascending(\.author)])
}
