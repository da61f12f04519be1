// expect-error: a container cannot set 'quest': code beside the class cannot, because it is private

import Oxbow

@Component final class Knight {
  @Inject("grail") private var quest: String = ""
}
