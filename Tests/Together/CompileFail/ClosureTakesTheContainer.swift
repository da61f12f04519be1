// expect-error: the closure gets the objects that it needs, not the container

import Oxbow

final class Bicycle: Sendable {}

final class Dispatch: Sendable {
  init(bicycle: Bicycle) {}
}

func define(on builder: ContainerBuilder) {
  builder.singleton(named: "dispatch") { container in
    Dispatch(bicycle: try container.object("bicycle"))
  }
}
