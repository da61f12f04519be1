// expect-error: '@Final' makes 'number' a constant after its first assignment, so it must be a 'var'
// expect-error: expansion of macro 'Final()' did not produce a non-observing accessor

import Oxbow

final class Editor {
  @Final let number: Int?
}
