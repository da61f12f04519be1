// expect-error: 'Author' cannot have a deinitializer

import Oxbow

@Entity final class Author: ManagedObject {
  var name: String = ""

  deinit {}
}
