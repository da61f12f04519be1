// expect-error: one Ref is needed for each parameter, in order and of its type
// expect-error: a 'Provider<Type>' the '.provider' of such a Ref

import Oxbow

protocol Courier: Sendable {}

final class Bicycle: Courier {}

final class Dispatch: Sendable {
  init(couriers: Provider<any Courier>) {}
}

func define(on builder: ContainerBuilder) {
  builder.singleton(named: "courier", Bicycle.init)
  builder.singleton(named: "dispatch", Dispatch.init, Ref<any Courier>("courier"))
}

func defined(on builder: ContainerBuilder) {
  builder.singleton(named: "courier", Bicycle.init)
  builder.singleton(named: "dispatch", Dispatch.init, Ref<any Courier>("courier").provider)
}
