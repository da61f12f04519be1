// expect-error: InverseIsMisspelled.swift:6:48: error: value of type 'Book' has no member 'writer'

import Oxbow

@Entity final class Author: ManagedObject {
  @Relationship(inverse: \.writer) var books: Set<Book> = []
}

@Entity final class Book: ManagedObject {
  @Relationship(inverse: \.books) var author: Author?
}
