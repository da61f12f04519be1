import OxbowContainer
import OxbowDocuments
import Testing

// Parts of a container that files define.

private struct Point: Sendable, Equatable { let x: Int }

private final class PointConverter: TypeConverter, Component {
  let mark: String
  var expected: String { "a whole number after \"\(mark)\"" }
  init(mark: String) { self.mark = mark }
  func convert(_ text: String) throws -> Point? {
    if text == "broken" { throw Refusal("the compass is broken") }
    guard text.hasPrefix(mark) else { return nil }
    return Int(text.dropFirst(mark.count)).map(Point.init)
  }
  nonisolated static var componentDescriptor: ComponentDescriptor {
    ComponentDescriptor(
      PointConverter.self, name: "PointConverter", sendability: .of(), product: .of(),
      initializers: [
        InitializerDescriptor(
          ParameterDescriptor(
            "mark", String.self, typeName: "String", sendability: .of(),
            accepts: { $0 is String.Type })
        ) { PointConverter(mark: $0) }
      ])
  }
}

private final class FarConverter: TypeConverter {
  var expected: String { "anything" }
  func convert(_ text: String) throws -> Point? {
    Int(text.dropFirst(2)).map { Point(x: $0 + 1_000) }
  }
}

private final class Map: Component {
  var point = Point(x: 0)
  var converter: PointConverter?
  nonisolated static var componentDescriptor: ComponentDescriptor {
    ComponentDescriptor(
      Map.self, name: "Map", sendability: .of(), product: .of(),
      initializers: [InitializerDescriptor { Map() }],
      properties: [
        .property(
          "point", Point.self, typeName: "Point", sendability: .of(),
          accepts: { $0 is Point.Type }, set: { $0.point = $1 }),
        .property(
          "converter", PointConverter.self, typeName: "PointConverter?", sendability: .of(),
          isOptional: true, accepts: { $0 is PointConverter.Type }, set: { $0.converter = $1 }),
      ])
  }
}

/// Not Sendable, with settable properties.
private final class Renamer: DefinitionPostProcessor, Component {
  var suffix = ""
  var order = 0
  func process(_ definitions: inout [ObjectDefinition]) throws {
    if suffix == "fail" { throw Refusal("no suffix") }
    for index in definitions.indices where definitions[index].className == "Knight" {
      let old = definitions[index].property("title")?.content
      guard case .text(let title, _)? = old else { continue }
      definitions[index].properties = [.value("title", title + suffix)]
    }
  }
  nonisolated static var componentDescriptor: ComponentDescriptor {
    ComponentDescriptor(
      Renamer.self, name: "Renamer", sendability: .of(), product: .of(),
      initializers: [InitializerDescriptor { Renamer() }],
      properties: [
        .property(
          "suffix", String.self, typeName: "String", sendability: .of(),
          accepts: { $0 is String.Type }, set: { $0.suffix = $1 }),
        .property(
          "order", Int.self, typeName: "Int", sendability: .of(), accepts: { $0 is Int.Type },
          set: { $0.order = $1 }),
      ])
  }
}

private final class Crown: ObjectPostProcessor, Component {
  func process<T>(_ object: T, named name: String) throws -> T {
    if let knight = object as? Knight { knight.motto = "crowned \(name)" }
    return object
  }
  nonisolated static var componentDescriptor: ComponentDescriptor {
    ComponentDescriptor(
      Crown.self, name: "Crown", sendability: .of(), product: .of(),
      initializers: [InitializerDescriptor { Crown() }])
  }
}

@Suite struct PostProcessorTests {
  private func place(_ line: Int) -> OxbowDocuments.SourceLocation {
    OxbowDocuments.SourceLocation(file: "parts.xml", line: line, column: 3)
  }

  private func builder() -> ContainerBuilder {
    let builder = ContainerBuilder.ofTests()
    builder.register(PointConverter.self)
    builder.register(Map.self)
    builder.register(Renamer.self)
    builder.register(Crown.self)
    return builder
  }

  private func converter(_ name: String, line: Int = 1) -> ObjectDefinition {
    ObjectDefinition(
      name, class: "PointConverter", properties: [.value("mark", "${mark:x=}")], at: place(line))
  }

  private func map(_ properties: [PropertyAssignment]) -> ObjectDefinition {
    ObjectDefinition("map", class: "Map", scope: "prototype", properties: properties, at: place(9))
  }

  private func knight(_ title: String) -> ObjectDefinition {
    ObjectDefinition(
      "knight", class: "Knight", scope: "prototype", properties: [.value("title", title)])
  }

  @Test func `TY-23 a converter that a file defines converts its texts and is no object`() throws {
    let builder = builder()
    builder.add(map([.value("point", "x=7")]))
    builder.add(converter("points"))
    let container = try builder.build()
    #expect(try container.object("map", as: Map.self).point == Point(x: 7))
    #expect(container.names == ["map"])
    #expect(!builder.values.converts(to: Point.self))
  }

  @Test func `review D17 a converter that a file defines can be patched, by one alone`() throws {
    let builder = builder()
    builder.add(map([.value("point", "x=7")]))
    builder.add(converter("points"))
    let container = try builder.build()
    let patched = try container.patched {
      $0.replace("points") { FarConverter() }
    }
    #expect(try patched.object("map", as: Map.self).point == Point(x: 1_007))
    #expect(try container.object("map", as: Map.self).point == Point(x: 7))
    let misfit = #expect(throws: ContainerError.self) {
      try container.patched { $0.replace("points") { Map() } }
    }
    #expect(misfit?.problems.first?.message.contains("its replacement is not") == true)
    let wrapped = #expect(throws: ContainerError.self) {
      try container.patched { $0.wrap("points") { (real: PointConverter) in real } }
    }
    #expect(wrapped?.problems.first?.message.contains("cannot be wrapped") == true)
  }

  @Test func `TY-23 post-processors that a file defines are installed, not Sendable ones, too`()
    throws
  {
    let builder = builder()
    builder.add(knight("Sir"))
    for (name, order) in [("second", "2"), ("first", "1")] {
      builder.add(
        ObjectDefinition(
          name, class: "Renamer",
          properties: [.value("suffix", " \(name)"), .value("order", order)]))
    }
    builder.add(ObjectDefinition("crown", class: "Crown"))
    let container = try builder.build()
    let knight = try container.object("knight", as: Knight.self)
    #expect(knight.title == "Sir first second")
    #expect(knight.motto == "crowned knight")
    #expect(container.names == ["knight"])
  }

  @Test func `TY-23 parts refer to each other and values only, and nothing refers to them`() {
    let builder = builder()
    builder.add(converter("points"))
    builder.add(map([.reference("converter", to: "points", at: place(10))]))
    var crown = ObjectDefinition("crown", class: "Renamer")
    crown.properties = [.reference("suffix", to: "map", at: place(12))]
    builder.add(crown)
    #expect(
      builder.faults == [
        "object \"crown\", property \"suffix\": \"map\" does not exist yet when it is made",
        "object \"map\", property \"converter\": \"points\" is a part of the container itself",
      ])
  }

  @Test func `TY-27 two converters of files for one type are a problem`() {
    let builder = builder()
    builder.add(converter("points", line: 1))
    builder.add(converter("others", line: 2))
    #expect(
      builder.failure == """
        cannot build the container: converter "others" is the second one for Point
           at: parts.xml:2:3
           seen: "others" beside "points"
           expected: one converter for each type
           next: remove one of the two
        """)
  }

  @Test func `TY-27 what a converter throws is said with what it expects`() {
    let builder = builder()
    builder.values.register(PointConverter(mark: "x="))
    builder.add(map([.value("point", "broken", at: place(10))]))
    #expect(
      builder.failure == """
        cannot build the container: object "map", property "point": "broken" is not a Point
           at: parts.xml:10:3
           seen: "broken"
           expected: a whole number after "x=" (the compass is broken)
           next: correct the value
        """)
  }

  @Test func `TY-24 definition post-processors of code change, add and remove definitions`() throws
  {
    struct Editor: DefinitionPostProcessor {
      let order: Int
      let edit: (inout [ObjectDefinition]) -> Void
      func process(_ definitions: inout [ObjectDefinition]) { edit(&definitions) }
    }
    let builder = builder()
    builder.singleton(named: "grail", Grail.init)
    builder.add(knight("Sir"))
    builder.add(ObjectDefinition("dragon", class: "Dragon", scope: "prototype"))
    builder.add(
      Editor(order: 2) { definitions in
        #expect(definitions.map(\.name) == ["knight", "extra"])
        definitions[0].addReference("quest", to: "grail")
      })
    builder.add(
      Editor(order: 1) { definitions in
        #expect(definitions.map(\.name) == ["knight", "dragon"])
        definitions.remove(at: 1)
        definitions.append(ObjectDefinition("extra", class: "King", scope: "prototype"))
      })
    let container = try builder.build()
    #expect(container.names == ["grail", "knight", "extra"])
    #expect(try container.object("knight", as: Knight.self).quest is Grail)
    #expect(try container.object("extra", as: Knight.self) is King)
  }

  @Test func `TY-24 a post-processor that throws or repeats a name is a problem of build`() {
    struct Doubler: DefinitionPostProcessor {
      func process(_ definitions: inout [ObjectDefinition]) {
        definitions += definitions
        definitions.append(ObjectDefinition("", class: "Grail"))
      }
    }
    let failing = builder()
    failing.add(ObjectDefinition("r", class: "Renamer", properties: [.value("suffix", "fail")]))
    failing.add(knight("Sir"))
    #expect(failing.faults == ["the definition post-processor Renamer failed"])
    let doubling = builder()
    doubling.add(knight("Sir"))
    doubling.add(Doubler())
    #expect(doubling.faults == ["object \"knight\" is defined twice", "a definition has no name"])
  }

  @Test func `TY-23 a converter that is defined in Swift is a part of the container, too`() throws {
    let builder = builder()
    let points = builder.singleton(named: "points", PointConverter.init(mark:), Ref.value("p"))
    builder.add(map([.value("point", "p3")]))
    let container = try builder.build()
    #expect(try container.object("map", as: Map.self).point == Point(x: 3))
    let error = #expect(throws: ContainerError.self) { try container.object(points) }
    #expect(error?.code == .unknownObject)
  }

  @Test func `TY-23 the constructor of a part that fails is a problem of build`() {
    struct Broken: TypeConverter {
      let expected = "nothing"
      init(_ text: String) throws { throw Refusal("no \(text)") }
      func convert(_ text: String) -> Point? { nil }
    }
    let builder = builder()
    builder.singleton(named: "broken", Broken.init, Ref.value("compass"))
    #expect(builder.faults == ["object \"broken\": its constructor failed"])
  }
}
