// expect-error: cannot convert value of type 'Int' to expected argument type 'String'

import Oxbow

@Component final class Knight {
  @Inject(value: 20) var age: Int = 1
}
