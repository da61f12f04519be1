import OxbowContainer
import OxbowDocuments
import OxbowTestSupport
import Testing

/// What is printed, dumped, reflected or thrown shows neither the environment nor a secret.
@Suite struct SecretTests {
  private static let environment = "hunter2"
  private static let secret = "swordfish"

  /// A builder with an environment, a secret, and objects of every kind that holds its container.
  private func builder() -> ContainerBuilder {
    let builder = ContainerBuilder.ofTests()
    builder.placeholders.environment = ["TOKEN": Self.environment]
    builder.placeholders.set("password", Self.secret)
    builder.placeholders.markSecret("password")
    builder.add(
      ObjectDefinition(
        "knight", class: "Knight", scope: "prototype",
        properties: [.value("title", "${TOKEN} and ${password}", at: nil)], at: nil))
    return builder
  }

  /// Whatever somebody might see of a value.
  private func shown(_ value: Any) -> String {
    var text = "\(value)\n" + String(reflecting: value) + "\n"
    dump(value, to: &text)
    return text
  }

  private func hidesAll(_ value: Any, _ place: String) {
    let text = shown(value)
    #expect(!text.contains(Self.environment), "\(place)")
    #expect(!text.contains(Self.secret), "\(place)")
  }

  @Test func `E1 builders, placeholders, reports and graphs show no value of the environment`()
    throws
  {
    let builder = builder()
    hidesAll(builder, "builder")
    hidesAll(builder.placeholders, "placeholders")
    hidesAll(builder.check(), "report")
    hidesAll(builder.check().graph, "graph")
    hidesAll(builder.check().graph.dot, "drawing")
    #expect("\(builder.check())" == "no problems, no notes")
    #expect(
      "\(builder.placeholders)"
        == #"Placeholders(set: ["password"], loaded: [], secret: ["password"])"#)
  }

  @Test func `E1 what fails inside of a secret, or for a key made of one, shows no part of it`() {
    let builder = ContainerBuilder.ofTests()
    builder.placeholders.environment = ["TOKEN": "x${\(Self.environment)}y"]
    builder.placeholders.set("password", "x${\(Self.secret)}y")
    builder.placeholders.set("word", Self.secret)
    builder.placeholders.markSecret("password", "word")
    builder.placeholders.sources = [ListSource()]
    for text in ["${password}", "${TOKEN}", "${list.${word}}"] {
      builder.add(
        ObjectDefinition(
          "knight\(text.count)", class: "Knight", properties: [.value("title", text, at: nil)],
          at: nil))
    }
    #expect(builder.check().problems.count == 3)
    hidesAll(builder.check(), "report")
  }

  /// Has a list for each key that begins with `list.`.
  private struct ListSource: PlaceholderSource {
    let name = "lists"

    func value(of key: String) throws -> (text: String, isSecret: Bool)? {
      if key.hasPrefix("list.") { throw CancellationError() }
      return nil
    }

    func nearKeys(to key: String) -> [String] { [] }
  }

  @Test func `E1 containers and what holds one show neither values nor parts`() throws {
    let builder = builder()
    let knight = Ref<Knight>("knight")
    builder.singleton(
      named: "keeper", { Keeper(knight: $0, container: $1) }, knight.provider, .container)
    let container = try builder.build()
    let keeper = try container.object("keeper", as: Keeper.self)
    #expect(try keeper.knight().title == "hunter2 and swordfish")
    hidesAll(container, "container")
    hidesAll(keeper, "an object that has its container and a provider")
    hidesAll(container.graph, "graph")
    #expect("\(container)" == #"Container(2 objects: "knight": Knight, "keeper": Keeper)"#)
    let patched = try container.patched { patch in
      patch.setPlaceholder("password", to: "swordfish too")
      hidesAll(patch, "patch")
    }
    hidesAll(patched, "patched container")
    #expect(
      try patched.object("knight", as: Knight.self).title == "hunter2 and swordfish too")
  }

  @Test func `E1 what holds a placeholder, a converter says nothing of its value`() {
    let builder = builder()
    builder.placeholders.set("url", "sword:${password}@host")
    for (name, value) in [
      ("a", "${password}"), ("b", "${TOKEN}"), ("c", "x${url}y"), ("d", "${pass}"),
    ] {
      builder.add(
        ObjectDefinition(
          name, class: "Knight", scope: "prototype", properties: [.value("age", value, at: nil)],
          at: nil))
    }
    builder.placeholders.set("pass", "${password:}")
    let problems = builder.check().problems
    #expect(
      problems.map(\.seen) == [
        #""‹secret›""#, #""‹environment: TOKEN›""#, #""xsword:‹secret›@hosty""#, #""‹secret›""#,
      ])
    hidesAll(builder.check(), "report")
    hidesAll(builder.failure, "error")
  }

  @Test func `E1 a converter that quotes the text is not quoted itself`() {
    struct Colour: Sendable {}
    let builder = builder()
    builder.values.register(Int.self, expected: "a number") { _ in nil }
    builder.values.register(Quoting())
    builder.add(
      ObjectDefinition(
        "k", class: "Knight", scope: "prototype",
        properties: [.value("age", "${password}", at: nil)], at: nil))
    hidesAll(builder.check(), "report")
    #expect(builder.check().problems.map(\.expected) == ["a number of years"])
  }

  @Test func `E1 a secret cannot name a class, a scope or an object`() {
    let builder = builder()
    builder.add(
      ObjectDefinition(
        "a", class: "${password}", scope: "prototype",
        properties: [.reference("quest", to: "${password}", at: nil)], at: nil))
    builder.add(
      ObjectDefinition(
        "b", class: "Knight", scope: "prototype",
        properties: [.reference("quest", to: "${password}", at: nil)], at: nil))
    hidesAll(builder.check(), "report")
    #expect(
      builder.check().problems.map(\.message) == [
        #"object "a", class: a secret cannot be a name"#,
        #"object "b", property "quest": a secret cannot be a name"#,
      ])
  }

  @Test func `E1 keys that secrets make are not shown`() {
    let builder = builder()
    builder.add(
      ObjectDefinition(
        "a", class: "Knight", scope: "prototype",
        properties: [.value("title", "${of.${password}}", at: nil)], at: nil))
    hidesAll(builder.check(), "report")
    #expect(builder.check().problems.map(\.seen) == [#""${of.‹secret›}""#])
  }
}

/// An object that holds ways back to its container.
private final class Keeper: Sendable {
  let knight: Provider<Knight>
  let container: Container

  init(knight: Provider<Knight>, container: Container) {
    self.knight = knight
    self.container = container
  }
}

/// A converter whose error quotes the text.
private struct Quoting: TypeConverter {
  let expected = "a number of years"

  func convert(_ text: String) throws -> Int? { throw Refusal("not \(text)") }
}
