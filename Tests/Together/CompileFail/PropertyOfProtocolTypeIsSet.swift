// expect-error: where that is a protocol, write 'set(ref, named: "property") { $0.property = $1 }'

import Oxbow

protocol Courier: Sendable {}

final class Bicycle: Courier {}

final class Desk {
  var courier: (any Courier)?
}

func define(on builder: ContainerBuilder) {
  let bicycle = builder.singleton(named: "bicycle", Bicycle.init)
  builder.prototype(named: "desk", Desk.init) { $0.set(\.courier, bicycle) }
}
