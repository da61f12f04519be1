import Oxbow
import OxbowTestSupport
import Testing

// IVEngine's own context.xml, with the classes that it names.

@Proxied(aspects: true) protocol Hero {
  var name: String { get throws }
  func attack() throws
  func walk() throws
  func fly() throws
}

@Proxied(aspects: true) protocol Troop {
  var captain: (any Hero & Sendable)? { get throws }
  func goToPlace(_ place: String) throws
}

@Component final class SuperMan: Hero, @unchecked Sendable {
  // Sendable by argument: written while a container builds it, read after.
  var name = ""
  var age = 0
  init() {}
  func attack() { Diary.shared.note("\(name) attacks") }
  func walk() { Diary.shared.note("\(name) walks") }
  func fly() { Diary.shared.note("\(name) flies") }
}

@Component final class Army: Troop {
  var name = ""
  var captain: (any Hero & Sendable)?
  init() {}
  func goToPlace(_ place: String) { Diary.shared.note("\(name) goes to \(place)") }
}

class Interceptor: @unchecked Sendable {
  // Sendable by argument: it has no state.
  func before(_ call: Invocation) { Diary.shared.note("\(type(of: self)) before \(call)") }
  func afterReturning(_ call: Invocation) { Diary.shared.note("\(type(of: self)) after") }
}

@Component final class WeaponInterceptor: Interceptor, NonThrowingAspect, @unchecked Sendable {
  override init() {}
}
@Component final class ClothesInterceptor: Interceptor, NonThrowingAspect, @unchecked Sendable {
  override init() {}
}
@Component final class ShoesInterceptor: Interceptor, NonThrowingAspect, @unchecked Sendable {
  override init() {}
}
@Component final class GlassesInterceptor: Interceptor, NonThrowingAspect, @unchecked Sendable {
  override init() {}
}

/// What was called, by all objects of a test's task.
enum Diary { @TaskLocal static var shared = Journal() }

extension HeroProxy: HeroForwarding {}
extension TroopProxy: TroopForwarding {}

@Suite struct EngineSampleTests {
  private func container() throws -> Container? {
    guard let folder = Samples.folder else {
      print(Samples.absence)
      return nil
    }
    let builder = ContainerBuilder()
    builder.register(SuperMan.self)
    builder.register(Army.self)
    builder.register(WeaponInterceptor.self)
    builder.register(ClothesInterceptor.self)
    builder.register(ShoesInterceptor.self)
    builder.register(GlassesInterceptor.self)
    try builder.load("\(folder)/assemblies/IVEngine/context.xml")
    #expect(builder.check().notes.map(\.text) == ["read <contanier> as <container>"])
    return try builder.build()
  }

  @Test func `IV-15 IV-19 the sample's joinpoints run around calls in the documented order`() throws
  {
    guard let container = try container() else { return }
    let journal = Journal()
    try Diary.$shared.withValue(journal) {
      let hero = try container.object("superman1", as: HeroProxy.self)
      try hero.walk()
      try hero.attack()
      try hero.fly()
      let army = try container.withObject("army1", as: TroopProxy.self) { army in
        try army.goToPlace("Rome")
        return try army.captain?.name
      }
      #expect(army == "Bill Gate")
    }
    #expect(
      journal.lines == [
        "ClothesInterceptor before walk()", "ShoesInterceptor before walk()", "Bill Gate walks",
        "ShoesInterceptor after", "ClothesInterceptor after",
        "WeaponInterceptor before attack()", "GlassesInterceptor before attack()",
        "Bill Gate attacks", "GlassesInterceptor after", "WeaponInterceptor after",
        "GlassesInterceptor before fly()", "Bill Gate flies", "GlassesInterceptor after",
        "WeaponInterceptor before goToPlace(Rome)", "Microsoft goes to Rome",
        "WeaponInterceptor after",
      ])
  }

  @Test func `IV-15 IV-19 so it is for all entities of the sample, through properties as well`()
    throws
  {
    guard let container = try container() else { return }
    let journal = Journal()
    let armies = [
      ("army1", "Bill Gate"), ("army2", "Steve Jobs"), ("army3", "Steve Jobs"),
      ("army4", "Mark Zuckberg"),
    ]
    try Diary.$shared.withValue(journal) {
      for (name, captain) in armies {
        try container.withObject(name, as: TroopProxy.self) { army in
          try army.goToPlace(name)
          let hero = try #require(try army.captain)
          #expect(try hero.name == captain)
          for call in [hero.walk, hero.attack, hero.fly] { try call() }
        }
      }
    }
    let places = ["Microsoft", "Apple", "NeXT", "Facebook"]
    let expected = zip(armies, places).flatMap { entry, place in
      let (name, captain) = entry
      return [
        "WeaponInterceptor before goToPlace(\(name))", "\(place) goes to \(name)",
        "WeaponInterceptor after",
        "ClothesInterceptor before walk()", "ShoesInterceptor before walk()", "\(captain) walks",
        "ShoesInterceptor after", "ClothesInterceptor after",
        "WeaponInterceptor before attack()", "GlassesInterceptor before attack()",
        "\(captain) attacks", "GlassesInterceptor after", "WeaponInterceptor after",
        "GlassesInterceptor before fly()", "\(captain) flies", "GlassesInterceptor after",
      ]
    }
    #expect(journal.lines == expected)
    // The second and the third army have the one captain.
    let jobs = try container.object("superman2", as: HeroProxy.self)
    for name in ["army2", "army3"] {
      try container.withObject(name, as: TroopProxy.self) { army in
        let captain = try army.captain
        #expect(captain as? HeroProxy === jobs)
      }
    }
  }

  private func problems(_ aspect: String) throws -> ContainerReport {
    let builder = ContainerBuilder()
    builder.register(SuperMan.self)
    try builder.load(
      text: """
        <container>
          <aop:config>\(aspect)</aop:config>
          <entity id="hero" class="SuperMan" singleton="true"/>
        </container>
        """, file: "context.xml")
    return builder.check()
  }

  @Test func `IV-14 a class that is not an aspect is an error`() throws {
    let found = try problems(
      "<aspect id='a' class='SuperMan'><joinpoint expression='object||hero||(fly)'/></aspect>")
    #expect(found.problems.map(\.message) == ["aspect \"a\": class \"SuperMan\" is not an aspect"])
  }

  @Test func `IV-11 IV-17 IV-18 stars mean all, of entities before and after`() throws {
    for targets in ["object||*", "class||*", "class||SuperMan", "object||hero"] {
      let found = try problems(
        """
        <aspect id='a' class='WeaponInterceptor'>\
        <joinpoint expression='\(targets)||(*)'/></aspect>
        """)
      #expect(found.problems.map(\.description) == [])
      #expect(found.notes.isEmpty)
    }
  }

  @Test func `IV-16 names that nothing has are notes with near names`() throws {
    let found = try problems(
      """
      <aspect id='a' class='WeaponInterceptor'><joinpoint expression='object||heroe||(fly)'/>\
      <joinpoint expression='class||SuperMan||(flyy)'/></aspect>
      """)
    #expect(
      found.notes.map(\.text) == [
        "aspect \"a\": there is no object named \"heroe\"; did you mean \"hero\"?",
        "aspect \"a\": no method is called \"flyy\"; did you mean \"fly\"?",
      ])
  }
}
