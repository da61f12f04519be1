import OxbowContainer

// Classes with everything that definitions can say, and their descriptions written by hand.

/// Collections of every kind, and a captain that paths lead through.
final class Company: Component {
  var quests: [any Quest] = []
  var knights: ContiguousArray<Knight> = []
  var ages: Set<Int> = []
  var names: [String] = []
  var mottos: [String]?
  var banners: [String: String] = [:]
  var goals: [String: any Quest] = [:]
  var rows: [[Int]] = []
  var anything: [Any] = []
  var captain: Knight?
  var leader: (any Quest)?
  var title = ""
  init() {}

  nonisolated static var componentDescriptor: ComponentDescriptor {
    ComponentDescriptor(
      Company.self, name: "Company", sendability: .of(), product: .of(),
      initializers: [InitializerDescriptor { Company() }],
      properties: [
        .property(
          "quests", [any Quest].self, typeName: "[any Quest]", sendability: .of(),
          accepts: { $0 is any Quest.Type }, set: { $0.quests = $1 }),
        .property(
          "knights", ContiguousArray<Knight>.self, typeName: "ContiguousArray<Knight>",
          sendability: .of(), accepts: { $0 is Knight.Type }, set: { $0.knights = $1 }),
        .property(
          "ages", Set<Int>.self, typeName: "Set<Int>", sendability: .of(),
          accepts: { $0 is Int.Type }, set: { $0.ages = $1 }),
        .property(
          "names", [String].self, typeName: "[String]", sendability: .of(),
          accepts: { $0 is String.Type }, set: { $0.names = $1 }),
        .property(
          "mottos", [String].self, typeName: "[String]?", sendability: .of(), isOptional: true,
          accepts: { $0 is String.Type }, set: { $0.mottos = $1 }),
        .property(
          "banners", [String: String].self, typeName: "[String: String]", sendability: .of(),
          accepts: { $0 is String.Type }, set: { $0.banners = $1 }),
        .property(
          "goals", [String: any Quest].self, typeName: "[String: any Quest]", sendability: .of(),
          accepts: { $0 is any Quest.Type }, set: { $0.goals = $1 }),
        .property(
          "rows", [[Int]].self, typeName: "[[Int]]", sendability: .of(),
          accepts: { $0 is [Int].Type }, set: { $0.rows = $1 }),
        .property(
          "anything", [Any].self, typeName: "[Any]", sendability: .of(), accepts: { _ in true },
          set: { $0.anything = $1 }),
        .property(
          "captain", Knight.self, typeName: "Knight?", sendability: .of(), isOptional: true,
          accepts: { $0 is Knight.Type }, get: { $0.captain }, set: { $0.captain = $1 }),
        .property(
          "leader", (any Quest).self, typeName: "(any Quest)?", sendability: .of(),
          isOptional: true, accepts: { $0 is any Quest.Type }, get: { $0.leader },
          set: { $0.leader = $1 }),
        .property(
          "title", String.self, typeName: "String", sendability: .of(),
          accepts: { $0 is String.Type }, set: { $0.title = $1 }),
      ])
  }
}

/// A blade with initializers, static methods, callbacks and an observer's calls, all written down.
final class Blade: Component, InjectionObserver {
  let maker: String
  let length: Int
  let quest: (any Quest)?
  var owner = ""
  var log: [String] = []

  init(maker: String, length: Int, quest: (any Quest)? = nil) {
    self.maker = maker
    self.length = length
    self.quest = quest
  }

  static func forged(length: Int) -> Blade { Blade(maker: "static", length: length) }
  static func standard() -> Blade { Blade(maker: "standard", length: 90) }
  func sharpen() { log.append("sharpen, owner \"\(owner)\"") }
  func polish() { log.append("polish, owner \"\(owner)\"") }
  func fail() throws { throw Refusal("it broke") }
  func beforePropertiesSet() { log.append("before, owner \"\(owner)\"") }
  func afterPropertiesSet() { log.append("after, owner \"\(owner)\"") }

  nonisolated static var componentDescriptor: ComponentDescriptor {
    let maker = ParameterDescriptor(
      "maker", String.self, typeName: "String", sendability: .of(),
      accepts: { $0 is String.Type })
    let length = ParameterDescriptor(
      "length", Int.self, typeName: "Int", sendability: .of(), accepts: { $0 is Int.Type })
    let quest = ParameterDescriptor(
      "quest", (any Quest)?.self, typeName: "(any Quest)?", sendability: .of(),
      accepts: { $0 is any Quest.Type })
    return ComponentDescriptor(
      Blade.self, name: "Blade", sendability: .of(), product: .of(),
      initializers: [
        InitializerDescriptor { Blade(maker: "nobody", length: 0) },
        InitializerDescriptor(maker, length) { Blade(maker: $0, length: $1) },
        InitializerDescriptor(maker, length, quest) { Blade(maker: $0, length: $1, quest: $2) },
        InitializerDescriptor(method: "forged", length) { Blade.forged(length: $0) },
        InitializerDescriptor(method: "standard") { Blade.standard() },
      ],
      properties: [
        .property(
          "owner", String.self, typeName: "String", sendability: .of(),
          accepts: { $0 is String.Type }, get: { $0.owner }, set: { $0.owner = $1 })
      ],
      callbacks: [
        CallbackDescriptor("sharpen") { $0.sharpen() },
        CallbackDescriptor("polish") { $0.polish() },
        CallbackDescriptor("fail") { try $0.fail() },
      ])
  }
}

/// An object whose methods make others.
class Forge: Component {
  var smith = "nobody"
  init() {}

  func blade(length: Int) -> Blade { Blade(maker: smith, length: length) }
  func grail() -> Grail { Grail() }

  nonisolated class var componentDescriptor: ComponentDescriptor {
    ComponentDescriptor(
      Forge.self, name: "Forge", sendability: .of(), product: .of(),
      initializers: [InitializerDescriptor { Forge() }],
      properties: [
        .property(
          "smith", String.self, typeName: "String", sendability: .of(),
          accepts: { $0 is String.Type }, set: { $0.smith = $1 })
      ],
      methods: [
        MethodDescriptor(
          "blade",
          ParameterDescriptor(
            "length", Int.self, typeName: "Int", sendability: .of(), accepts: { $0 is Int.Type }),
          sendability: .of()
        ) { $0.blade(length: $1) },
        MethodDescriptor("grail", sendability: .of()) { $0.grail() },
      ])
  }
}

final class RoyalForge: Forge {
  override nonisolated class var componentDescriptor: ComponentDescriptor {
    ComponentDescriptor(
      RoyalForge.self, name: "RoyalForge", sendability: .of(), product: .of(),
      initializers: [InitializerDescriptor { RoyalForge() }])
  }
}

extension ContainerBuilder {
  /// A builder that knows the tests' classes.
  static func ofTests() -> ContainerBuilder {
    let builder = ContainerBuilder()
    builder.register(Knight.self)
    builder.register(kingDescriptor)
    builder.register(Grail.self)
    builder.register(Dragon.self)
    builder.register(Castle.self)
    builder.register(SwordFactory.self)
    builder.register(Sword.self)
    builder.register(Armory.self)
    builder.register(Company.self)
    builder.register(Blade.self)
    builder.register(Forge.self)
    builder.register(RoyalForge.self)
    return builder
  }

  /// The text of the error with which the builder fails.
  var failure: String {
    do {
      _ = try build()
      return "built"
    } catch {
      return "\(error)"
    }
  }

  /// What is wrong, one line for each problem.
  var faults: [String] { check().problems.map(\.message) }
}
