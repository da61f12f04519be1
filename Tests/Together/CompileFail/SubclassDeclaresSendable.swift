// A class written by hand has no macro that would notice. The compiler warns that the conformance is
// "already unavailable", and objects still cannot be sent.
// expect-error: risks causing data races

import Oxbow

final class Author: ManagedObject, @unchecked Sendable {}

func leak(_ context: ManagedObjectContext) throws {
  let authors = try context.fetch(FetchRequest<Author>())
  Task.detached { print(authors[0]) }
}
