// The driver itself: modules and macros of this package are found.
// expect-ok

import Oxbow

final class Repository: Sendable {
  let name = "files"
}
