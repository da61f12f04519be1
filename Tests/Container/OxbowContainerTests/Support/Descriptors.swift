import OxbowContainer

// What `@Component` emits, written by hand.

extension Knight: Component {
  nonisolated class var componentDescriptor: ComponentDescriptor { knightDescriptor }
}

private let knightDescriptor = ComponentDescriptor(
  Knight.self, name: "Knight", sendability: .of(), product: .of(),
  initializers: [InitializerDescriptor { Knight() }],
  properties: [
    .property(
      "quest", (any Quest).self, typeName: "(any Quest)?", sendability: .of(), isOptional: true,
      accepts: { $0 is any Quest.Type }, set: { $0.quest = $1 }),
    .property(
      "age", Int.self, typeName: "Int", sendability: .of(), accepts: { $0 is Int.Type },
      set: { $0.age = $1 }),
    .property(
      "title", String.self, typeName: "String", sendability: .of(), accepts: { $0 is String.Type },
      set: { $0.title = $1 }),
    .property(
      "motto", String.self, typeName: "String?", sendability: .of(), isOptional: true,
      accepts: { $0 is String.Type }, set: { $0.motto = $1 }),
    .property(
      "rival", Knight.self, typeName: "Knight?", sendability: .of(), isOptional: true,
      accepts: { $0 is Knight.Type }, set: { $0.rival = $1 }),
  ])

let kingDescriptor = ComponentDescriptor(
  King.self, name: "King", sendability: .of(), product: .of(),
  initializers: [InitializerDescriptor { King() }],
  properties: [
    .property(
      "castle", Castle.self, typeName: "Castle?", sendability: .of(), isOptional: true,
      accepts: { $0 is Castle.Type }, set: { $0.castle = $1 })
  ])

extension Grail: Component {
  nonisolated static var componentDescriptor: ComponentDescriptor {
    ComponentDescriptor(
      Grail.self, name: "Grail", sendability: .of(), product: .of(),
      initializers: [InitializerDescriptor { Grail() }])
  }
}

extension Dragon: Component {
  nonisolated static var componentDescriptor: ComponentDescriptor {
    ComponentDescriptor(
      Dragon.self, name: "Dragon", sendability: .of(), product: .of(),
      initializers: [InitializerDescriptor { Dragon() }])
  }
}

extension Castle: Component {
  nonisolated static var componentDescriptor: ComponentDescriptor {
    ComponentDescriptor(
      Castle.self, name: "Castle", sendability: .of(), product: .of(),
      initializers: [
        InitializerDescriptor(
          ParameterDescriptor(
            "name", String.self, typeName: "String", sendability: .of(),
            accepts: { $0 is String.Type }),
          ParameterDescriptor(
            "quest", (any Quest & Sendable).self, typeName: "any Quest & Sendable",
            sendability: .of(), accepts: { $0 is any Quest.Type })
        ) { Castle(name: $0, quest: $1) }
      ])
  }
}

/// A class with a record in the linker section: found without being registered.
final class Herald: Component, Sendable {
  init() {}

  nonisolated static var componentDescriptor: ComponentDescriptor {
    ComponentDescriptor(
      Herald.self, name: "Herald", sendability: .of(), product: .of(),
      initializers: [InitializerDescriptor { Herald() }])
  }

  #if objectFormat(MachO)
    @section("__DATA_CONST,__oxbow") @used
  #elseif objectFormat(ELF)
    @section("oxbow_components") @used
  #endif
  nonisolated private static let _record: ComponentRecord = (
    version: 1,
    describe: {
      $0.assumingMemoryBound(to: RegistryEntry.self)
        .initialize(to: .component(Herald.componentDescriptor))
    }
  )
}

/// A factory as files use it: properties, then one product.
final class SwordFactory: FactoryObject {
  var smith = "nobody"
  var herald: Provider<Herald>?
  func object() throws -> Sword { Sword(smith: smith) }
}

final class Sword {
  let smith: String
  var owner = ""
  init(smith: String) { self.smith = smith }
}

extension SwordFactory: Component {
  nonisolated static var componentDescriptor: ComponentDescriptor {
    ComponentDescriptor(
      SwordFactory.self, name: "SwordFactory", sendability: .of(), product: .of(),
      initializers: [InitializerDescriptor { SwordFactory() }],
      properties: [
        .property(
          "smith", String.self, typeName: "String", sendability: .of(),
          accepts: { $0 is String.Type }, set: { $0.smith = $1 }),
        .property(
          "herald", Provider<Herald>.self, typeName: "Provider<Herald>?", sendability: .of(),
          isOptional: true, accepts: { $0 is Herald.Type }, set: { $0.herald = $1 }),
      ])
  }
}

extension Sword: Component {
  nonisolated static var componentDescriptor: ComponentDescriptor {
    ComponentDescriptor(
      Sword.self, name: "Sword", sendability: .of(), product: .of(),
      properties: [
        .property(
          "owner", String.self, typeName: "String", sendability: .of(),
          accepts: { $0 is String.Type }, set: { $0.owner = $1 })
      ])
  }
}

/// A class that is handed factories and providers.
final class Armory: Component {
  var swords: (any FactoryObject<Sword> & Sendable)?
  var herald: Provider<Herald>?
  init() {}

  nonisolated static var componentDescriptor: ComponentDescriptor {
    ComponentDescriptor(
      Armory.self, name: "Armory", sendability: .of(), product: .of(),
      initializers: [InitializerDescriptor { Armory() }],
      properties: [
        .factory(
          "swords", of: Sword.self, typeName: "any FactoryObject<Sword> & Sendable",
          sendability: .of(), isOptional: true, accepts: { $0 is Sword.Type },
          set: { $0.swords = $1 }),
        .property(
          "herald", Provider<Herald>.self, typeName: "Provider<Herald>?", sendability: .of(),
          isOptional: true, accepts: { $0 is Herald.Type }, set: { $0.herald = $1 }),
      ])
  }
}
