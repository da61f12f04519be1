// expect-error: risks causing data races

import Oxbow

@Entity final class Author: ManagedObject {
  var name: String = ""
}

func leak(_ container: PersistentContainer) throws {
  try container.perform { context in
    let author = try context.insert(Author.self)
    Task.detached { print(author.name) }
  }
}
