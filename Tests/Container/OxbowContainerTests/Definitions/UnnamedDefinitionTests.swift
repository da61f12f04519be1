import OxbowContainer
import OxbowDocuments
import Testing

/// Definitions that are named after their types.
@Suite struct UnnamedDefinitionTests {
  protocol Mailer: Sendable { var sender: String { get } }
  struct SMTPMailer: Mailer { var sender = "smtp" }
  final class Report: Sendable {
    let mailer: SMTPMailer
    init(mailer: SMTPMailer) { self.mailer = mailer }
  }
  final class Draft { var text = "" }
  struct Box<Content: Sendable>: Sendable {}
  final class URLMaker: FactoryObject {
    var path = ""
    func object() throws -> Link { Link(path: path) }
  }
  struct Link: Sendable { let path: String }
  final class DraftMaker: FactoryObject { func object() throws -> Draft { Draft() } }

  @Test func `an object is called by its type`() throws {
    let builder = ContainerBuilder()
    let mailer = builder.singleton({ SMTPMailer() })
    let report = builder.prototype(Report.init(mailer:), mailer)
    let any = builder.singleton(traits: .eager, { () -> any Mailer in SMTPMailer(sender: "any") })
    let draft = builder.prototype(Draft.init) { $0.set(\.text, to: "new") }
    let box = builder.prototype(in: .thread, Box<Int>.init)
    #expect([mailer.name, report.name, any.name] == ["smtpMailer", "report", "mailer"])
    #expect([draft.name, box.name] == ["draft", "box"])
    let container = try builder.build()
    #expect(try container.object(report).mailer.sender == "smtp")
    #expect(try container.object("mailer", as: (any Mailer).self).sender == "any")
    #expect(try container.object(draft).text == "new")
  }

  @Test func `a product is called by its own type, not by its factory's`() throws {
    let builder = ContainerBuilder()
    let link = builder.singleton(factory: URLMaker.init) { $0.set(\.path, to: "/a") }
    let draft = builder.prototype(factory: DraftMaker.init)
    #expect([link.name, draft.name] == ["link", "draft"])
    #expect(try builder.build().object(link).path == "/a")
  }

  @Test func `two definitions of one type have to take names`() {
    let builder = ContainerBuilder()
    builder.singleton(Box<Int>.init)
    builder.singleton(Box<String>.init)
    builder.singleton(named: "box", SMTPMailer.init(sender:), Ref.value(""))
    let problems = builder.check().problems
    #expect(problems.count == 2)
    #expect(problems.allSatisfy { $0.code == .duplicateDefinition })
    #expect(
      problems.first?.nextStep == """
        a definition without a name is called by its type: give one of the two a name of its own, \
        as its first argument
        """)
  }

  @Test func `a proxy is called by its protocol, not by its class or its target`() throws {
    let builder = ContainerBuilder()
    let proxy = builder.singleton(
      lazy: GreeterProxy.self, SharedGreeter.init(tally:), Ref.value(Tally()))
    #expect(proxy.name == "greeter")
    let others = ContainerBuilder()
    let target = others.singleton(SharedGreeter.init(tally:), Ref.value(Tally()))
    let thread = others.proxy(.threadLocal, of: target, as: GreeterProxy.self)
    #expect([target.name, thread.name] == ["sharedGreeter", "greeter"])
    #expect(try others.build().object(thread).greet("Ada") == "Hello Ada")
  }

  struct Audit: Aspect {}

  @Test func `an aspect is called by its type, and one of a kind by its pointcut`() {
    let builder = ContainerBuilder()
    #expect(builder.aspect(on: .everything, { Audit() }).name == "audit")
    let ofMailers = Pointcut.objects(of: (any Mailer).self).methods("send", "stop")
    #expect(Pointcut.everything.aspectName("timing") == "timing of everything")
    #expect(Pointcut.objects("a", "b").aspectName("timing") == "timing of a, b")
    #expect(
      Pointcut.objects("a").methods("find(by:)").aspectName("timing") == "timing of a: find(by:)")
    #expect(ofMailers.aspectName("log") == "log of \((any Mailer).self): send, stop")
  }

  @Test func `a type that is not a name has to be given one`() {
    let builder = ContainerBuilder()
    builder.singleton({ (1, 2) })
    #expect(builder.check().problems.map(\.code) == [.invalidDefinition])
  }

  @Test func `the place of a definition without a name is where it is written`() throws {
    let builder = ContainerBuilder()
    builder.singleton(Link.init(path:), Ref.value("/"))
    let definition = try #require(builder.check().graph["link"])
    #expect(definition.location?.line == #line - 2)
    #expect("\(definition.location!)".contains("UnnamedDefinitionTests.swift"))
  }
}
