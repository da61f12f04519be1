import Oxbow
import Testing

// Rows of the originals, with described classes and real documents.

@Component final class Sundial {
  var hours = 12
  var isOld = false
  var name: String?
  var maker: Provider<Sundial>?
}

@Suite struct RowTests {
  @Test func `TY-05 a value is read as the type of its property`() throws {
    let builder = ContainerBuilder()
    try builder.load(
      text: """
        <assembly><component class="Sundial" key="dial">
          <property name="hours" value="7"/>
          <property name="isOld" value="true"/>
          <property name="name" value="seven"/>
        </component></assembly>
        """)
    let dial: Sundial = try builder.build().object("dial")
    #expect((dial.hours, dial.isOld, dial.name) == (7, true, "seven"))
  }

  @Test func `IV-04 strings and numbers are read as the types of their properties`() throws {
    let dial = try entity(
      """
      <property name="hours" numberValue="7"/><property name="name" stringValue="seven"/>
      """)
    #expect((dial.hours, dial.name) == (7, "seven"))
    for (attribute, code) in [
      ("numberValue", ContainerError.Code.unexpectedMarkup), ("stringValue", .valueNotConvertible),
    ] {
      let error = #expect(throws: ContainerError.self) {
        try entity("<property name=\"hours\" \(attribute)=\"seven\"/>")
      }
      #expect(error?.code == code)
    }
  }

  @Test func `IV-03 a reference to an unknown entity is an error with near names`() throws {
    #expect(try entity("<property name=\"maker\" ref=\"dial\"/>").maker?().hours == 12)
    let error = #expect(throws: ContainerError.self) {
      try entity("<property name=\"maker\" ref=\"dail\"/>")
    }
    #expect(error?.problems.first?.nearNames == ["dial"])
  }

  @Test func `IV-24 an unknown entity is an error, and a known one can be asked for`() throws {
    let builder = ContainerBuilder()
    builder.add(Sundial.self, named: "dial")
    let container = try builder.build()
    #expect(container.contains("dial") && !container.contains("dail"))
    let error = #expect(throws: ContainerError.self) {
      try container.object("dail", as: Sundial.self)
    }
    #expect(error?.code == .unknownObject)
    #expect((try? container.object("dail", as: Sundial.self)) == nil)
  }

  @Test func `IV-23 a delegate hears of a finished container or of an error, once`() throws {
    let (good, bad) = (Listener(), Listener())
    let builder = ContainerBuilder()
    try builder.load(
      text: "<container><entity id=\"dial\" class=\"Sundial\"/></container>")
    builder.build(reportingTo: good)
    #expect(good.heard == ["finished"])
    try builder.load(
      text: "<container><entity id=\"other\" class=\"Moondial\"/></container>")
    builder.build(reportingTo: bad)
    #expect(bad.heard == ["unknownClass"])
  }

  private func entity(_ properties: String) throws -> Sundial {
    let builder = ContainerBuilder()
    try builder.load(
      text: """
        <container>
          <entity id="dial" class="Sundial"/>
          <entity id="other" class="Sundial">\(properties)</entity>
        </container>
        """)
    return try builder.build().object("other")
  }
}

private final class Listener: ContainerBuildingDelegate {
  private(set) var heard: [String] = []

  func containerBuildingFinished(_ container: Container) { heard.append("finished") }

  func containerBuildingFailed(_ error: any Error) {
    heard.append((error as? ContainerError).map { $0.code.description } ?? "\(error)")
  }
}
