import OxbowContainer
import OxbowDocuments
import Testing

/// Definitions that name their classes by text, as files do.
@Suite struct FileDefinitionTests {
  private func builder() -> ContainerBuilder {
    let builder = ContainerBuilder()
    builder.register(Knight.self)
    builder.register(kingDescriptor)
    builder.register(Grail.self)
    builder.register(Dragon.self)
    builder.register(Castle.self)
    builder.register(SwordFactory.self)
    builder.register(Sword.self)
    builder.register(Armory.self)
    return builder
  }

  @Test func `OX-06 references and values are set through the class's description`() throws {
    let builder = builder()
    builder.add(ObjectDefinition(name: "grail", class: "Grail"))
    builder.add(
      ObjectDefinition(
        name: "knight", class: "Knight", singleton: false, references: ["quest": "grail"],
        values: ["age": "41", "motto": "onward"]))
    let container = try builder.build()
    let knight = try container.object("knight", as: Knight.self)
    #expect(try knight.quest === container.object("grail", as: Grail.self))
    #expect(knight.age == 41)
    #expect(knight.motto == "onward")
  }

  @Test func `OX-07 definitions can be added to, and a value beats a reference (OX-08)`() throws {
    let builder = builder()
    var knight = ObjectDefinition(
      name: "knight", class: "Knight", singleton: false, references: ["title": "grail"],
      values: ["title": "Sir"])
    knight.addReference("quest", to: "grail")
    knight.addValue("age", "18")
    knight.addValue("age", "19")
    knight.addReference("rival", to: "nobody")
    knight.addReference("rival", to: "other")
    knight.addReference("title", to: "grail")
    builder.add(knight)
    builder.add(ObjectDefinition(name: "other", class: "Knight", singleton: false))
    builder.add(ObjectDefinition(name: "grail", class: "Grail"))
    let made = try builder.build().object("knight", as: Knight.self)
    #expect(made.title == "Sir")
    #expect(made.age == 19)
    #expect(made.quest != nil)
  }

  @Test func `OX-03 a definition is a singleton unless it says otherwise`() throws {
    let builder = builder()
    builder.add(ObjectDefinition("grail", class: "Grail"))
    let container = try builder.build()
    #expect(
      try container.object("grail", as: Grail.self) === container.object("grail", as: Grail.self))
  }

  @Test func `properties of a described superclass are inherited`() throws {
    let builder = builder()
    builder.add(ObjectDefinition("grail", class: "Grail"))
    builder.add(
      ObjectDefinition(
        "castle", class: "Castle",
        properties: [.value("name", "Camelot"), .reference("quest", to: "grail")]))
    builder.add(
      ObjectDefinition(
        "king", class: "King", scope: "prototype",
        properties: [
          .value("age", "50"), .reference("castle", to: "castle"),
          .reference("quest", to: "grail"),
        ]))
    let king = try builder.build().object("king", as: King.self)
    #expect(king.age == 50)
    #expect(king.castle?.name == "Camelot")
    #expect(king.quest?.goal == "grail")
  }

  @Test func `properties named like labels are the initializer's arguments`() throws {
    let builder = builder()
    builder.add(
      ObjectDefinition(
        "castle", class: "Castle",
        properties: [.reference("quest", to: "grail"), .value("name", "Camelot")]))
    builder.add(ObjectDefinition("grail", class: "Grail"))
    let castle = try builder.build().object("castle", as: Castle.self)
    #expect(castle.name == "Camelot")
    #expect(castle.quest.goal == "grail")
  }

  @Test func `a class with a record is found without being registered`() throws {
    let builder = ContainerBuilder()
    builder.add(ObjectDefinition("herald", class: "Herald"))
    builder.add(ObjectDefinition("other", class: "OxbowContainerTests.Herald"))
    let container = try builder.build()
    #expect(
      try container.object("herald", as: Herald.self)
        !== container.object("other", as: Herald.self))
  }

  @Test func `a class can have another name for files`() throws {
    let builder = ContainerBuilder()
    builder.register(Grail.self, as: "TheGrail")
    builder.add(ObjectDefinition("grail", class: "TheGrail"))
    #expect(try builder.build().object("grail", as: Grail.self).goal == "grail")
  }

  @Test func `OX-15, OX-16 a factory class means its product, which is injected, too`()
    throws
  {
    let builder = builder()
    builder.add(ObjectDefinition("herald", class: "Herald"))
    builder.add(
      ObjectDefinition(
        "sword", class: "SwordFactory", scope: "prototype",
        properties: [.value("smith", "Wayland"), .reference("herald", to: "herald")],
        product: ProductDefinition(properties: [.value("owner", "Arthur")])))
    let sword = try builder.build().object("sword", as: Sword.self)
    #expect(sword.smith == "Wayland")
    #expect(sword.owner == "Arthur")
  }

  @Test func `OX-23 factories and providers are delivered where a property asks for them`() throws {
    let builder = builder()
    builder.add(ObjectDefinition("herald", class: "Herald"))
    builder.add(ObjectDefinition("sword", class: "SwordFactory", scope: "prototype"))
    builder.add(
      ObjectDefinition(
        "armory", class: "Armory", scope: "prototype",
        properties: [.reference("swords", to: "sword"), .reference("herald", to: "herald")]))
    let container = try builder.build()
    let armory = try container.object("armory", as: Armory.self)
    #expect(try armory.swords?.object() !== armory.swords?.object())
    #expect(try armory.herald?() === container.object("herald", as: Herald.self))
  }

  @Test func `code and files refer to each other by name`() throws {
    let builder = builder()
    builder.singleton(named: "grail", Grail.init)
    builder.add(
      ObjectDefinition(
        "knight", class: "Knight", scope: "prototype",
        properties: [.reference("quest", to: "grail")]))
    let order = builder.prototype(named: "order", { [$0] }, Ref<Knight>("knight"))
    #expect(try builder.build().object(order).first?.quest?.goal == "grail")
  }

  @Test func `thread scope and its rules hold for files`() throws {
    let builder = builder()
    builder.add(ObjectDefinition("dragon", class: "Dragon", scope: "thread"))
    builder.add(
      ObjectDefinition(
        "knight", class: "Knight", scope: "thread",
        properties: [.reference("quest", to: "dragon")]))
    let container = try builder.build()
    try container.withObject("knight", as: Knight.self) { #expect($0.quest?.goal == "dragon") }
  }

  @Test func `setting a property by hand checks the type`() throws {
    let knight = Knight()
    let age = PropertyDescriptor<Knight>.property(
      "age", Int.self, typeName: "Int", sendability: .of(), accepts: { $0 is Int.Type },
      set: { $0.age = $1 })
    try age.set(12, on: knight)
    #expect(knight.age == 12)
    let error = #expect(throws: ContainerError.self) { try age.set("twelve", on: knight) }
    #expect(error?.code == .typeMismatch)
  }

  @Test func `a description says what the class offers`() {
    #expect(kingDescriptor.propertyNames == ["castle"])
    #expect(Castle.componentDescriptor.initializerLabels == [["name", "quest"]])
    #expect(Castle.componentDescriptor.isSendable)
    #expect(!kingDescriptor.isSendable)
    #expect(
      ObjectIdentifier(SwordFactory.componentDescriptor.objectType) == ObjectIdentifier(Sword.self))
    #expect(Castle.componentDescriptor.qualifiedName == "OxbowContainerTests.Castle")
  }
}
