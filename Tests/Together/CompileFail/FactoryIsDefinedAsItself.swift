// expect-error: this defines the factory itself; write 'factory:' before it to define what it makes
// flags: -warnings-as-errors

import Oxbow

final class WordFactory: FactoryObject, Sendable {
  func object() throws -> String { "word" }
}

func define(on builder: ContainerBuilder) {
  builder.singleton(named: "word", WordFactory.init)
}
