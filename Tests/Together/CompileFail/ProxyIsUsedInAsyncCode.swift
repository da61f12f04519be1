// expect-error: is unavailable from asynchronous contexts

import Oxbow

@Entity final class Author: ManagedObject {
  var name: String = ""
}

func use(_ context: any ObjectContext) async throws -> Int {
  try context.count(FetchRequest<Author>())
}
