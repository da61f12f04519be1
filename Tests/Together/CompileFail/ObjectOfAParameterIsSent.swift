// An object that a context parameter gave belongs to that context's region.
// expect-error: risks causing data races

import Oxbow

@Entity final class Author: ManagedObject {
  var name: String = ""
}

func leak(_ context: ManagedObjectContext) throws {
  let authors = try context.fetch(FetchRequest<Author>())
  Task.detached { print(authors[0].name) }
}
