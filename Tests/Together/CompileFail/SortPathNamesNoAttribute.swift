// expect-error: SortPathNamesNoAttribute.swift:20:45: error: 'ascending' is unavailable: the path begins with the class, or does not end at an attribute
// expect-error: SortPathNamesNoAttribute.swift:24:34: error: 'descending' is unavailable: the path begins with the class, or does not end at an attribute
// expect-error: SortPathNamesNoAttribute.swift:24:61: error: 'init(_:ascending:)' is unavailable: the path begins with the class, or does not end at an attribute

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
  try context.fetch(
    Book.self, where: .equal("title", "Emma"),
    sortedBy: [.ascending(\.author?.name), .ascending(\.titel)])
}

func authors() -> FetchRequest<Book> {
  FetchRequest<Book>(sortedBy: [.descending(\.author?.nam), SortKey(\.author?.books)])
}
