import OxbowContainer
import OxbowDocuments
import Testing

/// What the older systems did by chance, or not at all.
@Suite struct OriginalsTests {
  @Test func `OX-02 names are unique in a container, and the error names both places`() {
    let builder = ContainerBuilder()
    builder.singleton(named: "grail", Grail.init, file: "W/One.swift", line: 3)
    builder.prototype(named: "grail", Knight.init, file: "W/Two.swift", line: 7)
    let problem = builder.check().problems.first
    #expect(problem?.code == .duplicateDefinition)
    #expect(problem?.location?.description == "W/Two.swift:7")
    #expect(problem?.seen == "a second definition; the first is at W/One.swift:3")
  }

  @Test func `OX-04 the factory of a singleton that is built still works`() throws {
    let builder = ContainerBuilder()
    let grail = builder.singleton(named: "grail", Grail.init)
    let maker = builder.prototype(
      named: "maker", { (f: any FactoryObject<Grail> & Sendable) in GrailMaker(f) }, grail.factory)
    let container = try builder.build()
    let standing = try container.object(grail)
    let made = try container.object(maker).factory.object()
    #expect(made !== standing)
    #expect(try container.object(grail) === standing)
  }

  @Test func `TY-31 an object with parameters of the request is a definition of a function`() throws
  {
    let builder = ContainerBuilder()
    let greeter = builder.singleton(
      named: "greeter", SharedGreeter.init(tally:), Ref.value(Tally()))
    let makeLetter = builder.singleton(
      named: "make letter",
      { (greeter: SharedGreeter) -> @Sendable (String) throws -> String in
        { guest in try greeter.greet(guest) + "!" }
      }, greeter)
    let container = try builder.build()
    let letter = try container.object(makeLetter)
    #expect(try letter("Ada") == "Hello Ada!")
  }
}

private final class GrailMaker {
  let factory: any FactoryObject<Grail> & Sendable
  init(_ factory: any FactoryObject<Grail> & Sendable) { self.factory = factory }
}
