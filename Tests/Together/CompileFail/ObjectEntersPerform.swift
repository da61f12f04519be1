// An object of one context does not enter the unit of work of another.
// expect-error: non-Sendable type 'Author'

import Oxbow

@Entity final class Author: ManagedObject {
  var name: String = ""
}

func mix(_ container: PersistentContainer, _ author: Author) throws {
  try container.perform { context in
    print(author.name)
  }
}
