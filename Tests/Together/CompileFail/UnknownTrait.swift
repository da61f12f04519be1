// expect-error: reference to member 'eager' cannot be resolved

import Oxbow

@Component(.eager) final class Knight {}
