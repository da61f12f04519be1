// expect-error: mutation of captured var 'leaked' in concurrently-executing code
// expect-error: capture of 'leaked' with non-Sendable type 'Author?' in a '@Sendable' closure

import Oxbow

@Entity final class Author: ManagedObject {
  var name: String = ""
}

func leak(_ container: PersistentContainer) throws -> String? {
  var leaked: Author?
  try container.perform { context in
    leaked = try context.fetch(FetchRequest<Author>()).first
  }
  return leaked?.name
}
