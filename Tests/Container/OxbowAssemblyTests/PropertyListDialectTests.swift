import OxbowAssembly
import OxbowContainer
import OxbowDocuments
import OxbowTestSupport
import Testing

@Suite struct PropertyListDialectTests {
  /// A list whose objects begin in line 5.
  private func list(_ objects: String) -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
    <plist version="1.0"><dict>
    <key>objects</key><dict>
    \(objects)
    </dict></dict></plist>
    """
  }

  private func object(_ parts: String) throws -> ObjectDefinition {
    let document = try document(list("<key>a</key><dict>\(parts)</dict>"))
    #expect(document.problems.map(\.short) == [])
    return try #require(document.definitions.first)
  }

  @Test func `definitions are under the names of their objects`() throws {
    let document = try document(
      list(
        """
        <key>knight</key><dict>
          <key>class</key><string>Knight</string>
          <key>description</key><string> A
            knight. </string>
        </dict>
        <key>quest</key>
        <dict><key>class</key><string>Quest</string><key>scope</key><string>prototype</string></dict>
        """))
    #expect(document.problems.isEmpty)
    #expect(document.dialect == "property list")
    #expect(document.definitions.map(\.name) == ["knight", "quest"])
    #expect(document.definitions.map(\.className) == ["Knight", "Quest"])
    #expect(document.definitions.map(\.scope) == ["singleton", "prototype"])
    #expect(document.definitions.map(\.location?.line) == [5, 10])
    #expect(document.definitions.map(\.classLocation?.line) == [6, 11])
    #expect(document.definitions[0].summary == "A knight.")
  }

  @Test func `W11 nil is a dictionary with null, in properties, arguments, lists and maps`() throws
  {
    let null = "<dict><key>null</key><true/></dict>"
    let definition = try object(
      """
      <key>class</key><string>A</string>
      <key>initializer</key><dict>
        <key>method</key><string>init(a:)</string>
        <key>arguments</key><dict><key>a</key>\(null)</dict>
      </dict>
      <key>properties</key><dict>
        <key>b</key>\(null)
        <key>c</key><dict><key>list</key><array>\(null)</array></dict>
        <key>d</key><dict><key>map</key><dict><key>k</key>\(null)</dict></dict>
      </dict>
      """)
    #expect(definition.initializer?.arguments.short == "a: nil")
    #expect(definition.properties.short.contains("b: nil"))
    #expect(definition.properties.short.contains("[nil]"))
    #expect(definition.properties.short.contains("{k: nil}"))
    let wrong = try document(
      list(
        """
        <key>a</key><dict><key>class</key><string>A</string><key>properties</key><dict>
          <key>b</key><dict><key>null</key><string>yes</string></dict>
        </dict></dict>
        """))
    #expect(!wrong.problems.isEmpty)
  }

  @Test func `all parts of a definition can be said`() throws {
    let definition = try object(
      """
      <key>lazy</key><true/><key>eager</key><false/><key>abstract</key><true/>
      <key>parent</key><string>base</string><key>factory</key><string>smith</string>
      <key>initializer</key><dict>
        <key>method</key><string>sword(colour:)</string>
        <key>static</key><false/>
        <key>arguments</key><dict><key>colour</key><string>blue</string></dict>
      </dict>
      <key>properties</key><dict>
        <key>b</key><dict><key>ref</key><string>b</string></dict>
        <key>a</key><string>1</string>
      </dict>
      <key>beforeInjection</key><string>mount</string>
      <key>afterInjection</key><string>ride</string>
      <key>product</key><dict>
        <key>class</key><string>Sword</string>
        <key>properties</key><dict><key>owner</key><string>Arthur</string></dict>
      </dict>
      """)
    #expect(definition.isLazy && !definition.isEager && definition.isAbstract)
    #expect(definition.parent == "base")
    #expect(definition.factoryComponent == "smith")
    #expect(definition.initializer?.short == "sword(colour: \"blue\") not static")
    #expect(definition.properties.short == "b: @b; a: \"1\"")
    #expect(definition.properties.map(\.location?.line) == [13, 14])
    #expect(definition.methodBeforeInjection == "mount")
    #expect(definition.methodAfterInjection == "ride")
    #expect(definition.product?.className == "Sword")
    #expect(definition.product?.properties.short == "owner: \"Arthur\"")
  }

  @Test(arguments: [
    ("<string> x </string>", "\" x \""),
    ("<integer>12</integer>", "\"12\""),
    ("<real>13.75</real>", "\"13.75\""),
    ("<true/>", "\"true\""),
    ("<false/>", "\"false\""),
    ("<date>2001-01-01T00:00:00Z</date>", "\"2001-01-01T00:00:00Z\""),
    ("<data>AAEC</data>", "\"AAEC\""),
    ("<dict><key>ref</key><string>b</string></dict>", "@b"),
    ("<dict><key>value</key><string></string></dict>", "\"\""),
    (
      "<dict><key>type</key><string>URL</string><key>value</key><string>x</string></dict>",
      "\"x\" as URL"
    ),
    ("<dict><key>autowired</key><true/></dict>", "by type"),
    ("<array><integer>1</integer><array/></array>", "[\"1\", []]"),
    (
      "<dict><key>list</key><array><dict><key>ref</key><string>b</string></dict></array></dict>",
      "[@b]"
    ),
    (
      "<dict><key>map</key><dict><key>x</key><true/><key>y</key><array/></dict></dict>",
      "{x: \"true\", y: []}"
    ),
    (
      "<dict><key>object</key><dict><key>class</key><string>B</string></dict></dict>",
      "B() prototype"
    ),
  ])
  func `what a property can be set to`(value: String, expected: String) throws {
    let definition = try object(
      """
      <key>class</key><string>A</string>
      <key>properties</key><dict><key>x</key>\(value)</dict>
      """)
    #expect(definition.properties.short == "x: \(expected)")
  }

  @Test func `every mistake is reported at its key`() throws {
    #expect(
      try faults(
        list(
          """
          <key>a</key><string>A</string>
          <key>b</key><dict><key>klass</key><string>A</string></dict>
          <key>c</key><dict><key>class</key><integer>1</integer></dict>
          <key>d</key><dict><key>class</key><string>A</string>
            <key>lazy</key><string>true</string>
            <key>properties</key><array/>
            <key>initializer</key><dict><key>static</key><true/></dict>
            <key>product</key><true/>
          </dict>
          <key>e</key><dict><key>class</key><string>A</string>
            <key>properties</key><dict>
              <key>x</key><dict/>
              <key>y</key><dict><key>reference</key><string>a</string></dict>
              <key>z</key><dict><key>ref</key><string>a</string><key>value</key><string>b</string></dict>
              <key>q</key><dict><key>ref</key><string>a</string><key>type</key><string>b</string></dict>
              <key>r</key><array><dict><key>ref</key><true/></dict></array>
              <key></key><true/>
            </dict>
            <key>initializer</key><dict><key>method</key><string>init(x:y:)</string>
              <key>arguments</key><dict><key>z</key><true/></dict></dict>
          </dict>
          <key>f</key><dict><key>factory</key><string>d</string></dict>
          <key>g</key><dict><key>class</key><string>A</string><key>lazy</key><true/><key>eager</key><true/></dict>
          """)) == [
          "5:1: the value of \"a\" is of the wrong kind",
          "6:19: key \"klass\" means nothing in object \"b\"",
          "6:1: object \"b\" lacks \"class\"",
          "7:19: the value of \"class\" is of the wrong kind",
          "9:3: the value of \"lazy\" is of the wrong kind",
          "11:3: an initializer lacks \"method\"",
          "10:3: the value of \"properties\" is of the wrong kind",
          "12:3: the value of \"product\" is of the wrong kind",
          "24:31: key \"z\" means nothing in \"init(x:y:)\"",
          "16:5: property \"x\" is set to a dictionary that does not say what it is",
          "17:5: property \"y\" is set to a dictionary that does not say what it is",
          "18:5: property \"z\" is set to a dictionary that does not say what it is",
          "19:55: key \"type\" means nothing in property \"q\"",
          "20:30: the value of \"ref\" is of the wrong kind",
          "21:5: a key is empty",
          "26:1: object \"f\" names a factory and no method of it",
          "27:1: object \"g\" is both lazy and eager",
        ])
  }

  @Test func `the list is a dictionary with objects`() throws {
    #expect(try faults("<plist><array/></plist>") == ["1:8: the property list is not a dictionary"])
    #expect(
      try faults("<plist>\n<dict/></plist>") == ["2:1: the property list defines no objects"])
    #expect(
      try faults(
        "<plist><dict>\n<key>objects</key><array/>\n<key>object</key><true/></dict></plist>")
        == [
          "3:1: key \"object\" means nothing in the list",
          "2:1: the value of \"objects\" is of the wrong kind",
        ])
  }

  @Test func `review D22: a list that is no wiring is one problem, which shows its keys`() throws {
    let scene =
      "<plist>\n<dict><key>version</key><string>1</string><key>Node</key>"
      + "<dict><key>class</key><string>Button</string><key>title</key><integer>1</integer></dict>"
      + "<key>objcts</key><dict/><key>c</key><true/><key>d</key><true/><key>e</key><true/>"
      + "</dict></plist>"
    let found = try document(scene).problems
    #expect(found.map(\.short) == ["2:1: the property list defines no objects"])
    #expect(
      found.first?.seen
        == "a dictionary with \"version\", \"Node\", \"objcts\", \"c\", \"d\" and 1 more")
    #expect(found.first?.nearNames == ["objects"])
  }

  @Test func `TY-22 placeholders may be beside a list too`() throws {
    let document = try document(
      """
      <plist><dict>
        <key>description</key><string>d</string>
        <key>placeholders</key><array>
          <string>a.properties</string><integer>1</integer></array>
        <key>objects</key><dict/>
      </dict></plist>
      """, file: "wiring/list.plist")
    #expect(document.placeholderFiles.map(\.path) == ["wiring/a.properties"])
    #expect(document.summary == "d")
    #expect(
      document.problems.map(\.short) == [
        "4:34: an element of \"placeholders\" is of the wrong kind"
      ])
  }

  @Test func `a list is recognised by what is in it, and makes one container with XML`() throws {
    let folder = try TemporaryFolder()
    let list = try folder.write(
      list(
        """
        <key>executor</key><dict>
          <key>class</key><string>ServiceExecutorImpl1</string>
          <key>properties</key><dict>
            <key>service</key><dict><key>ref</key><string>service</string></dict>
            <key>attempts</key><integer>3</integer>
          </dict>
        </dict>
        """), to: "list.xml")
    #expect(try AssemblyDocument(contentsOf: list).dialect == "property list")
    let builder = ContainerBuilder()
    builder.register(ExampleServiceImpl2.self)
    builder.register(ServiceExecutorImpl1.self)
    try builder.load(list)
    try builder.load(
      text: "<container><object id='service' class='ExampleServiceImpl2'/></container>")
    try builder.load(text: self.list(""))
    let executor = try builder.build().object("executor", as: ServiceExecutorImpl1.self)
    #expect(executor.attempts == 3)
    #expect(executor.service != nil)
  }
}
