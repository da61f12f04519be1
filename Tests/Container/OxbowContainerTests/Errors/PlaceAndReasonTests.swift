import OxbowContainer
import OxbowDocuments
import Testing

/// Problems have a place, and objects of one class share one.
@Suite struct PlaceAndReasonTests {
  @Test func `E10 what a definition in code says is wrong at the line that adds it`() {
    let builder = ContainerBuilder.ofTests()
    var definition = ObjectDefinition(
      "company", class: "Company", scope: "prototype",
      properties: [
        PropertyAssignment(
          "captain",
          to: .definition(
            ObjectDefinition("", class: "Knight", properties: [.value("age", "old")]))),
        .reference("leader", to: "nobody"),
      ])
    let line = #line + 1
    builder.add(definition)
    definition.name = "other"
    definition.location = OxbowDocuments.SourceLocation(file: "wiring.xml", line: 3, column: 1)
    builder.add(definition)
    builder.add(ObjectDefinition("lost", class: "Knigt"))
    let places = builder.check().problems.map(\.location)
    #expect(places.count == 5)
    #expect(places.allSatisfy { $0 != nil })
    #expect(places.filter { $0?.line == line && $0?.file == #fileID }.count == 2)
    #expect(places.filter { $0?.line == 3 && $0?.file == "wiring.xml" }.count == 2)
  }

  @Test func `E14 objects of one class without a proxy class are one problem`() throws {
    let builder = ContainerBuilder.ofTests()
    builder.register(Grail.self)
    for number in 1...6 {
      builder.add(ObjectDefinition("grail \(number)", class: "Grail", isLazy: true))
    }
    builder.add(ObjectDefinition("dragon", class: "Dragon", isLazy: true))
    let problems = builder.check().problems.filter { $0.code == .noProxy }
    #expect(
      problems.map(\.message) == [
        "objects \"grail 1\", \"grail 2\", \"grail 3\", \"grail 4\", \"grail 5\" and 1 more: "
          + "no proxy class is known for Grail",
        "object \"dragon\": no proxy class is known for Dragon",
      ])
  }

  @Test func `E3 the error for an unknown property says which ones a macro does not see`() {
    let builder = ContainerBuilder.ofTests()
    builder.add(
      ObjectDefinition(
        "knight", class: "Knight", scope: "prototype", properties: [.value("plume", "red")]))
    let next = builder.check().problems.first?.nextStep
    #expect(next?.contains("'var plume: Type'") == true)
  }

  @Test func `a container is printed with the names and types of its objects`() throws {
    let builder = ContainerBuilder()
    #expect("\(try builder.build())" == "Container(0 objects)")
    builder.singleton(named: "grail", Grail.init)
    let dragon = builder.prototype(named: "dragon", Dragon.init)
    builder.alias("beast", of: dragon)
    let container = try builder.build()
    #expect("\(container)" == #"Container(2 objects: "grail": Grail, "dragon": Dragon)"#)
    #expect(
      Mirror(reflecting: container).children.map { "\($0.label ?? ""): \($0.value)" } == [
        "grail: Grail", "dragon: Dragon",
      ])
    for number in 3...12 { builder.singleton(named: "grail \(number)", Grail.init) }
    #expect("\(try builder.build())".hasSuffix(#""grail 10": Grail, …)"#))
  }
}
