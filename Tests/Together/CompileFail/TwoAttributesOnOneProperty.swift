// expect-error: '@Lazy' and '@Final' would both read and set the property; keep one of them
// expect-error: expansion of macro 'Final()' did not produce a non-observing accessor

import Oxbow

final class Editor {
  @Lazy @Final var number: Int?
}
