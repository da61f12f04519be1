import OxbowContainer

/// The classes of the tour, described as `@Component` does it.
enum Court {
  enum Temper: String, CaseIterable, Sendable { case calm, fierce }

  /// Something that no text can become.
  struct Banner: Sendable {}

  final class Grail: Quest, Herald, Crier, Component, Sendable {
    func announce() throws -> String { "the grail" }
    func cry() throws -> String { "oyez" }

    static var componentDescriptor: ComponentDescriptor {
      ComponentDescriptor(
        Grail.self, name: "Grail", sendability: .of(), product: .of(),
        initializers: [InitializerDescriptor { Grail() }])
    }
  }

  final class Dragon: Quest, Herald, Component {
    func announce() throws -> String { "the dragon" }

    static var componentDescriptor: ComponentDescriptor {
      ComponentDescriptor(
        Dragon.self, name: "Dragon", sendability: .of(), product: .of(),
        initializers: [InitializerDescriptor { Dragon() }])
    }
  }

  final class Sword {
    let smith: String
    init(smith: String) { self.smith = smith }
  }

  final class SwordFactory: FactoryObject, Component {
    var smith = ""
    func object() throws -> Sword { Sword(smith: smith) }

    static var componentDescriptor: ComponentDescriptor {
      ComponentDescriptor(
        SwordFactory.self, name: "SwordFactory", sendability: .of(), product: .of(),
        initializers: [InitializerDescriptor { SwordFactory() }],
        properties: [
          .property(
            "smith", String.self, typeName: "String", sendability: .of(),
            accepts: { $0 is String.Type }, set: { $0.smith = $1 })
        ])
    }
  }

  /// Makes swords by a method.
  final class Smithy: Component {
    func sword(owner: String) -> Sword { Sword(smith: owner) }

    static var componentDescriptor: ComponentDescriptor {
      ComponentDescriptor(
        Smithy.self, name: "Smithy", sendability: .of(), product: .of(),
        initializers: [InitializerDescriptor { Smithy() }],
        methods: [
          MethodDescriptor(
            "sword",
            ParameterDescriptor(
              "owner", String.self, typeName: "String", sendability: .of(),
              accepts: { $0 is String.Type }),
            sendability: .of()
          ) { (smithy: Smithy, owner: String) in smithy.sword(owner: owner) }
        ])
    }
  }

  class Knight: Component {
    var name = ""
    var age = 20
    var temper = Temper.calm
    var banner: Banner?
    var quest: (any Quest)?
    var sworn: (any Quest & Sendable)?
    var sword: Sword?
    var rival: Knight?
    init() {}

    init(liege: Knight) {}

    class var componentDescriptor: ComponentDescriptor { knight() }

    static func knight(_ annotations: ComponentAnnotations = ComponentAnnotations())
      -> ComponentDescriptor
    {
      ComponentDescriptor(
        Knight.self, name: "Knight", sendability: .of(), product: .of(),
        initializers: [
          InitializerDescriptor { Knight() },
          InitializerDescriptor(
            ParameterDescriptor(
              "liege", Knight.self, typeName: "Knight", sendability: .of(),
              accepts: { $0 is Knight.Type })
          ) { Knight(liege: $0) },
        ],
        properties: properties,
        callbacks: [CallbackDescriptor("rest") { _ in }],
        annotations: annotations)
    }

    private static var properties: [PropertyDescriptor<Knight>] {
      [
        .property(
          "name", String.self, typeName: "String", sendability: .of(),
          accepts: { $0 is String.Type }, set: { $0.name = $1 }),
        .property(
          "age", Int.self, typeName: "Int", sendability: .of(), accepts: { $0 is Int.Type },
          set: { $0.age = $1 }),
        .property(
          "temper", Temper.self, typeName: "Temper", sendability: .of(),
          accepts: { $0 is Temper.Type }, set: { $0.temper = $1 }),
        .property(
          "banner", Banner.self, typeName: "Banner?", sendability: .of(), isOptional: true,
          accepts: { $0 is Banner.Type }, set: { $0.banner = $1 }),
        .property(
          "quest", (any Quest).self, typeName: "(any Quest)?", sendability: .of(),
          isOptional: true, accepts: { $0 is any Quest.Type }, set: { $0.quest = $1 }),
        .property(
          "sworn", (any Quest & Sendable).self, typeName: "(any Quest & Sendable)?",
          sendability: .of(), isOptional: true, accepts: { $0 is any Quest.Type },
          set: { $0.sworn = $1 }),
        .property(
          "sword", Sword.self, typeName: "Sword?", sendability: .of(), isOptional: true,
          accepts: { $0 is Sword.Type }, set: { $0.sword = $1 }),
        .property(
          "rival", Knight.self, typeName: "Knight?", sendability: .of(), isOptional: true,
          accepts: { $0 is Knight.Type }, set: { $0.rival = $1 }),
      ]
    }
  }

  /// A class of the main actor.
  @MainActor final class Window: Component {
    nonisolated static var componentDescriptor: ComponentDescriptor {
      ComponentDescriptor(
        Window.self, name: "Window", sendability: .of(), product: .of(), isolation: .mainActor)
    }
  }

  /// Shared by everybody, and it keeps what it is given.
  final class Throne: Sendable {
    init() {}
    init(_ objects: Any...) {}
  }

  /// Cannot be disposed of.
  final class Moat: Disposable, Sendable {
    func dispose() throws { throw Refusal("it leaks") }
  }

  struct Refusal: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
  }
}

/// Another class of the same bare name.
enum Chess {
  final class Knight: Component {
    static var componentDescriptor: ComponentDescriptor {
      ComponentDescriptor(
        Knight.self, name: "Knight", sendability: .of(), product: .of(),
        initializers: [InitializerDescriptor { Knight() }])
    }
  }
}

// MARK: - Protocols

protocol Quest: AnyObject {}

protocol Herald {
  func announce() throws -> String
}

protocol Crier {
  func cry() throws -> String
}

final class HeraldProxy: Herald, ForwardingProxy {
  let _source: any ProxySource<any Herald>
  init(source: any ProxySource<any Herald>) { _source = source }
  static func accepts(_ type: any Any.Type) -> Bool { type is any Herald.Type }
  func announce() throws -> String { try _source.target().announce() }
}

final class CrierProxy: Crier, ForwardingProxy {
  let _source: any ProxySource<any Crier>
  init(source: any ProxySource<any Crier>) { _source = source }
  static func accepts(_ type: any Any.Type) -> Bool { type is any Crier.Type }
  func cry() throws -> String { try _source.target().cry() }
}
