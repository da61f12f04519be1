// expect-error: the path begins with the class, or does not end at an attribute: leave the class out, as in '\.author?.name'

import Oxbow

@Entity final class Book: ManagedObject {
  var title: String
}

func titles(in context: ManagedObjectContext) throws -> [String] {
  try context.fetch(Book.self, sortedBy: [.ascending(\Book.title)]).map(\.title)
}
