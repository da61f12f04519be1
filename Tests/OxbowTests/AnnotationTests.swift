import Oxbow
import Testing

private enum Names { static let grail = "grail" }

@Component("grail", .singleton, .lazy) final class Grail: Quest {
  let title: String
  @Inject(value: "find the grail") init(title: String) { self.title = title }
}

@Component(.objectGraph) class Rider {
  @Inject(Names.grail) var quest: (any Quest)?
  @Inject var horse: Horse?
  @Inject(value: "31") var age = 1
  @Autowired var quests: [any Quest] = []
  private(set) var log: [String] = []

  static func named(_ name: String, age: Int = 5) -> Rider {
    let rider = Rider()
    (rider.log, rider.age) = ([name], age)
    return rider
  }

  required init() {}

  func mount() throws { log.append("mount") }

  @FactoryMethod func squire(of name: String) throws -> Squire { Squire(master: name) }
}

@Component final class Outrider: Rider {
  @Inject(value: "62") override var age: Int {
    didSet { seen = age }
  }
  var seen = 0
}

@Component final class Horse {}

@Component final class Squire {
  let master: String
  init(master: String) { self.master = master }
}

@Suite struct AnnotationTests {
  @Test func `OX-11 the description has what is annotated on the class`() {
    let grail = Grail.componentDescriptor.annotations
    #expect(grail.name == "grail")
    #expect(grail.scope == "singleton")
    #expect(grail.isLazy)
    #expect(grail.assignments.map(\.name) == ["title"])
    let rider = Rider.componentDescriptor.annotations
    #expect(rider.name == nil)
    #expect(rider.scope == "objectGraph")
    #expect(rider.assignments.map(\.name) == ["quest", "horse", "age", "quests"])
    #expect(rider.assignments.map(\.referencedObject) == ["grail", "horse", nil, nil])
    #expect(rider.assignments[0].location?.file == "OxbowTests/AnnotationTests.swift")
    #expect(rider.assignments[0].location?.line == 12)
    #expect(Horse.componentDescriptor.annotations.scope == "prototype")
  }
}
