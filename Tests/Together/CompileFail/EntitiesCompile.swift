// What the other cases get wrong, right.
// expect-ok

import Oxbow

@Entity class Book: ManagedObject {
  var title: String = ""
  @Relationship(inverse: \.books) var author: Author?
}

@Entity final class Author: ManagedObject {
  var name: String = ""
  @Relationship(.cascade, inverse: \.author) var books: Set<Book> = []
}

func names(_ context: ManagedObjectContext) throws -> [String] {
  try context.fetch(FetchRequest<Author>()).map(\.name)
}
