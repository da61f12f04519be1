import Oxbow
import Testing

// IV-17: aspects around the properties of a `@Proxied(aspects: true)` protocol, and what no aspect
// runs around. Setters, which cannot throw, are in Tests/ReleasePrograms/Sources/repositories.

@Proxied(aspects: true) protocol Signpost {
  var title: String { get throws }
  var distance: Int { get async throws }
  var body: (Int) -> Int { get throws }
  func point(_ place: String) throws -> String
  subscript(index: Int) -> String { get throws }
  func first<T>(_ list: [T]) throws -> T?
  func fill(_ place: inout String) throws
  func each(_ body: (String) -> Void) throws
  func take(_ place: consuming String) throws
  func hold(_ place: sending String) throws
  func wild(_ place: @autoclosure () -> String) throws
}
extension SignpostProxy: SignpostForwarding {}

private struct Post: Signpost {
  var title: String { "Rome" }
  var distance: Int {
    get async throws {
      await Task.yield()
      return 7
    }
  }
  var body: (Int) -> Int { { $0 + 1 } }
  func point(_ place: String) throws -> String { "→ \(place)" }
  subscript(index: Int) -> String { "\(index)" }
  func first<T>(_ list: [T]) throws -> T? { list.first }
  func fill(_ place: inout String) throws { place += "!" }
  func each(_ body: (String) -> Void) throws { body("a") }
  func take(_ place: consuming String) throws {}
  func hold(_ place: sending String) throws {}
  func wild(_ place: @autoclosure () -> String) throws {}
}

@Suite struct AspectPropertyTests {
  private let journal = Journal()

  private func builder(_ pointcuts: Pointcut...) -> ContainerBuilder {
    let builder = ContainerBuilder()
    builder.singleton(named: "post", { Post() })
    for (number, pointcut) in pointcuts.enumerated() {
      builder.aspect(named: "s\(number)", on: pointcut) { [journal] in
        Steps(name: "s\(number)", journal: journal)
      }
    }
    return builder
  }

  private func post(_ pointcut: Pointcut) throws -> any Signpost & Sendable {
    try builder(pointcut).build().object("post", as: SignpostProxy.self)
  }

  @Test func `IV-17 a property that is named has aspects`() async throws {
    let post = try post(.objects("post").methods("title", "distance"))
    #expect(try post.title == "Rome")
    #expect(try await post.distance == 7)
    #expect(try post.point("Paris") == "→ Paris")
    #expect(
      journal.lines == [
        "s0 before title", "s0 returning", "s0 after", "s0 before distance", "s0 returning",
        "s0 after",
      ])
  }

  @Test func `IV-17 methods alone are meant without names, and properties as well by a star`()
    async throws
  {
    let methods = try post(.objects("post"))
    _ = (try methods.title, try methods.point("a"))
    #expect(journal.lines.filter { $0.contains("before") } == ["s0 before point(a)"])
    let everything = try post(.objects("post").methods("*"))
    _ = (try everything.title, try everything.point("b"))
    #expect(try everything.body(2) == 3)
    #expect(
      journal.lines.filter { $0.contains("before") }.dropFirst() == [
        "s0 before title", "s0 before point(b)",
      ])
  }

  @Test func `IV-17 a star in a file means properties as well`() throws {
    let builder = ContainerBuilder()
    builder.register(SuperMan.self)
    builder.register(WeaponInterceptor.self)
    try builder.load(
      text: """
        <container>
          <entity id="hero" class="SuperMan" singleton="true">
            <property name="name" stringValue="Ada"/>
          </entity>
          <aop:config>
            <aspect id="a" class="WeaponInterceptor">
              <joinpoint expression="object||hero||(*)"/>
            </aspect>
          </aop:config>
        </container>
        """, file: "context.xml")
    let hero = try builder.build().object("hero", as: HeroProxy.self)
    let name = try Diary.$shared.withValue(journal) { try hero.name }
    #expect(name == "Ada")
    #expect(journal.lines == ["WeaponInterceptor before name", "WeaponInterceptor after"])
  }

  @Test func `IV-13 what a property gives can be changed`() throws {
    let builder = builder()
    builder.aspect(named: "change", on: .objects("post").methods("title")) {
      Around { call, proceed in
        #expect((call.name, call.argumentCount) == ("title", 0))
        try proceed()
        try call.setResult("\(call.result ?? "")!")
      }
    }
    let post = try builder.build().object("post", as: SignpostProxy.self)
    #expect(try post.title == "Rome!")
  }

  @Test func `an aspect that does not fit a property is an error where it is named alone`() {
    let builder = builder()
    builder.aspect(named: "sync", on: .objects("post").methods("*")) { Translating() }
    #expect(builder.check().problems.map(\.description) == [])
    builder.aspect(named: "named", on: .objects("post").methods("distance")) { Translating() }
    #expect(
      builder.check().problems.map(\.message) == [
        "aspect \"named\" cannot run around 'distance' of object \"post\": the method is async, and "
          + "the aspect is not"
      ])
  }

  @Test(arguments: [
    ("each", "each(_:)"), ("take", "take(_:)"), ("hold", "hold(_:)"), ("wild", "wild(_:)"),
    ("body", "body"), ("subscript", "subscript(_:)"),
  ])
  func `what aspects cannot run around is refused by its name, and called as ever otherwise`(
    name: String, shown: String
  ) throws {
    #expect(
      builder(.objects("post").methods(name)).check().problems.map(\.message) == [
        "aspect \"s0\" cannot run around '\(shown)' of object \"post\""
      ])
    let post = try post(.objects("post").methods("*"))
    var place = ""
    try post.each { place = $0 }
    #expect(place == "a")
    #expect(try post[4] == "4")
    #expect(journal.lines == [])
  }
}
