// expect-error: conformance of 'ManagedObject' to 'Sendable' is unavailable: a managed object belongs to its context

import Oxbow

@Entity final class Author: ManagedObject {
  var name: String = ""
}

func leak(_ container: PersistentContainer) throws -> String {
  let author = try container.perform { context -> Author in
    try context.insert(Author.self)
  }
  return author.name
}
