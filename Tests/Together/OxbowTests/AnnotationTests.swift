import Oxbow
import Testing

private enum Names { static let grail = "grail" }

@Proxied protocol Relic: AnyObject, Sendable {
  func title() throws -> String
}

extension RelicProxy: RelicForwarding {}

@Component("grail", .singleton, .lazy) final class Grail: Relic {
  let name: String
  @Inject(value: "the holy grail") init(name: String) { self.name = name }
  func title() -> String { name }
}

@Component("lance", .weakSingleton) final class Lance: Relic {
  func title() -> String { "the holy lance" }
}

@Component(.objectGraph) class Rider {
  @Inject(Names.grail) var relic: (any Relic)?
  @Inject var horse: Horse?
  @Inject(value: "31") var age = 1
  @Autowired var lances: [Lance] = []
  @Autowired var saddle: Saddle?
  private(set) var log: [String] = []

  static func named(_ name: String, age: Int = 5) -> Rider {
    let rider = Rider()
    (rider.log, rider.age) = ([name], age)
    return rider
  }

  required init() {}

  func mount() throws { log.append("mount \(horse == nil ? "nothing" : "the horse")") }

  @FactoryMethod func squire(of name: String) throws -> Squire { Squire(master: name, age: age) }
}

@Component final class Outrider: Rider {
  @Inject(value: "62") override var age: Int {
    didSet { seen = age }
  }
  @Inject("lance") var trophy: (any Relic)?
  var seen = 0
}

@Component final class Horse {}

@Component final class Saddle {
  let horse: Horse
  let kind: String
  @Autowired init(horse: Horse, kind: String = "plain") { (self.horse, self.kind) = (horse, kind) }
}

@Component final class Squire {
  let master: String
  let age: Int
  init(master: String, age: Int) { (self.master, self.age) = (master, age) }
}

@Component class Banner {
  let relic: any Relic
  @Inject("grail") init(relic: any Relic) { self.relic = relic }
}

@Component final class Pennant: Banner {
  init() { super.init(relic: Lance()) }
}

protocol Signal: Sendable {}

@Component("flag", .singleton) final class Flag: Signal {}

@Component("horn", .primary, .singleton) final class Horn: Signal {}

@Component final class Watch {
  @Autowired var signal: (any Signal)?
}

class Machine {
  let power: Int
  init(power: Int) { self.power = power }
  init(weight: Int) { power = weight * 2 }
}

@Component final class Crane: Machine {
  var height = 1
  static func tall() -> Crane { Crane(weight: 20) }
}

class Vessel {
  let length: Int
  init() { length = 1 }
  init(length: Int) { self.length = length }
}

@Component final class Barge: Vessel {
  var cargo = 1
}

@Suite struct AnnotationTests {
  private func builder() -> ContainerBuilder {
    let builder = ContainerBuilder()
    builder.add(Grail.self)
    builder.add(Lance.self)
    builder.add(Horse.self, named: "horse")
    builder.add(Saddle.self)
    return builder
  }

  @Test func `OX-11 the description has what is annotated on the class`() {
    let grail = Grail.componentDescriptor.annotations
    #expect(grail.name == "grail")
    #expect(grail.scope == "singleton")
    #expect(grail.isLazy)
    #expect(grail.assignments.map(\.name) == ["name"])
    let rider = Rider.componentDescriptor.annotations
    #expect(rider.name == nil)
    #expect(rider.scope == "objectGraph")
    #expect(rider.assignments.map(\.name) == ["relic", "horse", "age", "lances", "saddle"])
    #expect(
      rider.assignments.map(\.referencedObject) == ["grail", "horse", nil, nil, nil])
    #expect(rider.assignments[0].location?.file == "OxbowTests/AnnotationTests.swift")
    #expect(rider.assignments[0].location?.line == 23)
    #expect(Horse.componentDescriptor.annotations.scope == "prototype")
  }

  @Test func `OX-11 an annotated singleton is one object, and a lazy one waits for its first call`()
    throws
  {
    let container = try builder().build()
    let proxy: RelicProxy = try container.object("grail")
    #expect(!proxy.isTargetMaterialized)
    #expect(try proxy.title() == "the holy grail")
    #expect(proxy.isTargetMaterialized)
    let lance: Lance = try container.object("lance")
    #expect(try container.object("lance", as: Lance.self) === lance)
    container.close()
  }

  @Test func `OX-11 TY-26 objects are injected by name, value and type`() throws {
    let builder = builder()
    let ref = builder.add(Rider.self)
    let rider = try builder.build().object(ref)
    #expect(try rider.relic?.title() == "the holy grail")
    #expect(rider.horse != nil)
    #expect(rider.age == 31)
    #expect(rider.lances.count == 1)
    #expect(rider.saddle?.kind == "plain")
  }

  @Test func `OX-12 without a name the object is called like its class, and is new each time`()
    throws
  {
    let builder = builder()
    builder.add(Saddle.self, named: "second")
    let container = try builder.build()
    #expect(container.contains("Saddle"))
    let saddle: Saddle = try container.object("Saddle")
    #expect(try container.object("Saddle", as: Saddle.self) !== saddle)
  }

  @Test func `OX-12 TY-26 annotations of superclasses count, and the nearest goes first`() throws {
    let builder = builder()
    let ref = builder.add(Outrider.self)
    let outrider = try builder.build().object(ref)
    #expect(outrider.seen == 62)
    #expect(outrider.horse != nil)
    #expect(try outrider.trophy?.title() == "the holy lance")
  }

  @Test func `OX-12 the annotated initializer of a superclass is no business of a subclass`() throws
  {
    let builder = builder()
    let (banner, pennant) = (builder.add(Banner.self), builder.add(Pennant.self))
    let container = try builder.build()
    #expect(try container.object(banner).relic.title() == "the holy grail")
    #expect(try container.object(pennant).relic.title() == "the holy lance")
  }

  @Test func `OX-12 what a definition says itself goes before the annotation`() throws {
    let builder = builder()
    builder.add(
      ObjectDefinition(
        "rider", class: "Rider", scope: "prototype",
        properties: [.value("age", "7"), .reference("relic", to: "lance")]))
    let rider: Rider = try builder.build().object("rider")
    #expect(rider.age == 7)
    #expect(try rider.relic?.title() == "the holy lance")
    #expect(rider.horse != nil)
  }

  @Test func `OX-13 a class that is known by name only is defined as it is annotated`() throws {
    let builder = builder()
    builder.add(className: "Rider", named: "rider")
    let rider: Rider = try builder.build().object("rider")
    #expect(rider.age == 31)
  }

  @Test func `a mistake in an annotation has the place of the annotation`() throws {
    let builder = ContainerBuilder()
    builder.add(Saddle.self)
    let error = #expect(throws: ContainerError.self) { try builder.build() }
    #expect(error?.problems.count == 1)
    #expect(error?.problems.first?.location?.file == "OxbowTests/AnnotationTests.swift")
    #expect(error?.problems.first?.location?.line == 56)
  }
}

// MARK: - What files can do with the description

extension AnnotationTests {
  @Test func `TY-15 TY-08 a static method makes the object, and callbacks are called`() throws {
    let builder = builder()
    var definition = ObjectDefinition("rider", class: "Rider", scope: "prototype")
    definition.initializer = InitializerCall(
      MethodName("named", labels: ["name"]), arguments: [.value("name", "Ada")])
    definition.methodAfterInjection = "mount"
    builder.add(definition)
    let rider: Rider = try builder.build().object("rider")
    #expect(rider.log == ["Ada", "mount the horse"])
  }

  @Test func `TY-17 a marked method of another object makes the object`() throws {
    let builder = builder()
    builder.add(Rider.self, named: "rider")
    var definition = ObjectDefinition("squire", scope: "prototype")
    definition.factoryComponent = "rider"
    definition.initializer = InitializerCall(
      MethodName("squire", labels: ["of"]), arguments: [.value("of", "Ada")])
    builder.add(definition)
    let squire: Squire = try builder.build().object("squire")
    #expect(squire.master == "Ada")
    #expect(squire.age == 31)
  }

  @Test func `the primary of several classes is the one that a type means`() throws {
    let builder = ContainerBuilder()
    builder.add(Flag.self)
    builder.add(Horn.self)
    let watch = builder.add(Watch.self)
    #expect(try builder.build().object(watch).signal is Horn)
  }

  @Test func `a class that inherits initializers is described by its plain one, if any`() throws {
    #expect(Crane.componentDescriptor.initializerLabels == [[]])
    #expect(Barge.componentDescriptor.initializerLabels == [[]])
    let builder = ContainerBuilder()
    let barge = builder.add(Barge.self)
    var crane = ObjectDefinition("crane", class: "Crane")
    crane.initializer = InitializerCall(MethodName("tall"), arguments: [])
    crane.scope = "prototype"
    builder.add(crane)
    let container = try builder.build()
    #expect(try container.object(barge).length == 1)
    #expect(try container.object("crane", as: Crane.self).power == 40)
  }
}
