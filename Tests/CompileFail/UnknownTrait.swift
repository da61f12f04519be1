// expect-error: has no member 'eager'

import Oxbow

@Component(.eager) final class Knight {}
