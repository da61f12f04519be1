import OxbowContainer

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The classes that Typhoon's first sample names.
///
/// `@unchecked`: written while a container builds them, read after.
enum MiddleAges {
  protocol Quest: AnyObject {
    var imageUrl: URL? { get }
  }

  final class CampaignQuest: Quest, Component {
    var imageUrl: URL?
    var steps: [String] = []

    init() {}

    init(imageUrl: URL) { self.imageUrl = imageUrl }

    static var componentDescriptor: ComponentDescriptor {
      ComponentDescriptor(
        CampaignQuest.self, name: "CampaignQuest", sendability: .of(), product: .of(),
        initializers: [
          InitializerDescriptor { CampaignQuest() },
          InitializerDescriptor(.plain("imageUrl", URL.self)) { CampaignQuest(imageUrl: $0) },
        ],
        properties: [
          .plain("imageUrl", URL.self) { $0.imageUrl = $1 }
        ],
        callbacks: [
          CallbackDescriptor("questBeforePropertyInjection") { $0.steps.append("before") },
          CallbackDescriptor("questAfterPropertyInjection") { $0.steps.append("after") },
        ])
    }
  }

  class Knight: Component, Hashable, @unchecked Sendable {
    var quest: (any Quest)?
    var damselsRescued = 0
    var favoriteDamsels: [String] = []
    var friends: Set<Knight> = []

    init() {}

    init(quest: any Quest) { self.quest = quest }

    init(quest: any Quest, favoriteDamsels: [String]) {
      self.quest = quest
      self.favoriteDamsels = favoriteDamsels
    }

    static func == (one: Knight, other: Knight) -> Bool { one === other }

    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

    /// A parameter that takes any quest.
    static var quest: ParameterDescriptor<any Quest> {
      ParameterDescriptor(
        "quest", (any Quest).self, typeName: "any Quest", sendability: .of(),
        accepts: { $0 is any Quest.Type })
    }

    class var componentDescriptor: ComponentDescriptor {
      ComponentDescriptor(
        Knight.self, name: "Knight", sendability: .of(), product: .of(),
        initializers: [
          InitializerDescriptor { Knight() },
          InitializerDescriptor(Knight.quest) { Knight(quest: $0) },
          InitializerDescriptor(
            Knight.quest,
            ParameterDescriptor(
              "favoriteDamsels", [String].self, typeName: "[String]", sendability: .of(),
              accepts: { $0 is String.Type })
          ) { Knight(quest: $0, favoriteDamsels: $1) },
        ],
        properties: [
          .property(
            "quest", (any Quest).self, typeName: "any Quest", sendability: .of(), isOptional: true,
            accepts: { $0 is any Quest.Type }, set: { $0.quest = $1 }),
          .plain("damselsRescued", Int.self) { $0.damselsRescued = $1 },
          .property(
            "favoriteDamsels", [String].self, typeName: "[String]", sendability: .of(),
            accepts: { $0 is String.Type }, set: { $0.favoriteDamsels = $1 }),
          .property(
            "friends", Set<Knight>.self, typeName: "Set<Knight>", sendability: .of(),
            accepts: { $0 is Knight.Type }, set: { $0.friends = $1 }),
        ])
    }
  }

  final class CavalryMan: Knight, @unchecked Sendable {
    var hitRatio: Float = 0
    var hasHorseWillTravel = false

    override init(quest: any Quest) { super.init(quest: quest) }

    init(quest: any Quest, hitRatio: Float) {
      self.hitRatio = hitRatio
      super.init(quest: quest)
    }

    override class var componentDescriptor: ComponentDescriptor {
      ComponentDescriptor(
        CavalryMan.self, name: "CavalryMan", sendability: .of(), product: .of(),
        initializers: [
          InitializerDescriptor(Knight.quest) { CavalryMan(quest: $0) },
          InitializerDescriptor(Knight.quest, .plain("hitRatio", Float.self)) {
            CavalryMan(quest: $0, hitRatio: $1)
          },
        ],
        properties: [
          .plain("hitRatio", Float.self) { $0.hitRatio = $1 },
          .plain("hasHorseWillTravel", Bool.self) { $0.hasHorseWillTravel = $1 },
        ])
    }
  }

  final class Sword: Component {
    let specification: String

    init(specification: String) { self.specification = specification }

    static var componentDescriptor: ComponentDescriptor {
      ComponentDescriptor(
        Sword.self, name: "Sword", sendability: .of(), product: .of(),
        initializers: [
          InitializerDescriptor(.plain("specification", String.self)) { Sword(specification: $0) }
        ])
    }
  }

  final class SwordFactory: Component {
    func sword(specification: String) -> Sword { Sword(specification: "forged \(specification)") }

    static var componentDescriptor: ComponentDescriptor {
      ComponentDescriptor(
        SwordFactory.self, name: "SwordFactory", sendability: .of(), product: .of(),
        initializers: [InitializerDescriptor { SwordFactory() }],
        methods: [
          MethodDescriptor("sword", .plain("specification", String.self), sendability: .of()) {
            $0.sword(specification: $1)
          }
        ])
    }
  }
}

/// What the sample calls NSURL.
enum NoURL: Error { case text(String) }

extension URL {
  static var componentDescriptor: ComponentDescriptor {
    ComponentDescriptor(
      URL.self, name: "URL", sendability: .of(), product: .of(),
      initializers: [
        InitializerDescriptor(.plain("string", String.self)) { text in
          guard let url = URL(string: text) else { throw NoURL.text(text) }
          return url
        }
      ])
  }
}
