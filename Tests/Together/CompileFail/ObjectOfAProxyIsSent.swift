// Objects of a Sendable proxy are disconnected for the compiler: the context checks them when they
// are used.
// expect-ok

import Oxbow

@Entity final class Author: ManagedObject {
  var name: String = ""
}

final class Repository: Sendable {
  let context: any ObjectContext & Sendable

  init(_ context: any ObjectContext & Sendable) { self.context = context }

  func leak() throws {
    let authors = try context.fetch(FetchRequest<Author>())
    Task.detached { print(authors[0].name) }
  }
}
