// expect-error: '@Inject' is read by '@Component', and this is not a member of a class with that annotation

import Oxbow

final class Knight {
  @Inject("grail") var quest: String = ""
}
