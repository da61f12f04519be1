// expect-error: stored property 'context' of 'Sendable'-conforming class 'Repository' has non-Sendable type 'ManagedObjectContext'

import Oxbow

final class Repository: Sendable {
  let context: ManagedObjectContext

  init(_ context: ManagedObjectContext) { self.context = context }
}
