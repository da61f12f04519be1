import OxbowContainer
import OxbowDocuments
import Testing

@Suite struct InPlaceTests {
  private func place(_ line: Int) -> OxbowDocuments.SourceLocation {
    OxbowDocuments.SourceLocation(file: "place.xml", line: line, column: 3)
  }

  private func builder(_ properties: [PropertyAssignment]) -> ContainerBuilder {
    let builder = ContainerBuilder.ofTests()
    builder.add(
      ObjectDefinition(
        "company", class: "Company", scope: "prototype", properties: properties, at: place(1)))
    return builder
  }

  @Test func `TY-32 an object defined in place belongs to its place, at any depth`() throws {
    let quest = ObjectDefinition("ignored", class: "Dragon")
    let knight = ObjectDefinition(
      "", class: "King",
      properties: [.value("age", "40"), PropertyAssignment("quest", to: .definition(quest))])
    let builder = builder([PropertyAssignment("captain", to: .definition(knight))])
    let container = try builder.build()
    let first = try container.object("company", as: Company.self)
    #expect(first.captain is King)
    #expect(first.captain?.age == 40)
    #expect(first.captain?.quest?.goal == "dragon")
    let second = try container.object("company", as: Company.self)
    #expect(first.captain !== second.captain)
    #expect(container.names == ["company"])
    #expect(!container.contains("ignored"))
  }

  @Test func `OX-24 an object in place is checked like any other, its place in the path`() {
    let knight = ObjectDefinition(
      "", class: "Knight",
      properties: [
        .value("age", "old", at: place(5)), .reference("quest", to: "grial", at: place(6)),
      ],
      at: place(4))
    let builder = builder([PropertyAssignment("captain", to: .definition(knight), at: place(3))])
    #expect(
      builder.faults == [
        "object \"company.captain (in place)\", property \"age\": \"old\" is not an Int",
        "object \"company.captain (in place)\", property \"quest\": there is no object named \"grial\"",
      ])
    let misplaced = self.builder([
      PropertyAssignment(
        "captain", to: .definition(ObjectDefinition("", class: "Grail")), at: place(3))
    ])
    #expect(
      misplaced.faults == [
        "object \"company\", property \"captain\": object \"company.captain (in place)\" has the wrong type"
      ])
  }

  @Test func `TY-32 two places whose names read alike have an object each`() throws {
    func quest(_ path: String, _ name: String) -> PropertyAssignment {
      PropertyAssignment(path, to: .definition(ObjectDefinition("", class: name)))
    }
    let builder = builder([
      PropertyAssignment("captain", to: .definition(ObjectDefinition("", class: "Knight"))),
      quest("captain.quest", "Grail"),
    ])
    builder.add(
      ObjectDefinition(
        "company.captain", class: "Knight", scope: "prototype",
        properties: [quest("quest", "Dragon")]))
    let container = try builder.build()
    #expect(try container.object("company", as: Company.self).captain?.quest is Grail)
    #expect(try container.object("company.captain", as: Knight.self).quest is Dragon)
  }

  @Test func `TY-32 an object in place can have a parent, a factory component and an initializer`()
    throws
  {
    let builder = builder([])
    var base = ObjectDefinition(
      "base", class: "Blade", scope: "prototype", properties: [.value("owner", "Kay")])
    base.isAbstract = true
    builder.add(base)
    builder.add(ObjectDefinition("forge", class: "Forge", scope: "prototype"))
    var heir = ObjectDefinition("")
    heir.parent = "base"
    var forged = ObjectDefinition("")
    forged.factoryComponent = "forge"
    forged.initializer = InitializerCall(
      MethodName("blade", labels: ["length"]), arguments: [.value("length", "3")])
    builder.add(
      ObjectDefinition(
        "other", class: "Company", scope: "prototype",
        properties: [
          PropertyAssignment(
            "anything",
            to: .collection([
              InjectedElement(.definition(heir)), InjectedElement(.definition(forged)),
            ]))
        ]))
    let blades = try builder.build().object("other", as: Company.self).anything
    #expect((blades[0] as? Blade)?.owner == "Kay")
    #expect((blades[1] as? Blade)?.length == 3)
  }

  // MARK: - Paths

  @Test func `OX-10 a path sets a property of the object that a property holds`() throws {
    let company = try builder([
      PropertyAssignment("captain", to: .definition(ObjectDefinition("", class: "Knight"))),
      .value("captain.title", "Sir"), .value("captain.age", "33"),
    ]).build().object("company", as: Company.self)
    #expect(company.captain?.title == "Sir")
    #expect(company.captain?.age == 33)
  }

  @Test func `OX-10 paths that lead nowhere are problems, an empty one an error`() throws {
    let builder = builder([
      .value("captain.titel", "x", at: place(2)), .value("leader.goal", "x", at: place(3)),
      .value("title.count", "x", at: place(4)), .value("captian.age", "1", at: place(5)),
    ])
    #expect(
      builder.faults == [
        "object \"company\": class \"Knight\" has no property named \"captain.titel\"",
        "object \"company\": the path \"leader.goal\" ends at \"leader\"",
        "object \"company\": the path \"title.count\" ends at \"title\"",
        "object \"company\": class \"Company\" has no property named \"captian.age\"",
      ])
    let empty = try self.builder([.value("captain.age", "33", at: place(2))]).build()
    let error = #expect(throws: ContainerError.self) {
      try empty.object("company", as: Company.self)
    }
    #expect(
      error?.problems.first?.message
        == "property \"captain\" of the path \"captain.age\" holds nothing")
  }
}
