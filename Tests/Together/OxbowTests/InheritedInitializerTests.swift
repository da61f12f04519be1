import Oxbow
import Testing

/// What a described class inherits (W6), and nil in files (W11).
@Suite struct InheritedInitializerTests {
  private func object<T>(_ type: T.Type, _ content: String, class name: String? = nil) throws -> T {
    let builder = ContainerBuilder()
    try builder.load(
      text: """
        <container><object id="it" class="\(name ?? "\(T.self)")" singleton="false">\(content)\
        </object></container>
        """)
    return try builder.build().object("it", as: type)
  }

  private func failure(_ name: String, _ content: String, callback: String = "") throws -> String {
    let builder = ContainerBuilder()
    try builder.load(
      text: """
        <container><object id="it" class="\(name)" singleton="false"\(callback)>\(content)\
        </object></container>
        """)
    return builder.check().problems.map(\.description).joined(separator: "\n")
  }

  @Test func `W6 a class has the described initializers that it inherits`() throws {
    let screen = try object(SecondScreen.self, #"<property name="nibName" value="Main"/>"#)
    #expect(screen.nibName == "Main")
    #expect(screen.bundle == nil)
    let whole = try object(
      SecondScreen.self,
      #"<property name="nibName" value="Main"/><property name="bundle" value="App"/>"#)
    #expect(whole.bundle == "App")
    #expect(whole.extra == 1)
    let other = try object(
      SecondScreen.self,
      #"<initializer method="init(number:)"/><property name="number" value="3"/>"#)
    #expect(other.nibName == "3 of 10")
  }

  @Test func `W6 they are inherited over several classes, with their defaults`() throws {
    let third = try object(
      ThirdScreen.self,
      #"<property name="number" value="3"/><property name="of" value="4"/>"#)
    #expect(third.nibName == "3 of 4")
    #expect(try object(ThirdScreen.self, #"<property name="number" value="3"/>"#).extra == 1)
  }

  @Test func `W6 a class that declares an initializer has its own ones only, and hands them on`()
    throws
  {
    #expect(try object(FirmScreen.self, #"<property name="firm" value="A"/>"#).firm == "A")
    #expect(try object(BranchScreen.self, #"<property name="firm" value="B"/>"#).firm == "B")
    let text = try failure("BranchScreen", #"<property name="nibName" value="Main"/>"#)
    #expect(text.contains("has no property named \"nibName\""))
  }

  @Test func `W6 callbacks of a described base are inherited`() throws {
    let builder = ContainerBuilder()
    try builder.load(
      text: """
        <container><object id="it" class="ThirdScreen" singleton="false"
          after-injection="loadView"><property name="number" value="1"/></object></container>
        """)
    #expect(try builder.build().object("it", as: ThirdScreen.self).isLoaded)
  }

  @Test func `W6 what a class inherits from one that is not described is named in the error`()
    throws
  {
    let hint =
      "; what ForeignChild inherits from Foreign is not known: mark Foreign @Component, or write "
    #expect(
      try failure("ForeignChild", #"<property name="name" value="x"/>"#)
        .contains(hint + "override init in ForeignChild"))
    #expect(
      try failure("ForeignChild", #"<initializer method="init(name:)"/>"#)
        .contains(hint + "override init in ForeignChild"))
    #expect(
      try failure("ForeignHeir", "", callback: #" after-injection="wake""#)
        .contains("override func wake() in ForeignHeir"))
    #expect(
      try failure("ForeignHeir", #"<property name="hue" value="1"/>"#)
        .contains("override var hue in ForeignHeir"))
  }

  @Test func `E3 a property whose type is that of a new value is known`() throws {
    #expect(
      Inferred.componentDescriptor.propertyNames == ["point", "names", "ages", "motto", "text"])
    let inferred = try object(
      Inferred.self,
      """
      <property name="names"><list><value>a</value></list></property>
      <property name="motto" value="m"/>
      """)
    #expect(inferred.names == ["a"])
    #expect(inferred.motto == "m")
    #expect(inferred.members == [1])
  }

  @Test func `W11 an optional parameter may be left out or be nil`() throws {
    #expect(try object(Named.self, #"<property name="name" value="x"/>"#).number == nil)
    let null = #"<property name="number"><null/></property><property name="name" value="x"/>"#
    #expect(try object(Named.self, null).number == nil)
    let given = #"<property name="number" value="3"/><property name="name" value="x"/>"#
    #expect(try object(Named.self, given).number == 3)
    let list = #"<property name="tags"><list><value>t</value></list></property>"#
    #expect(try object(Named.self, given + list).tags == ["t"])
    #expect(
      try object(
        Named.self,
        #"<initializer method="init(number:name:tags:)"/><property name="name" value="y"/>"#
      ).name == "y")
  }

  @Test func `W11 an optional property is nil after it was something`() throws {
    let null = #"<property name="text"><null/></property>"#
    #expect(try object(Defaults.self, null).text == nil)
    #expect(try object(Defaults.self, "").text == "something")
    let elements = #"<property name="numbers"><list><value>1</value><null/></list></property>"#
    #expect(try object(Defaults.self, elements).numbers == [1, nil])
  }

  @Test func `W11 nil for what cannot be nil is a problem`() throws {
    let text = try failure("Named", #"<property name="name"><null/></property>"#)
    #expect(text.contains(#"object "it", property "name" cannot be nil"#))
    #expect(text.contains("declare it as String?"))
    let element = try failure(
      "Named",
      #"<property name="name" value="x"/><property name="tags"><list><null/></list></property>"#)
    #expect(element.contains("cannot be nil"))
  }

  @Test func `W11 property lists and Typhoon's files say nil`() throws {
    let builder = ContainerBuilder()
    try builder.load(
      text: """
        <assembly><component key="it" class="Defaults"><property name="text"><null/></property>\
        </component></assembly>
        """)
    #expect(try builder.build().object("it", as: Defaults.self).text == nil)
  }

  @Test(
    arguments: [
      ("12", true), ("1", true), ("0", false), ("YES", true), ("no", false), ("true", true),
      ("false", false), (" +007", true), ("-0", false), ("T", true), ("n", false), ("1e3", true),
    ])
  func `W5 Typhoon's files read truth values as boolValue does`(text: String, value: Bool) throws {
    let builder = ContainerBuilder()
    try builder.load(
      text: """
        <assembly xmlns="http://www.typhoonframework.org/schema/assembly">
          <component class="Flagged" key="k"><property name="flag" value="\(text)"/></component>
          <component class="Flagged" key="i">
            <initializer selector="initWithFlag:"><argument index="0" value="\(text)"/></initializer>
          </component>
        </assembly>
        """)
    let container = try builder.build()
    #expect(try container.object("k", as: Flagged.self).flag == value)
    #expect(try container.object("i", as: Flagged.self).flag == value)
  }

  @Test func `W5 a text that means nothing is refused, and 1 and 0 are truth values everywhere`()
    throws
  {
    let typhoon = ContainerBuilder()
    try typhoon.load(
      text: """
        <assembly><component class="Flagged" key="k"><property name="flag" value="maybe"/>\
        </component></assembly>
        """)
    #expect(
      typhoon.check().problems.map(\.message) == [
        #"object "k", property "flag": "maybe" is not a Bool"#
      ])
    #expect(try object(Flagged.self, #"<property name="flag" value="1"/>"#).flag == true)
    #expect(try object(Flagged.self, #"<property name="flag" value="0"/>"#).flag == false)
    #expect(
      try failure("Flagged", #"<property name="flag" value="12"/>"#)
        .contains("true, false, yes, no, 1 or 0"))
  }
}

@Component class Screen {
  let nibName: String
  let bundle: String?
  private(set) var isLoaded = false

  init(nibName: String, bundle: String?) { (self.nibName, self.bundle) = (nibName, bundle) }

  convenience init(number: Int, of count: Int = 10) {
    self.init(nibName: "\(number) of \(count)", bundle: nil)
  }

  func loadView() { isLoaded = true }
}

@Component class SecondScreen: Screen { var extra = 1 }

@Component final class ThirdScreen: SecondScreen {}

@Component class FirmScreen: Screen {
  let firm: String

  init(firm: String) {
    self.firm = firm
    super.init(nibName: firm, bundle: nil)
  }
}

@Component final class BranchScreen: FirmScreen {}

class Foreign {
  let name: String
  var hue = 0
  init(name: String) { self.name = name }
  func wake() {}
}

@Component final class ForeignChild: Foreign {}

@Component final class ForeignHeir: Foreign {
  init() { super.init(name: "heir") }
}

struct InferredPoint: Equatable { var x = 0 }

@Component final class Inferred {
  var point = InferredPoint()
  var names = [String]()
  var ages = Set<Int>(minimumCapacity: 3)
  var motto = Optional<String>.none
  var text = "text"
  var members: Set = [1]
  var other = [1].first
}

@Component final class Named {
  let number: Int?
  let name: String
  let tags: [String]?

  init(number: Int?, name: String, tags: [String]?) {
    (self.number, self.name, self.tags) = (number, name, tags)
  }
}

@Component final class Defaults {
  var text: String? = "something"
  var numbers: [Int?] = []
}

@Component final class Flagged {
  var flag = false

  init() {}
  init(flag: Bool) { self.flag = flag }
}
