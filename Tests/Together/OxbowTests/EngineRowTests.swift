import Oxbow
import Testing

// Rows of IVEngine that Oxbow answers otherwise, with described classes and real documents.

@Component class Wagon {
  var wheels = 0
  @Inject("horse") var puller: Mule?
  @Inject var driver: Coachman?
  init() {}
}

@Component final class Coach: Wagon {
  var seats = 0
  override init() {}
}

@Component final class Mule: Sendable {
  init() {}
}

@Component final class Beacon: @unchecked Sendable {
  // Sendable by argument: set once, before anybody gets the object.
  weak var next: Beacon?
  init() {}
}

@Component final class Coachman: Sendable {
  init() {}
}

@Suite struct EngineRowTests {
  private func container(_ entities: String) throws -> Container {
    let builder = ContainerBuilder()
    try builder.load(
      text: """
        <container>
          <entity id="horse" class="Mule"/>
          <entity id="pony" class="Mule" singleton="true"/>
          <entity id="driver" class="Coachman" singleton="true"/>
          \(entities)
        </container>
        """)
    return try builder.build()
  }

  @Test func `IV-07 inherited properties are set, and an unknown name is an error`() throws {
    let coach: Coach = try container(
      """
      <entity id="coach" class="Coach">
        <property name="wheels" numberValue="4"/><property name="seats" numberValue="6"/>
      </entity>
      """
    ).object("coach")
    #expect((coach.wheels, coach.seats) == (4, 6))
    let error = #expect(throws: ContainerError.self) {
      try container(
        "<entity id=\"coach\" class=\"Coach\"><property name=\"weels\" numberValue=\"4\"/></entity>"
      )
    }
    #expect(error?.code == .unknownProperty)
    #expect(error?.problems.first?.nearNames == ["wheels"])
  }

  @Test func `IV-08 an annotation injects, and the file goes before it`() throws {
    let own = try container("<entity id=\"wagon\" class=\"Wagon\"/>")
    let (pony, wagon): (Mule, Wagon) = try (own.object("pony"), own.object("wagon"))
    #expect(wagon.puller != nil && wagon.puller !== pony)
    let other = try container(
      """
      <entity id="wagon" class="Wagon"><property name="puller" ref="pony"/></entity>
      """)
    let (second, pulled): (Mule, Wagon) = try (other.object("pony"), other.object("wagon"))
    #expect(pulled.puller === second)
  }

  @Test func `IV-09 what is wired by type is marked so, and no number of the file says it`() throws
  {
    let container = try container("<entity id=\"wagon\" class=\"Wagon\"/>")
    let (driver, wagon): (Coachman, Wagon) = try (
      container.object("driver"), container.object("wagon")
    )
    #expect(wagon.driver === driver)
    let error = #expect(throws: ContainerError.self) {
      try self.container("<entity id=\"wagon\" class=\"Wagon\" autowire=\"1\"/>")
    }
    #expect(error?.code == .unexpectedMarkup)
  }

  @Test func `IV-25 singletons that refer to each other are made`() throws {
    let container = try container(
      """
      <entity id="first" class="Beacon" singleton="true">
        <property name="next" ref="second"/>
      </entity>
      <entity id="second" class="Beacon" singleton="true">
        <property name="next" ref="first"/>
      </entity>
      """)
    let (first, second): (Beacon, Beacon) = try (
      container.object("first"), container.object("second")
    )
    #expect(first.next === second && second.next === first)
  }

  @Test func `IV-26 threads ask one container, and a singleton is made once`() async throws {
    let container = try container("<entity id=\"mare\" class=\"Mule\" singleton=\"true\"/>")
    let found = await withTaskGroup(of: ObjectIdentifier?.self) { group in
      for _ in 0..<64 {
        group.addTask { (try? container.object("mare", as: Mule.self)).map(ObjectIdentifier.init) }
      }
      return await group.reduce(into: Set()) { $0.insert($1) }
    }
    #expect(found == [ObjectIdentifier(try container.object("mare", as: Mule.self))])
  }
}
