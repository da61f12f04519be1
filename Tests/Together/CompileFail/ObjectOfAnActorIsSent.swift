// expect-error: risks causing data races

import Oxbow

@Entity final class Author: ManagedObject {
  var name: String = ""
}

actor Library {
  let context: ManagedObjectContext

  init(_ coordinator: PersistentStoreCoordinator) {
    context = ManagedObjectContext(coordinator: coordinator)
  }

  func leak() throws {
    let authors = try context.fetch(FetchRequest<Author>())
    Task.detached { print(authors[0].name) }
  }
}
