// expect-ok

import Oxbow

public protocol Quest: AnyObject, Sendable {}

@Component("grail", .singleton, .lazy) public final class Grail: Quest {
  public init() {}
}

@Component(.thread, isolation: .nonisolated) open class Knight {
  @Inject("grail") var quest: (any Quest)?
  @Autowired public var all: [any Quest] = []
  @Inject(value: "20") var age = 1

  public required init() {}
  public static func make(age: Int) -> Self { Self() }
  @FactoryMethod public func squire() -> Knight { Knight() }
}

@Component final class Round: Sendable {
  @Inject("grail") let quest: any Quest
  @Autowired init(quest: any Quest) { self.quest = quest }
}
