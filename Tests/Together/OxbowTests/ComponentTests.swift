import Oxbow
import Testing

protocol Quest: AnyObject, Sendable {
  var title: String { get }
}

@Component final class DragonQuest: Quest {
  let title: String

  init(title: String = "slay the dragon") { self.title = title }
}

@Component class Knight {
  var quest: (any Quest)?
  var age = 20
  var `class`: String = "knight"
  private var secret: Int = 1
  private(set) var name: String

  init() { name = "nobody" }

  init(name: String, years: Int? = nil) throws {
    self.name = name
    if let years { age = years }
  }
}

@Component final class KnightErrant: Knight {
  var horse: String = ""
}

enum Stable {
  @Component final class Groom {
    var knights: (any FactoryObject<Knight> & Sendable)?
    var boss: Provider<DragonQuest>?
  }
}

@Component final class QuestFactory: FactoryObject {
  var title: String = ""

  func object() throws -> DragonQuest { DragonQuest(title: title) }
}

@MainActor @Component final class Window {
  var title: String = ""
}

@Suite struct ComponentTests {
  private func container(_ definitions: ObjectDefinition...) throws -> Container {
    let builder = ContainerBuilder()
    for definition in definitions { builder.add(definition) }
    return try builder.build()
  }

  @Test func `OX-10 a class is found by its name and its properties are set`() throws {
    let container = try container(
      ObjectDefinition("quest", class: "DragonQuest"),
      ObjectDefinition(
        "knight", class: "Knight", scope: "prototype",
        properties: [
          .reference("quest", to: "quest"), .value("age", "41"), .value("class", "baron"),
        ]))
    let knight: Knight = try container.object("knight")
    #expect(knight.quest?.title == "slay the dragon")
    #expect(knight.age == 41)
    #expect(knight.class == "baron")
    #expect(knight.name == "nobody")
  }

  @Test func `labels of an initializer are properties of a file`() throws {
    let container = try container(
      ObjectDefinition(
        "knight", class: "Knight", scope: "prototype",
        properties: [.value("name", "Ada"), .value("years", "36"), .value("class", "dame")]),
      ObjectDefinition(
        "young", class: "Knight", scope: "prototype", properties: [.value("name", "Bo")]))
    let knight: Knight = try container.object("knight")
    #expect((knight.name, knight.age, knight.class) == ("Ada", 36, "dame"))
    let young: Knight = try container.object("young")
    #expect((young.name, young.age) == ("Bo", 20))
  }

  @Test func `a sub-component has the properties of its superclass too`() throws {
    let container = try container(
      ObjectDefinition(
        "errant", class: "KnightErrant", scope: "prototype",
        properties: [.value("age", "50"), .value("horse", "Rocinante")]))
    let knight: KnightErrant = try container.object("errant")
    #expect((knight.age, knight.horse) == (50, "Rocinante"))
  }

  @Test func `OX-23 factories and providers are delivered in place of objects`() throws {
    let container = try container(
      ObjectDefinition(
        "quest", class: "QuestFactory", properties: [.value("title", "find the grail")]),
      ObjectDefinition("knight", class: "Knight", scope: "prototype"),
      ObjectDefinition(
        "groom", class: "Groom", scope: "prototype",
        properties: [.reference("knights", to: "knight"), .reference("boss", to: "quest")]))
    let groom: Stable.Groom = try container.object("groom")
    #expect(try groom.knights?.object().name == "nobody")
    #expect(try groom.boss?().title == "find the grail")
  }

  @Test func `private properties and those with a private setter are not described`() {
    let names = Knight.componentDescriptor.propertyNames
    #expect(names == ["quest", "age", "class"])
    #expect(Knight.componentDescriptor.initializerLabels == [[], ["name", "years"], ["name"]])
  }

  @Test func `sharing is decided by the compiler`() {
    #expect(DragonQuest.componentDescriptor.isSendable)
    #expect(!Knight.componentDescriptor.isSendable)
    #expect(Window.componentDescriptor.isolation == .mainActor)
  }

  @Test func `a class that does not fit is refused before anything is made`() throws {
    let error = #expect(throws: ContainerError.self) {
      _ = try container(
        ObjectDefinition("knight", class: "Knight", scope: "prototype"),
        ObjectDefinition(
          "other", class: "Knight", scope: "prototype",
          properties: [.reference("quest", to: "knight")]))
    }
    #expect(error?.description.contains("quest") == true)
  }
}
