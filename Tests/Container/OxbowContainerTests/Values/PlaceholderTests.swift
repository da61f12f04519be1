import OxbowContainer
import OxbowDocuments
import OxbowTestSupport
import Testing

@Suite struct PlaceholderTests {
  private func place(_ line: Int) -> OxbowDocuments.SourceLocation {
    OxbowDocuments.SourceLocation(file: "app.xml", line: line, column: 9)
  }

  private func builder(_ texts: [String: String]) -> ContainerBuilder {
    let builder = ContainerBuilder.ofTests()
    builder.placeholders.environment = ["HOST": "env.example.org", "STORE_URL": "/var/env.db"]
    builder.add(
      ObjectDefinition(
        "knight", class: "Knight", scope: "prototype",
        properties: texts.sorted { $0.key < $1.key }.map { .value($0.key, $0.value, at: place(4)) },
        at: place(3)))
    return builder
  }

  private func title(_ text: String, _ change: (inout Placeholders) throws -> Void = { _ in })
    throws
    -> String
  {
    let builder = builder(["title": text])
    try change(&builder.placeholders)
    return try builder.build().object("knight", as: Knight.self).title
  }

  @Test func `TY-22 placeholders are alone or inside of longer text, for any type`() throws {
    let builder = builder(["title": "${rank} of ${place}!", "age": "${age}"])
    try builder.placeholders.load(text: "rank=Sir\nplace=the Lake\nage=41", named: "a.properties")
    let knight = try builder.build().object("knight", as: Knight.self)
    #expect(knight.title == "Sir of the Lake!")
    #expect(knight.age == 41)
  }

  @Test func `TY-22 what is set goes before the environment, that before files, later files first`()
    throws
  {
    #expect(try title("${HOST}") == "env.example.org")
    #expect(try title("${store.url}") == "/var/env.db")
    #expect(
      try title("${host:a single word is spelled as it is}") == "a single word is spelled as it is")
    let load: (inout Placeholders) throws -> Void = {
      try $0.load(text: "a=1\nHOST=file", named: "one")
      try $0.load(text: "a=2", named: "two")
    }
    #expect(try title("${a} ${HOST}", load) == "2 env.example.org")
    #expect(
      try title("${a} ${HOST}") {
        $0.set("HOST", "code")
        try load(&$0)
      } == "2 code")
    #expect(try title("${nobody:default}") == "default")
    #expect(try title("${a:default}", load) == "2")
    #expect(try title("${nobody:}") == "")
  }

  @Test func `TY-22 values and defaults hold placeholders themselves, keys as well`() throws {
    let nested: (inout Placeholders) throws -> Void = {
      try $0.load(
        text: "url=http://${host}:${port}/\nhost=localhost\nport=80\nhost.test=box\nenv=test",
        named: "nested")
    }
    #expect(try title("${url}", nested) == "http://localhost:80/")
    #expect(try title("${none:${url}x}", nested) == "http://localhost:80/x")
    #expect(try title("${host.${env}}", nested) == "box")
    #expect(try title("$${url} costs $5 ${port}$", nested) == "${url} costs $5 80$")
  }

  @Test func `TY-22 an unknown key, a circle and an open end are problems with their place`() {
    let builder = builder([
      "title": "${hots}", "motto": "${a}", "age": "${port", "rival.title": "${quiet:}",
    ])
    builder.placeholders.set("a", "1${b}")
    builder.placeholders.set("b", "2${c}")
    builder.placeholders.set("c", "3${b}")
    builder.placeholders.set("host", "x")
    let text = builder.failure
    #expect(
      text.hasPrefix(
        """
        cannot build the container: 4 problems
        1. object "knight", property "age": a placeholder has no end
           at: app.xml:4:9
           seen: "${port"
           expected: "}" after the key
           next: close the placeholder, or write $${ for the text "${"
        2. object "knight", property "motto": the placeholder "b" needs itself
           at: app.xml:4:9
           seen: ${b} → ${c} → ${b}
           expected: values that end in text
           next: change one of the values
        3. object "knight", property "title": the value of "${hots}" is not known
           at: app.xml:4:9
           seen: "${hots}"
           expected: a key that was set, a variable of the environment, or a key of a properties file
           did you mean: "host"?
           next: set "hots", or write a default: ${hots:…}
        4. object "knight": the path "rival.title" ends at "rival"
        """), "\(text)")
  }

  @Test func `review D12: nesting and chains end at a limit that is named`() {
    let nested = builder(["title": String(repeating: "${a:", count: 20_000)])
    #expect(nested.faults.count == 1)
    let deep = String(repeating: "${a:", count: 20_000) + String(repeating: "}", count: 20_000)
    #expect(
      builder(["title": deep]).check().problems.map(\.message) == [
        "object \"knight\", property \"title\": the placeholders lead to others too often"
      ])
    let chain = builder(["title": "${k0}"])
    for number in 0..<100_000 {
      chain.placeholders.set("k\(number)", "${k\(number + 1)}")
    }
    #expect(chain.check().problems.map(\.expected).first?.contains("at most 100") == true)
    let fine = builder(["title": "${k0}"])
    for number in 0..<90 { fine.placeholders.set("k\(number)", "${k\(number + 1)}") }
    fine.placeholders.set("k90", "end")
    #expect(fine.check().problems.isEmpty)
  }

  @Test(arguments: ["x", ""])
  func `review D12: values that double end at a limit of length`(_ seed: String) {
    let builder = builder(["title": "${k25}"])
    builder.placeholders.set("k0", seed)
    for number in 1...25 {
      builder.placeholders.set("k\(number)", "${k\(number - 1)}${k\(number - 1)}")
    }
    #expect(
      builder.check().problems.map(\.message) == [
        "object \"knight\", property \"title\": the placeholders make too much text"
      ])
  }

  @Test func `review D27: a default may hold braces, and a file may begin with a mark`() throws {
    let text = #"${k:{"a":{"b":1}}}!"#
    #expect(try title(text) == #"{"a":{"b":1}}!"#)
    #expect(try title(text) { $0.set("k", "x") } == "x!")
    #expect(try title("${a}") { try $0.load(text: "\u{FEFF}a=1\nb=2", named: "a") } == "1")
    #expect(try title("\0unresolved") == "\0unresolved")
  }

  @Test func `review PH07-PH09: references, classes and scopes hold placeholders`() throws {
    let builder = builder([:])
    builder.placeholders.set("which", "dragon")
    builder.placeholders.set("impl", "Company")
    builder.placeholders.set("scope", "prototype")
    builder.add(ObjectDefinition("dragon", class: "${beast:Dragon}", scope: "prototype"))
    builder.add(
      ObjectDefinition(
        "company", class: "${impl}", scope: "${scope}",
        properties: [
          .reference("leader", to: "${which}"),
          PropertyAssignment(
            "quests", to: .collection([InjectedElement(.reference("${which}"))])),
        ]))
    let company = try builder.build().object("company", as: Company.self)
    #expect(company.leader is Dragon)
    #expect(company.quests.count == 1)
    #expect(try builder.build().explain("dragon").neededBy.count == 2)
    let unknown = self.builder([:])
    unknown.add(ObjectDefinition("x", class: "${none}", at: place(5)))
    unknown.add(ObjectDefinition("y", class: "Knight", scope: "${open", at: place(6)))
    unknown.add(
      ObjectDefinition(
        "z", class: "Knight", scope: "prototype",
        properties: [.reference("rival", to: "${none}", at: place(7))]))
    #expect(
      unknown.check().problems.map(\.message) == [
        "object \"x\", class: the value of \"${none}\" is not known",
        "object \"y\", scope: a placeholder has no end",
        "object \"z\", property \"rival\": the value of \"${none}\" is not known",
      ])
    #expect(unknown.check().problems.map(\.location?.line) == [5, 6, 7])
  }

  @Test func `TY-22 files have lines with keys and comments, taken as they are`() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(
      "# comment\n\n  # another\na=b=c\nblank = x \r\nname=Ödön\n", to: "app.properties")
    var placeholders = Placeholders()
    placeholders.environment = [:]
    try placeholders.load(path)
    #expect(try placeholders.value(of: "a")?.text == "b=c")
    #expect(try placeholders.value(of: "blank ")?.text == " x ")
    #expect(try placeholders.value(of: "name")?.text == "Ödön")
    #expect(placeholders.keys == ["a", "blank ", "name"])
  }

  @Test func `TY-22 a missing file and a line without a key are errors, and no line is quoted`() {
    var placeholders = Placeholders()
    let missing = #expect(throws: ContainerError.self) {
      try placeholders.load("/nowhere/app.properties")
    }
    #expect(missing?.code == .unreadableDocument)
    #expect(
      missing?.problems.first?.message
        == "the properties file \"/nowhere/app.properties\" cannot be read")
    let wrong = #expect(throws: ContainerError.self) {
      try placeholders.load(text: "a=1\nnonsense\n=x", named: "p")
    }
    #expect(
      "\(wrong.map { "\($0)" } ?? "")" == """
        cannot load the placeholders: 2 problems
        1. a line of the properties file has no key
           at: p:2:1
           seen: a line without '=', or with nothing before it
           expected: key=value, or a comment that starts with #
           next: complete the line or remove it
        2. a line of the properties file has no key
           at: p:3:1
           seen: a line without '=', or with nothing before it
           expected: key=value, or a comment that starts with #
           next: complete the line or remove it
        """)
  }

  @Test func `TY-22 arguments, collections, dictionaries and objects in place take part`() throws {
    let builder = ContainerBuilder.ofTests()
    builder.placeholders.set("length", "7")
    var blade = ObjectDefinition("blade", class: "Blade", scope: "prototype")
    blade.initializer = InitializerCall(
      MethodName("init", labels: ["maker", "length"]),
      arguments: [.value("maker", "W${length}"), .value("length", "${length}")])
    builder.add(blade)
    builder.add(
      ObjectDefinition(
        "company", class: "Company", scope: "prototype",
        properties: [
          PropertyAssignment("ages", to: .collection([InjectedElement(.text("${length}"))])),
          PropertyAssignment("banners", to: .dictionary([InjectedEntry("a", .text("${length}"))])),
          PropertyAssignment(
            "captain",
            to: .definition(
              ObjectDefinition("", class: "Knight", properties: [.value("age", "${length}")]))),
        ]))
    let container = try builder.build()
    #expect(try container.object("blade", as: Blade.self).maker == "W7")
    let company = try container.object("company", as: Company.self)
    #expect(company.ages == [7])
    #expect(company.banners == ["a": "7"])
    #expect(company.captain?.age == 7)
  }
}
