import OxbowContainer
import OxbowDocuments
import Testing

/// Placeholders in definitions in code.
@Suite struct TextReferenceTests {
  private func builder() -> ContainerBuilder {
    let builder = ContainerBuilder()
    builder.placeholders.environment = ["PORT": "81"]
    builder.placeholders.set("prefix", "note ${suffix:!}")
    builder.placeholders.set("size", "7")
    return builder
  }

  @Test func `W7 a text in code has its placeholders replaced and is converted`() throws {
    let builder = builder()
    builder.singleton(named: "text", { $0 }, Ref<String>.text("<${prefix}>"))
    builder.singleton(named: "size", { $0 }, Ref.placeholder("size", as: Int.self))
    builder.singleton(
      named: "pair", { "\($0) \($1 == true)" }, Ref<Int>.text("${PORT}"), Ref<Bool?>.text("yes"))
    let container = try builder.build()
    #expect(try container.object("text", as: String.self) == "<note !>")
    #expect(try container.object("size", as: Int.self) == 7)
    #expect(try container.object("pair", as: String.self) == "81 true")
    #expect(try container.object(Ref<Double>.text("${size}.5")) == 7.5)
  }

  @Test func `W7 a placeholder has a default, which counts where nothing says its value`() throws {
    let builder = builder()
    builder.singleton(named: "known", { $0 }, Ref.placeholder("size", default: 3))
    builder.singleton(named: "unknown", { $0 }, Ref.placeholder("other", default: 3))
    builder.singleton(named: "nothing", { $0 == nil }, Ref<Int>.placeholder("size").optional)
    let container = try builder.build()
    #expect(try container.object("known", as: Int.self) == 7)
    #expect(try container.object("unknown", as: Int.self) == 3)
    #expect(try container.object("nothing", as: Bool.self) == false)
    let patched = try container.patched { $0.setPlaceholder("other", to: "9") }
    #expect(try patched.object("unknown", as: Int.self) == 9)
  }

  @Test func `W7 the key of a placeholder may have colons and braces, as in a file of properties`()
    throws
  {
    let builder = builder()
    builder.placeholders.set("redis", "another")
    try builder.placeholders.load(text: "redis:host=${prefix}\na}b=2", named: "p.properties")
    builder.singleton(named: "host", { $0 }, Ref.placeholder("redis:host", default: "x"))
    builder.singleton(named: "brace", { $0 }, Ref.placeholder("a}b", as: Int.self))
    let container = try builder.build()
    #expect(try container.object("host", as: String.self) == "note !")
    #expect(try container.object("brace", as: Int.self) == 2)
  }

  @Test func `W7 a property is set to a text with placeholders`() throws {
    let builder = builder()
    builder.prototype(named: "knight", Knight.init) {
      $0.set(\.title, text: "${prefix}")
      $0.set(\.age, text: "${size}")
      $0.set(\.motto, text: "${none:}")
    }
    let knight = try builder.build().object("knight", as: Knight.self)
    #expect(knight.title == "note !")
    #expect(knight.age == 7)
    #expect(knight.motto == "")
  }

  @Test func `W7 what is wrong with texts in code is reported before anything is made, all of it`()
  {
    let builder = builder()
    builder.placeholders.set("password", "hunter2")
    builder.placeholders.markSecret("password")
    builder.singleton(named: "a", { $0 }, Ref<Int>.text("${sise}"))
    builder.singleton(named: "b", { $0 }, Ref<Int>.text("${prefix}"))
    builder.singleton(named: "c", { $0 }, Ref.placeholder("password", default: 1))
    builder.prototype(named: "knight", Knight.init) { $0.set(\.age, text: "${a") }
    let problems = builder.check().problems
    #expect(
      problems.map(\.message) == [
        #"object "a", initializer argument 1: the value of "${sise}" is not known"#,
        #"object "b", initializer argument 1: "note !" is not an Int"#,
        #"object "c", initializer argument 1: "‹secret›" is not an Int"#,
        #"object "knight", property "1": a placeholder has no end"#,
      ])
    #expect(problems.first?.nearNames == ["size"])
    #expect(problems.allSatisfy { $0.location?.file.hasSuffix("TextReferenceTests.swift") == true })
  }

  @Test func `W7 a factory and what it makes take texts, and an object that is replaced`() throws {
    let builder = builder()
    builder.prototype(
      named: "made", factory: { (size: Int) in DefaultFactory { size } }, Ref<Int>.text("${size}"))
    let container = try builder.build()
    #expect(try container.object("made", as: Int.self) == 7)
    let patched = try container.patched {
      $0.replace("made", with: { (size: Int) in size + 1 }, Ref<Int>.text("${size}"))
    }
    #expect(try patched.object("made", as: Int.self) == 8)
    let error = #expect(throws: ContainerError.self) {
      try container.patched { $0.replace("made", with: { $0 }, Ref<Int>.text("${none}")) }
    }
    #expect(error?.code == .unknownPlaceholder)
  }

  @Test func `W7 a constant with what looks like a placeholder is noted`() throws {
    let builder = builder()
    builder.singleton(named: "worker", { $0 }, Ref.value("${prefix}"))
    builder.prototype(named: "knight", Knight.init) { $0.set(\.title, to: "${prefix}") }
    builder.singleton(named: "plain", { $0 }, Ref.value("$prefix {}"))
    let notes = builder.check().notes
    #expect(
      notes.map(\.text) == [
        #"object "worker", initializer argument 1: a constant is taken as it is, and "${" in it "#
          + "means nothing; write Ref.text(…) for a text with placeholders",
        #"object "knight", property "1": a constant is taken as it is, and "${" in it "#
          + "means nothing; write Ref.text(…) for a text with placeholders",
      ])
    #expect(try builder.build().object("worker", as: String.self) == "${prefix}")
  }

  @Test func `W8 a factory that is defined as itself is noted, and one whose type says so is not`()
    throws
  {
    typealias Numbers = any FactoryObject<Int> & Sendable
    let builder = builder()
    // The compiler warns where it sees that the type is a factory.
    func define<T: Sendable>(_ name: String, _ make: @escaping @Sendable () -> T) {
      builder.prototype(named: name, make)
    }
    define("itself") { DefaultFactory { 1 } }
    builder.singleton(named: "meant", { DefaultFactory { 2 } as Numbers })
    builder.singleton(named: "product", factory: { DefaultFactory { 3 } })
    #expect(
      builder.check().notes.map(\.text) == [
        #"object "itself" is the factory itself, and not what it makes; write factory: before the "#
          + "factory to define that"
      ])
    let container = try builder.build()
    #expect(try container.object("itself", as: DefaultFactory<Int>.self).object() == 1)
    #expect(try container.object("meant", as: Numbers.self).object() == 2)
    #expect(try container.object("product", as: Int.self) == 3)
  }
}
