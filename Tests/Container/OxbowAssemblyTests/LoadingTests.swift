import OxbowAssembly
import OxbowContainer
import OxbowDocuments
import OxbowTestSupport
import Testing

// Classes of the old sample files and of the tests, described as `@Component` does it.

protocol ExampleService: AnyObject {}

final class ExampleServiceImpl2: ExampleService, Component, Sendable {
  static var componentDescriptor: ComponentDescriptor {
    ComponentDescriptor(
      ExampleServiceImpl2.self, name: "ExampleServiceImpl2", sendability: .of(), product: .of(),
      initializers: [InitializerDescriptor { ExampleServiceImpl2() }])
  }
}

final class ServiceExecutorImpl1: Component, @unchecked Sendable {
  // Sendable by argument: written while a container builds it, read after.
  var service: (any ExampleService)?
  var attempts = 1

  static var componentDescriptor: ComponentDescriptor {
    ComponentDescriptor(
      ServiceExecutorImpl1.self, name: "ServiceExecutorImpl1", sendability: .of(), product: .of(),
      initializers: [InitializerDescriptor { ServiceExecutorImpl1() }],
      properties: [
        .property(
          "service", (any ExampleService).self, typeName: "(any ExampleService)?",
          sendability: .of(), isOptional: true, accepts: { $0 is any ExampleService.Type },
          set: { $0.service = $1 }),
        .property(
          "attempts", Int.self, typeName: "Int", sendability: .of(), accepts: { $0 is Int.Type },
          set: { $0.attempts = $1 }),
      ])
  }
}

@Suite struct LoadingTests {
  private func builder() -> ContainerBuilder {
    let builder = ContainerBuilder()
    builder.register(ExampleServiceImpl2.self)
    builder.register(ServiceExecutorImpl1.self)
    return builder
  }

  @Test func `the Oxen container's own sample loads as it is`() throws {
    guard let folder = Samples.folder else {
      print(Samples.absence)
      return
    }
    let path = "\(folder)/assemblies/oxeniphonecommons/context.xml"
    let builder = builder()
    try builder.load(path)
    #expect(builder.check().notes.map(\.text) == ["read <contanier> as <container>"])
    let container = try builder.build()
    let executor = try container.object("theExecutor", as: ServiceExecutorImpl1.self)
    #expect(
      try executor.service === container.object("theService", as: ExampleServiceImpl2.self))
    #expect(
      AssemblyDocument.structuralProblems(in: [try AssemblyDocument(contentsOf: path)]).isEmpty)
  }

  @Test func `files and code make one container`() throws {
    let builder = builder()
    try builder.load(
      text: """
        <container>
          <object id="executor" class="ServiceExecutorImpl1">
            <property name="service" ref="service"/>
            <property name="attempts" value="3"/>
          </object>
        </container>
        """)
    builder.singleton(named: "service", ExampleServiceImpl2.init)
    let executor = try builder.build().object("executor", as: ServiceExecutorImpl1.self)
    #expect(executor.attempts == 3)
    #expect(executor.service != nil)
  }

  @Test func `problems of markup and of definitions come together`() throws {
    let builder = builder()
    try builder.load(
      text: """
        <container>
          <object id="executor" class="ServiceExecutorImpl1" lasy="true">
            <property name="service" ref="servce"/>
            <property name="attempts" value="many"/>
          </object>
          <object id="service" class="ExampleServiceImpl3"/>
        </container>
        """, file: "context.xml")
    let error = #expect(throws: ContainerError.self) { try builder.build() }
    #expect(
      error?.problems.map { "\($0.code) \($0.location?.line ?? 0)" } == [
        "unexpectedMarkup 2", "valueNotConvertible 4", "unknownClass 6", "missingReference 3",
      ])
    #expect(
      error?.problems.suffix(2).map(\.nearNames) == [["ExampleServiceImpl2"], ["service"]])
  }

  @Test func `a reference to nothing names its line`() throws {
    let builder = builder()
    try builder.load(
      text: """
        <container>
          <object id="executor" class="ServiceExecutorImpl1">
            <property
              name="service"
              ref="servce"/>
          </object>
          <object id="service" class="ExampleServiceImpl2"/>
        </container>
        """, file: "context.xml")
    let problems = builder.check().problems
    #expect(problems.map(\.code) == [.missingReference])
    #expect(problems.first?.location?.description == "context.xml:3:5")
    #expect(problems.first?.nearNames == ["service"])
  }

  @Test func `what is wrong with a part of a parent is said once, not for each heir`() throws {
    let builder = ContainerBuilder()
    builder.register(ServiceExecutorImpl1.self)
    try builder.load(
      text: """
        <container>
          <object id="base" class="ServiceExecutorImpl1" abstract="true">
            <property name="nothing" value="1"/>
          </object>
          <object id="first" parent="base" scope="prototype"/>
          <object id="second" parent="base" scope="prototype"/>
          <object id="third" parent="second" scope="prototype">
            <property name="nobody" value="1"/>
          </object>
        </container>
        """, file: "f.xml")
    #expect(
      builder.check().problems.map(\.short) == [
        "3:5: object \"first\": class \"ServiceExecutorImpl1\" has no property named \"nothing\"",
        "8:5: object \"third\": class \"ServiceExecutorImpl1\" has no property named \"nobody\"",
      ])
  }

  @Test func `an object that makes itself is a circle of one`() throws {
    let builder = ContainerBuilder()
    try builder.load(
      text: """
        <container>
          <object id="egg" factory="egg"><initializer method="hatch()"/></object>
        </container>
        """, file: "f.xml")
    #expect(builder.check().problems.map(\.seen) == ["\"egg\" → \"egg\""])
  }

  @Test func `limits hold for wiring files`() {
    let builder = builder()
    let error = #expect(throws: ContainerError.self) {
      try builder.load(
        text: "<container>\(String(repeating: " ", count: 100))</container>",
        limits: DocumentLimits(maximumBytes: 50))
    }
    #expect(error?.problems.first?.seen.contains("maximumBytes") == true)
  }

  @Test func `a thousand objects load`() throws {
    let builder = builder()
    var text = "<container>"
    for number in 0..<1_000 {
      text += "<object id=\"e\(number)\" class=\"ServiceExecutorImpl1\">"
      text += "<property name=\"service\" ref=\"service\"/></object>"
    }
    try builder.load(
      text: text + "<object id='service' class='ExampleServiceImpl2'/></container>")
    let container = try builder.build()
    #expect(container.names.count == 1_001)
    #expect(try container.object("e999", as: ServiceExecutorImpl1.self).service != nil)
  }

  @Test func `a missing reference is reported beside the other problems of its definition`() throws
  {
    let builder = builder()
    try builder.load(
      text: """
        <container>
          <object id="service" class="ExampleServiceImpl2"/>
          <object id="executor" class="ServiceExecutorImpl1">
            <property name="attempts" value="many"/>
            <property name="service" ref="servise"/>
          </object>
        </container>
        """, file: "wrong.xml")
    let problems = builder.check().problems
    #expect(problems.map { $0.location?.line } == [4, 5])
    #expect(problems.last?.nearNames == ["service"])
  }
}
