import Foundation
import Oxbow
import OxbowTestSupport
import Testing

// IVEngine's document, example by example in its order, as a program says it with Oxbow.

@Component @Woven final class Diver: @unchecked Sendable {
  // Sendable by argument: written while a container builds it, read after.
  var name = ""
  var depth = 0
  init() {}
  func swim() throws { Diary.shared.note("\(name) swims") }
  func dive() throws { Diary.shared.note("\(name) dives to \(depth)") }
  func rise() throws { Diary.shared.note("\(name) rises") }
}

@Component @Woven final class DiveCrew {
  var name = ""
  var leader: Diver?
  init() {}
  func swim() throws { Diary.shared.note("\(name) swims") }
  func sail(_ place: String) throws { Diary.shared.note("\(name) sails to \(place)") }
}

class DiveAspect: @unchecked Sendable {
  // Sendable by argument: it has no state.
  // All ten methods begin with the target's class and name.
  func before(_ call: Invocation) {
    Diary.shared.note("\(type(of: self)): before \(call) of \(target(of: call))")
  }
  func afterReturning(_ call: Invocation) {
    Diary.shared.note("\(type(of: self)): after \(target(of: call))")
  }
  private func target(of call: Invocation) -> String {
    guard let target = call.target else { return "nothing" }
    return "\(type(of: target)) \((target as? any WithName)?.name ?? "without a name")"
  }
}

protocol WithName { var name: String { get } }
extension Diver: WithName {}
extension DiveCrew: WithName {}

@Component final class Rope: DiveAspect, NonThrowingAspect, @unchecked Sendable {
  override init() {}
}
@Component final class Suit: DiveAspect, NonThrowingAspect, @unchecked Sendable {
  override init() {}
}
@Component final class Fins: DiveAspect, NonThrowingAspect, @unchecked Sendable {
  override init() {}
}
@Component final class Lamp: DiveAspect, NonThrowingAspect, @unchecked Sendable {
  override init() {}
}
@Component final class Logbook: DiveAspect, NonThrowingAspect, @unchecked Sendable {
  override init() {}
}

@Suite("The document of IVEngine") struct IVEngineDocument {
  private static let entities = """
    <entity id="diver1" class="Diver" singleton="true">
      <property name="name" stringValue="Ines"></property>
      <property name="depth" numberValue="20"></property>
    </entity>
    <entity id="diver2" class="Diver" singleton="true">
      <property name="name" stringValue="Jon"></property>
    </entity>
    <entity id="crew1" class="DiveCrew">
      <property name="name" stringValue="Blue"></property>
      <property name="leader" ref="diver1"></property>
    </entity>
    """

  private func builder(_ aspects: String = "") throws -> ContainerBuilder {
    let builder = ContainerBuilder()
    try builder.load(
      text: """
        <?xml version="1.0" encoding="UTF-8"?>
        <contanier>
        \(Self.entities)
        <aop:config>
        \(aspects)
        </aop:config>
        </contanier>
        """, file: "context.xml")
    return builder
  }

  /// What an aspect and the objects note while a diver and a crew do everything that they can.
  private func lines(_ aspects: String) throws -> [String] {
    let journal = Journal()
    try Diary.$shared.withValue(journal) {
      let container = try builder(aspects).build()
      let diver = try container.object("diver1", as: Diver.self)
      try diver.swim()
      try diver.dive()
      try diver.rise()
      let crew = try container.object("crew1", as: DiveCrew.self)
      try crew.swim()
      try crew.sail("Oslo")
    }
    return journal.lines
  }

  @Test func `XML, 1: an entity that is a singleton, with a text and a number`() throws {
    let container = try builder().build()
    let diver = try container.object("diver1", as: Diver.self)
    #expect((diver.name, diver.depth) == ("Ines", 20))
    #expect(try container.object("diver1", as: Diver.self) === diver)
  }

  @Test func `XML, 2: an entity that is made anew and refers to the first`() throws {
    let container = try builder().build()
    let crew = try container.object("crew1", as: DiveCrew.self)
    #expect(crew.name == "Blue")
    #expect(try crew.leader === container.object("diver1", as: Diver.self))
    #expect(try container.object("crew1", as: DiveCrew.self) !== crew)
  }

  @Test func `XML, the container tag: it is read as it is spelled, with a note`() throws {
    #expect(try builder().check().notes.map(\.text) == ["read <contanier> as <container>"])
  }

  @Test func `XML, aspect 1: an interceptor of one method of each of two classes`() throws {
    #expect(
      try lines(
        """
        <aspect id="rope" class="Rope">
          <joinpoint expression="class||Diver||(dive)"></joinpoint>
          <joinpoint expression="class||DiveCrew||(sail:)"></joinpoint>
        </aspect>
        """) == [
          "Ines swims",
          "Rope: before dive() of Diver Ines",
          "Ines dives to 20",
          "Rope: after Diver Ines",
          "Ines rises",
          "Blue swims",
          "Rope: before sail(Oslo) of DiveCrew Blue",
          "Blue sails to Oslo",
          "Rope: after DiveCrew Blue",
        ])
  }

  @Test func `XML, aspect 2: an interceptor of one method of all entities`() throws {
    #expect(
      try lines(
        """
        <aspect id="suit" class="Suit">
          <joinpoint expression="object||*||(swim)"></joinpoint>
        </aspect>
        """) == [
          "Suit: before swim() of Diver Ines",
          "Ines swims",
          "Suit: after Diver Ines",
          "Ines dives to 20",
          "Ines rises",
          "Suit: before swim() of DiveCrew Blue",
          "Blue swims",
          "Suit: after DiveCrew Blue",
          "Blue sails to Oslo",
        ])
  }

  @Test func `XML, aspect 3: an interceptor of one method of some entities`() throws {
    #expect(
      try lines(
        """
        <aspect id="fins" class="Fins">
          <joinpoint expression="object||diver1||(swim)"></joinpoint>
          <joinpoint expression="object||diver2,diver1||(swim)"></joinpoint>
        </aspect>
        """) == [
          "Fins: before swim() of Diver Ines",
          "Ines swims",
          "Fins: after Diver Ines",
          "Ines dives to 20",
          "Ines rises",
          "Blue swims",
          "Blue sails to Oslo",
        ])
  }

  @Test func `XML, aspect 4: an interceptor of two methods of one class`() throws {
    #expect(
      try lines(
        """
        <aspect id="lamp" class="Lamp">
          <joinpoint expression="class||Diver||(dive),(rise)"></joinpoint>
        </aspect>
        """) == [
          "Ines swims",
          "Lamp: before dive() of Diver Ines",
          "Ines dives to 20",
          "Lamp: after Diver Ines",
          "Lamp: before rise() of Diver Ines",
          "Ines rises",
          "Lamp: after Diver Ines",
          "Blue swims",
          "Blue sails to Oslo",
        ])
  }

  @Test func `XML, aspect 5: an interceptor of all methods of all classes`() throws {
    let lines = try lines(
      """
      <aspect id="log" class="Logbook">
        <joinpoint expression="class||*||(*)"></joinpoint>
      </aspect>
      """)
    #expect(lines.count == 15)
    #expect(
      lines.filter { $0.hasPrefix("Logbook: before") }.map { $0.dropFirst(16) } == [
        "swim() of Diver Ines", "dive() of Diver Ines", "rise() of Diver Ines",
        "swim() of DiveCrew Blue", "sail(Oslo) of DiveCrew Blue",
      ])
  }

  @Test func `Objective-C, 1: the delegate gets the container, or what is wrong`() throws {
    final class Delegate: ContainerBuildingDelegate {
      var names: [String] = []
      var error: (any Error)?
      func containerBuildingFinished(_ container: Container) { names = container.names }
      func containerBuildingFailed(_ error: any Error) { self.error = error }
    }
    let delegate = Delegate()
    try builder().build(reportingTo: delegate)
    #expect(delegate.names == ["diver1", "diver2", "crew1"])
    #expect(delegate.error == nil)
    let broken = ContainerBuilder()
    try broken.load(text: "<container><entity id='d' class='Divver'/></container>")
    broken.build(reportingTo: delegate)
    #expect(
      (delegate.error as? ContainerError)?.problems.first?.nearNames.contains("Diver") == true)
  }

  @Test func `Objective-C, 2: a builder reads the file of a path`() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(
      "<contanier>\(Self.entities)</contanier>", to: "context.xml")
    let builder = ContainerBuilder()
    try builder.load(path)
    #expect(try builder.build().object("diver2", as: Diver.self).name == "Jon")
    let error = #expect(throws: ContainerError.self) {
      try ContainerBuilder().load(path + ".none")
    }
    #expect(error?.code == .unreadableDocument)
  }

  @Test func `Objective-C, 3: the entities do what they can, with all aspects around them`() throws
  {
    let lines = try lines(
      """
      <aspect id="rope" class="Rope">
        <joinpoint expression="class||Diver||(dive)"/><joinpoint expression="class||DiveCrew||(sail:)"/>
      </aspect>
      <aspect id="suit" class="Suit"><joinpoint expression="object||*||(swim)"/></aspect>
      <aspect id="fins" class="Fins"><joinpoint expression="object||diver1||(swim)"/></aspect>
      <aspect id="lamp" class="Lamp"><joinpoint expression="class||Diver||(rise),(dive)"/></aspect>
      """)
    #expect(
      lines == [
        "Suit: before swim() of Diver Ines",
        "Fins: before swim() of Diver Ines",
        "Ines swims",
        "Fins: after Diver Ines",
        "Suit: after Diver Ines",
        "Rope: before dive() of Diver Ines",
        "Lamp: before dive() of Diver Ines",
        "Ines dives to 20",
        "Lamp: after Diver Ines",
        "Rope: after Diver Ines",
        "Lamp: before rise() of Diver Ines",
        "Ines rises",
        "Lamp: after Diver Ines",
        "Suit: before swim() of DiveCrew Blue",
        "Blue swims",
        "Suit: after DiveCrew Blue",
        "Rope: before sail(Oslo) of DiveCrew Blue",
        "Blue sails to Oslo",
        "Rope: after DiveCrew Blue",
      ])
  }
}
