import OxbowContainer
import Testing

/// Objects that belong to another one's definition are never seen under a name of their own: review
/// D24.
@Suite struct HiddenNameTests {
  @Test func `D24 a post-processor finds a lazy object under its name`() throws {
    let names = Collected<String>()
    let builder = ContainerBuilder()
    builder.add(Listener(names))
    let greeter = builder.singleton(
      named: "greeter", lazy: GreeterProxy.self, SharedGreeter.init(tally:), Ref.value(Tally()))
    _ = try builder.build().object(greeter).greet("Ada")
    #expect(names.all == ["greeter: GreeterProxy", "greeter: SharedGreeter"])
  }

  @Test func `D24 messages speak of a lazy object by its name, once`() throws {
    let builder = ContainerBuilder()
    builder.singleton(
      named: "greeter", lazy: GreeterProxy.self, { (_: Knight) in SharedGreeter(tally: Tally()) },
      Ref<Knight>("nobody"))
    builder.singleton(
      named: "greeter", lazy: GreeterProxy.self, SharedGreeter.init(tally:), Ref.value(Tally()))
    builder.prototype(named: "user", { (_: GreeterProxy) in 1 }, Ref<GreeterProxy>("greeter"))
    let problems = builder.check().problems
    #expect(
      problems.map(\.message) == [
        "object \"greeter\" is defined twice",
        "object \"greeter\", initializer argument 1: there is no object named \"nobody\"",
      ])
    #expect(problems.last?.requestedBy == ["\"user\"", "\"greeter\""])
  }

  @Test func `D24 an error of a lazy object's constructor names the object`() throws {
    let builder = ContainerBuilder()
    let greeter = builder.singleton(named: "greeter", lazy: GreeterProxy.self) {
      () throws -> SharedGreeter in
      throw Refusal("no voice")
    }
    let error = #expect(throws: ContainerError.self) {
      try builder.build().object(greeter).greet("Ada")
    }
    #expect(error?.task == "get object \"greeter\"")
    #expect(error?.problems.first?.message.hasPrefix("object \"greeter\"") == true)
    #expect("\(error, default: "")".utf8.contains(0x1F) == false)
  }

  @Test func `D24 names that look like hidden ones are names like any other`() throws {
    let builder = ContainerBuilder()
    for name in ["a (in place)", "b (behind its proxy)", "b"] {
      builder.prototype(named: name) { Part(name) }
    }
    let container = try builder.build()
    #expect(container.names == ["a (in place)", "b (behind its proxy)", "b"])
    for name in container.names { #expect(try container.object(name, as: Part.self).name == name) }
    #expect(container.graph.mermaid.contains("a (in place)"))
  }

  @Test func `D24 a name with the mark of hidden ones is refused`() throws {
    let builder = ContainerBuilder()
    builder.prototype(named: "a\u{1F}proxy\u{1F}") { Part("a") }
    builder.add(ObjectDefinition("b\u{1F}", class: "Knight"))
    let problems = builder.check().problems
    #expect(problems.map(\.code) == [.invalidDefinition, .invalidDefinition])
  }

  @Test func `D25 an object behind a protocol type receives its container`() throws {
    let builder = ContainerBuilder()
    let shy = builder.prototype(named: "shy") { () -> any Greeter in Shy() }
    let container = try builder.build()
    #expect(try container.object(shy).name() == "shy")
    let deaf = builder.prototype(named: "deaf") { () -> any Greeter in SharedGreeter(tally: Tally())
    }
    #expect(try builder.build().object(deaf).name() == "shared greeter")
  }
}

private struct Listener: ObjectPostProcessor {
  let names: Collected<String>
  var order: Int { 0 }
  init(_ names: Collected<String>) { self.names = names }
  func process<T>(_ object: T, named name: String) throws -> T {
    names.append("\(name): \(T.self)")
    return object
  }
}

private final class Shy: Greeter, ContainerAware {
  private var known = ""
  func setContainer(_ container: Container) { known = container.names[0] }
  var count: Int { 0 }
  func name() throws -> String { known }
  func greet(_ guest: String) throws -> String { known }
}
