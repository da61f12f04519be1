// expect-error: one Ref is needed for each parameter, in order

import Oxbow

final class Pool: Sendable {
  init(url: String, size: Int = 4) {}
}

func define(on builder: ContainerBuilder) {
  builder.singleton(named: "pool", Pool.init(url:size:), Ref.value("u"))
}
