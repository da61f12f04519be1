// expect-error: 'Author' cannot be Sendable: a managed object belongs to its context

import Oxbow

@Entity final class Author: ManagedObject, @unchecked Sendable {
  var name: String = ""
}
