import OxbowContainer
import OxbowDocuments
import Testing

protocol Animal: Sendable { var sound: String { get } }
protocol Pet: Animal {}
protocol ShowPet: Equatable, Pet {}
protocol Groomed: AnyObject, Sendable {}
final class Poodle: ShowPet, Groomed {
  let sound = "wuff"
  init() {}
  static func == (a: Poodle, b: Poodle) -> Bool { a === b }
}
final class Cow: Animal {
  let sound = "moo"
  init() {}
}
final class Cat: Pet {
  let sound = "meow"
  init() {}
}

/// "All of a type" is all, and what cannot be known is said (review D4, D10).
@Suite struct WholeByTypeTests {
  /// A class whose properties are filled by type, as `@Autowired` has it.
  private final class Zoo: Component {
    var all: [any Animal] = []
    var map: [String: any Animal] = [:]
    init() {}

    static var componentDescriptor: ComponentDescriptor {
      ComponentDescriptor(
        Zoo.self, name: "Zoo", sendability: .of(), product: .of(),
        initializers: [InitializerDescriptor { Zoo() }],
        properties: [
          .property(
            "all", [any Animal].self, typeName: "[any Animal]", sendability: .of(),
            accepts: { $0 is any Animal.Type }, set: { $0.all = $1 }),
          .property(
            "map", [String: any Animal].self, typeName: "[String: any Animal]",
            sendability: .of(), accepts: { $0 is any Animal.Type }, set: { $0.map = $1 }),
        ],
        annotations: ComponentAnnotations(assignments: [
          PropertyAssignment("all", to: .byType), PropertyAssignment("map", to: .byType),
        ]))
    }
  }

  private final class Keeper: Component {
    var one: (any Animal)?
    init() {}

    static var componentDescriptor: ComponentDescriptor {
      ComponentDescriptor(
        Keeper.self, name: "Keeper", sendability: .of(), product: .of(),
        initializers: [InitializerDescriptor { Keeper() }],
        properties: [
          .property(
            "one", (any Animal).self, typeName: "(any Animal)?", sendability: .of(),
            isOptional: true, accepts: { $0 is any Animal.Type }, set: { $0.one = $1 })
        ],
        annotations: ComponentAnnotations(assignments: [PropertyAssignment("one", to: .byType)]))
    }
  }

  private func many() -> ContainerBuilder {
    let builder = ContainerBuilder()
    builder.singleton(named: "cow", Cow.init)
    let _: Ref<any Animal> = builder.singleton(named: "typed", Cow.init)
    builder.singleton(named: "shared", { () -> any Animal & Sendable in Cow() })
    builder.singleton(named: "cat", Cat.init)
    return builder
  }

  private let names = ["cow", "typed", "shared", "cat"]

  @Test func `review BT1, BT2: what is defined as the protocol is found, with a test and without`()
    throws
  {
    let builder = many()
    builder.singleton(
      named: "tested", { (animals: [any Animal]) in animals.count },
      Ref.all((any Animal).self) { $0 is any Animal.Type })
    builder.singleton(
      named: "plain", { (animals: [any Animal]) in animals.count }, Ref.all((any Animal).self))
    let container = try builder.build()
    #expect(
      try container.names(ofType: (any Animal).self) { $0 is any Animal.Type } == names)
    #expect(try container.names(ofType: (any Animal).self) == names)
    #expect(try container.object("tested", as: Int.self) == 4)
    #expect(try container.object("plain", as: Int.self) == 4)
  }

  @Test func `review BT3, BT11: an annotated collection has all, in order and by name`() throws {
    let builder = many()
    builder.add(Zoo.self)
    let zoo = try builder.build().object("Zoo", as: Zoo.self)
    #expect(zoo.all.map(\.sound) == ["moo", "moo", "moo", "meow"])
    #expect(zoo.map.keys.sorted() == names.sorted())
  }

  @Test func `review BT4, BT6, BT7, BT9: what cannot be known is left out and named in a note`()
    throws
  {
    let builder = ContainerBuilder()
    builder.singleton(named: "cow", Cow.init)
    builder.singleton(named: "maybe", { Cow() as Cow? })
    builder.add(Keeper.self)
    let report = builder.check()
    #expect(report.problems.isEmpty)
    #expect(
      report.notes.map(\.text) == [
        "object \"Keeper\", property \"one\": it is not known whether "
          + "\"maybe\", an Optional<Cow>, is an Animal, so it is left out"
      ])
    let keeper = try builder.build().object("Keeper", as: Keeper.self)
    #expect(keeper.one?.sound == "moo")
  }

  @Test func `review BT5: the only candidate is typed as the protocol`() throws {
    let builder = ContainerBuilder()
    let _: Ref<any Animal> = builder.singleton(named: "typed", Cow.init)
    builder.add(Keeper.self)
    #expect(try builder.build().object("Keeper", as: Keeper.self).one != nil)
  }

  @Test func `D4 a definition that is typed as a refining protocol is found by type`() throws {
    let builder = ContainerBuilder()
    builder.singleton(named: "pet", { () -> any Pet in Cat() })
    builder.singleton(named: "show", { () -> any Groomed & ShowPet in Poodle() })
    builder.singleton(named: "plain", { () -> any Groomed in Poodle() })
    let animal: Ref<any Animal> = Ref("pet")
    builder.singleton(named: "user", { (animal: any Animal) in animal.sound }, animal)
    let container = try builder.build()
    #expect(try container.names(ofType: (any Animal).self) == ["pet", "show"])
    #expect(try container.names(ofType: (any Pet).self) == ["pet", "show"])
    #expect(try container.names(ofType: (any ShowPet).self) == ["show"])
    #expect(try container.names(ofType: (any Groomed).self) == ["show", "plain"])
    #expect(try container.names(ofType: (any Animal & Groomed).self) == ["show"])
    #expect(
      try container.objects(ofType: (any Animal).self).map(\.sound) == ["meow", "wuff"])
    #expect(try container.object("user", as: String.self) == "meow")
  }

  @Test func `review BT6: a protocol is known to refine another one by its proxy class`() throws {
    let builder = ContainerBuilder()
    builder.registerProxy(PetProxy.self)
    builder.singleton(named: "pet", { () -> any Pet in Cat() })
    builder.add(Zoo.self)
    #expect(builder.check().notes.isEmpty)
    let zoo = try builder.build().object("Zoo", as: Zoo.self)
    #expect(zoo.all.map(\.sound) == ["meow"])
  }

  @Test func `review D10: one reference by type serves several definitions`() throws {
    let builder = ContainerBuilder()
    let any = Ref<any Animal>.byType()
    builder.singleton(named: "cow", Cow.init)
    builder.singleton(named: "loud", Loud.init, any)
    builder.prototype(named: "user", { (animal: any Animal) in animal.sound }, any)
    let found = builder.check().problems
    #expect(found.map(\.code) == [.noObjectOfType])
    #expect(
      found.first?.message
        == "object \"user\", initializer argument 1: 2 objects are each an Animal")
    let alone = ContainerBuilder()
    alone.singleton(named: "cow", Cow.init)
    alone.singleton(named: "loud", Loud.init, any)
    alone.prototype(named: "count", { (all: [any Animal]) in all.map(\.sound) }, Ref.all())
    #expect(try alone.build().object("count", as: [String].self) == ["moo", "MOO"])
  }

  // MARK: - Optional and primary

  @Test func `review GU02, GU03: an optional place by type stays empty, with a note`() throws {
    let builder = ContainerBuilder()
    builder.add(Keeper.self)
    let report = builder.check()
    #expect(report.problems.isEmpty)
    #expect(
      report.notes.map(\.text) == [
        "object \"Keeper\", property \"one\": no object is an Animal, so it stays empty"
      ])
    #expect(try builder.build().object("Keeper", as: Keeper.self).one == nil)
    let several = many()
    several.add(Keeper.self)
    #expect(several.check().problems.map(\.code) == [.noObjectOfType])
  }

  @Test func `optional references deliver nil where nothing is defined`() throws {
    let builder = ContainerBuilder()
    builder.prototype(
      named: "none", { (animal: (any Animal)?) in animal?.sound ?? "silence" },
      Ref<any Animal>("cow").optional)
    builder.prototype(
      named: "untyped", { (animal: (any Animal)?) in animal?.sound ?? "silence" },
      Ref<any Animal>.byType().optional)
    builder.prototype(
      named: "later", { (animal: Provider<any Animal>?) in try animal?().sound ?? "silence" },
      Ref<any Animal>.byType().provider.optional)
    builder.prototype(
      named: "some", { (text: String?) in text ?? "silence" }, Ref<String>.optional("text"))
    let silent = try builder.build()
    for name in ["none", "untyped", "later", "some"] {
      #expect(try silent.object(name, as: String.self) == "silence")
    }
    builder.singleton(named: "cow", Cow.init)
    builder.singleton(named: "text", { "moo" })
    let loud = try builder.build()
    for name in ["none", "untyped", "later", "some"] {
      #expect(try loud.object(name, as: String.self) == "moo")
    }
    #expect(loud.graph["none"]?.needs.map(\.target) == ["cow"])
    let wrong = ContainerBuilder()
    wrong.singleton(named: "text", { 5 })
    wrong.prototype(named: "some", { (text: String?) in text ?? "" }, Ref<String>.optional("text"))
    #expect(wrong.check().problems.map(\.code) == [.typeMismatch])
  }

  @Test func `one object among several is primary`() throws {
    let builder = ContainerBuilder()
    builder.singleton(named: "cow", Cow.init)
    builder.singleton(named: "cat", traits: .primary, Cat.init)
    builder.add(Keeper.self)
    builder.prototype(named: "all", { (all: [any Animal]) in all.count }, Ref.all())
    let container = try builder.build()
    #expect(try container.object("Keeper", as: Keeper.self).one is Cat)
    #expect(try container.object(ofType: (any Animal).self) is Cat)
    #expect(try container.object("all", as: Int.self) == 2)
    #expect(container.graph["cat"]?.isPrimary == true)
    #expect(try container.explain("cat").description.contains("primary"))
    builder.singleton(named: "tom", traits: .primary, Cat.init)
    let found = builder.check().problems
    #expect(found.map(\.code) == [.noObjectOfType])
    #expect(found.first?.seen.contains("cow") == false)
  }
}

private final class Loud: Animal {
  let sound: String
  init(_ other: any Animal) { sound = other.sound.uppercased() }
}

private final class PetProxy: Pet, ForwardingProxy {
  let _source: any ProxySource<any Pet>
  init(source: any ProxySource<any Pet>) { _source = source }
  static func accepts(_ type: any Any.Type) -> Bool { type is any Pet.Type }
  var sound: String { (try? _source.target().sound) ?? "" }
}
