import OxbowContainer
import OxbowDocuments
import Testing

/// Next steps that lead somewhere, for faults that come in numbers (review D22, D29, D33, D35).
@Suite struct HelpfulTextTests {
  @Test func `review D22: two classes of one annotated name are named`() {
    let builder = ContainerBuilder()
    builder.classes = ClassRegistry(entries: [])
    builder.register(FoolsCourt.Fool.self)
    builder.register(FoolsMarket.Fool.self)
    builder.addAnnotatedComponents(file: "W/App.swift", line: 3)
    let found = builder.check().problems.filter { $0.code == .duplicateDefinition }
    #expect(found.map(\.message) == ["object \"fool\" is defined by two classes"])
    #expect(found.first?.seen.contains("FoolsCourt.Fool and on ") == true)
    #expect(found.first?.location?.line == 3)
  }

  @Test func `review D22: a nested class has the name that it has in its module`() {
    let builder = ContainerBuilder()
    builder.register(FoolsCourt.Fool.self)
    builder.register(FoolsMarket.Fool.self)
    builder.add(ObjectDefinition("fool", class: "FoolsCourt.Fool"))
    #expect(builder.check().problems.map(\.code) == [.noInitializer])
    builder.add(ObjectDefinition("other", class: "Court.Fool"))
    #expect(builder.check().problems.map(\.code) == [.noInitializer, .unknownClass])
  }

  @Test func `review D29: of many wrong references the first have near names`() {
    let builder = ContainerBuilder.ofTests()
    for number in 0..<4_000 {
      builder.add(
        ObjectDefinition(
          "knight\(number)", class: "Knight", scope: "prototype",
          properties: [.reference("rival", to: "knigth\(number)")]))
    }
    let found = builder.check().problems
    #expect(found.count == 1_001)
    #expect(found.first?.nearNames.first == "knight0")
    #expect(found[999].nearNames.isEmpty)
  }

  @Test func `review D29: thousands of places by type are one question`() throws {
    let builder = ContainerBuilder.ofTests()
    builder.singleton(named: "grail", Grail.init)
    for number in 0..<8_000 {
      builder.add(
        ObjectDefinition(
          "knight\(number)", class: "Knight", scope: "prototype",
          properties: [PropertyAssignment("quest", to: .byType)]))
    }
    let container = try builder.build()
    #expect(try container.object("knight7999", as: Knight.self).quest is Grail)
  }

  @Test func `review D33: a path is set behind the property that it goes through`() throws {
    let builder = ContainerBuilder.ofTests()
    builder.add(ObjectDefinition("captain", class: "Knight", scope: "prototype"))
    builder.add(
      ObjectDefinition(
        "company", class: "Company", scope: "prototype",
        properties: [
          .value("captain.title", "Sir"), .value("title", "Watch"),
          .reference("captain", to: "captain"),
        ]))
    let company = try builder.build().object("company", as: Company.self)
    #expect(company.captain?.title == "Sir")
    #expect(company.title == "Watch")
  }

  @Test func `review D35: types have their articles`() {
    #expect(
      ["Impl", "Other", "Archer", "any Quest"].map(withArticle).allSatisfy { $0.hasPrefix("an ") })
    #expect(["Knight", "User", "URL"].map(withArticle).allSatisfy { $0.hasPrefix("a ") })
  }
}

enum FoolsCourt {
  final class Fool: Component, Sendable {
    static var componentDescriptor: ComponentDescriptor { fool(Fool.self) }
  }
}

enum FoolsMarket {
  final class Fool: Component, Sendable {
    static var componentDescriptor: ComponentDescriptor { fool(Fool.self) }
  }
}

private func fool<T: Sendable>(_ type: T.Type) -> ComponentDescriptor {
  ComponentDescriptor(
    type, name: "Fool", sendability: .of(), product: .of(),
    annotations: ComponentAnnotations(name: "fool"))
}
