// expect-error: can not be returned from actor-isolated instance method 'first()'

import Oxbow

@Entity final class Author: ManagedObject {
  var name: String = ""
}

actor Library {
  let context: ManagedObjectContext

  init(_ coordinator: PersistentStoreCoordinator) {
    context = ManagedObjectContext(coordinator: coordinator)
  }

  func first() throws -> Author? { try context.fetch(FetchRequest<Author>()).first }
}

func use(_ library: Library) async throws {
  print(try await library.first()?.name ?? "")
}
