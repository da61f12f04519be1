import OxbowAssembly
import OxbowTestSupport
import Testing

/// A mistake that is planted in a copy of a sound document.
///
/// The line that the report has to name is found in the text: that of the element around the
/// change.
struct PlantedDefect: Sendable, CustomTestStringConvertible {
  /// What the report says.
  let what: String
  /// Returns the document with the mistake, and where in it the faulty element starts.
  let plant: @Sendable (String) -> (text: String, start: String.Index)?

  var testDescription: String { what }

  /// Replaces the first occurrence outside of comments.
  static func replacing(_ old: String, with new: String, _ what: String) -> PlantedDefect {
    PlantedDefect(what: what) { text in
      guard let place = firstRange(of: old, in: text) else { return nil }
      let changed = text.replacingCharacters(in: place, with: new)
      let prefix = text[..<place.lowerBound] + old.prefix { $0 == "<" }
      guard let open = prefix.lastIndex(of: "<") else { return nil }
      return (changed, changed.index(atUTF8: prefix[..<open].utf8.count))
    }
  }

  /// Inserts a last element into the root; `@` means the first value of an attribute.
  static func appending(
    _ element: String, copying attribute: String = "", _ what: String
  ) -> PlantedDefect {
    PlantedDefect(what: what) { text in
      guard let end = text.range(of: "</", backwards: true)?.lowerBound else { return nil }
      var copied = ""
      if !attribute.isEmpty {
        guard let start = firstRange(of: " \(attribute)=\"", in: text)?.upperBound else {
          return nil
        }
        copied = String(text[start...].prefix { $0 != "\"" })
      }
      let changed = text.replacingCharacters(
        in: end..<end, with: element.replacing("@", with: copied) + "\n")
      return (changed, changed.index(atUTF8: text[..<end].utf8.count))
    }
  }

  private static func firstRange(of part: String, in text: String) -> Range<String.Index>? {
    var rest = text[...]
    while let found = rest.firstRange(of: part) {
      let before = text[..<found.lowerBound]
      let opened = before.ranges(of: "<!--").last?.lowerBound
      let closed = before.ranges(of: "-->").last?.lowerBound
      guard let opened, closed.map({ $0 < opened }) ?? true else { return found }
      rest = rest[found.upperBound...]
    }
    return nil
  }
}

extension String {
  fileprivate func replacingCharacters(in range: Range<Index>, with new: String) -> String {
    String(self[..<range.lowerBound]) + new + self[range.upperBound...]
  }

  fileprivate func range(of part: String, backwards: Bool) -> Range<Index>? {
    ranges(of: part).last
  }

  fileprivate func index(atUTF8 count: Int) -> Index { utf8.index(startIndex, offsetBy: count) }
}

// MARK: - Sound documents

/// A kind of document with a sound example of our own, the samples of that kind, and defects.
struct SoundDocument: Sendable, CustomTestStringConvertible {
  let dialect: String
  let text: String
  /// The folder of the samples of this kind.
  let samples: String?
  let defects: [PlantedDefect]

  var testDescription: String { dialect }

  static let all = [oxen, entities, typhoon, propertyList]

  static let oxen = SoundDocument(
    dialect: "Oxen XML",
    text: """
      <contanier>
        <!-- <object id="commented" class="Out"/> -->
        <object id="clock" class="Clock" lazy="false"/>
        <object
            id="bell" class="Bell">
          <property name="clock" ref="clock"/>
        </object>
      </contanier>
      """, samples: "oxeniphonecommons",
    defects: [
      .replacing(" ref=\"", with: " ref=\"no-", "there is no object named \"no-"),
      .replacing(" ref=\"", with: " value=\"x\" ref=\"", "has more than one content"),
      .replacing(" ref=\"", with: " reff=\"", "has no attribute \"reff\""),
      .replacing(" name=\"", with: " nam=\"", "has no name"),
      .replacing(" class=\"", with: " klass=\"", "has no class"),
      .replacing("id=\"", with: "key=\"", "has no id"),
      .replacing("id=\"", with: "id=\"twice\" id=\"", "cannot be read"),
      .replacing("lazy=\"false\"", with: "lazy=\"no\"", "neither true nor false"),
      .replacing(" class=\"", with: " scope=\"request\" class=\"", "there is no scope \"request\""),
      .replacing(
        " class=\"", with: " scope=\"thread\" singleton=\"true\" class=\"", "says its scope twice"),
      .replacing(" class=\"", with: " parent=\"none\" class=\"", "there is no parent \"none\""),
      .replacing(" class=\"", with: " factory=\"x\" class=\"", "names a factory and no method"),
      .replacing("<property", with: "<proparty/><property", "<proparty> means nothing"),
      .appending("<object id=\"@\" class=\"X\"/>", copying: "id", "is defined twice"),
      .appending("<entity id=\"x\" class=\"X\"/>", "is in a document of objects"),
      .appending("</object>", "cannot be read"),
      .appending("<object id=\"x\" parent=\"x\"/>", "is its own parent"),
    ])

  static let entities = SoundDocument(
    dialect: "IVEngine XML",
    text: """
      <?xml version="1.0" encoding="UTF-8"?>
      <contanier>
        <entity id="queen" class="Queen" singleton="true">
          <property name="name" stringValue="Maude"></property>
          <property name="age" numberValue="33"></property>
        </entity>
        <entity id="hive" class="Hive">
          <property name="queen" ref="queen"></property>
        </entity>
        <aop:config>
          <!-- <aspect id="a" class="A"><joinpoint expression="class||*||(*)"/></aspect> -->
          <aspect id="log" class="Log">
            <joinpoint expression="class||Queen||(fly)"></joinpoint>
            <joinpoint
              expression="object||*||(hum)"></joinpoint>
            <joinpoint expression="object||queen,hive||(hum),(fly:to:)"></joinpoint>
          </aspect>
        </aop:config>
      </contanier>
      """, samples: "IVEngine",
    defects: [
      .replacing(" ref=\"", with: " ref=\"no-", "there is no object named \"no-"),
      .replacing(" stringValue=\"", with: " numberValue=\"", "is not a number"),
      .replacing(" numberValue=\"", with: " ref=\"x\" numberValue=\"", "more than one content"),
      .replacing(" numberValue=\"", with: " value=\"", "has no attribute \"value\""),
      .replacing(" singleton=\"true\"", with: " singleton=\"YES\"", "neither true nor false"),
      .replacing("<entity id=\"", with: "<entity name=\"", "has no id"),
      .replacing("\"object||", with: "\"objekt||", "there is no kind \"objekt\""),
      .replacing("||(", with: "||", "is not in parentheses"),
      .replacing("\"class||", with: "\"class||No", "no object is of class \"No"),
      .replacing("\"object||*", with: "\"object||nobody", "there is no object named \"nobody\""),
      .replacing("\"object||*||", with: "\"object||", "there are 2 parts"),
      .replacing("),(", with: "),,(", "a method has no name"),
      .replacing("<joinpoint expression", with: "<joinpoint text", "has no expression"),
      .replacing("<aspect id=\"", with: "<aspect name=\"", "<aspect> has no id"),
      .appending("<object id=\"x\" class=\"X\"/>", "is in a document of entities"),
      .appending("<entity id=\"@\" class=\"X\"/>", copying: "id", "is defined twice"),
    ])

  static let typhoon = SoundDocument(
    dialect: "Typhoon XML",
    text: """
      <assembly xmlns="http://www.typhoonframework.org/schema/assembly"
          xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
          xsi:schemaLocation="http://www.typhoonframework.org/schema/assembly assembly.xsd">
        <description>A bakery.</description>
        <component class="Baker" key="baker" scope="prototype" after-property-injection="knead">
          <initializer selector="initWithOven:heat:">
            <argument parameterName="oven" ref="oven"/>
            <argument
              index="1" value="220.5"/>
          </initializer>
          <property name="loaves" value="12"><description>A dozen.</description></property>
          <property name="friends">
            <collection><ref>oven</ref>
              <value requiredType="NSString">mary</value></collection>
          </property>
        </component>
        <component class="Oven" key="oven" scope="singleton"/>
        <component class="Pan" key="pan">
          <initializer selector="panWithName:" is-class-method="yes">
            <argument parameterName="name" value="big" required-class="NSString"/>
          </initializer>
        </component>
        <component class="Bread" key="bread" factory-component="baker">
          <initializer selector="bake"/>
        </component>
      </assembly>
      """, samples: "Typhoon-1.8.2",
    defects: [
      .replacing(" ref=\"", with: " ref=\"no-", "there is no object named \"no-"),
      .replacing("<ref>", with: "<ref>no-", "there is no object named \"no-"),
      .replacing(" ref=\"", with: " value=\"x\" ref=\"", "more than one content"),
      .replacing("<component class=\"", with: "<component klass=\"", "has no class"),
      .replacing(" scope=\"", with: " scope=\"no", "there is no scope \"no"),
      .replacing(" scope=\"", with: " lazy-init=\"maybe\" scope=\"", "neither true nor false"),
      .replacing(" selector=\"", with: " selector=\"2", "is not a name of a method"),
      .replacing(" selector=\"", with: " selektor=\"", "has no selector"),
      .replacing(" parameterName=\"", with: " parameterName=\"no", "has no parameter named \"no"),
      .replacing(" parameterName=\"", with: " index=\"0\" parameterName=\"", "says twice"),
      .replacing(" parameterName=\"", with: " name=\"", "does not say which parameter"),
      .replacing("index=\"1\"", with: "index=\"7\"", "has no parameter number 7"),
      .replacing("index=\"1\" value", with: "index=\"1\" val", "neither a reference nor a value"),
      .replacing(
        "<argument", with: "<argument index=\"0\" value=\"1\"/><argument", "has two arguments"),
      .replacing(
        "is-class-method=\"yes\"", with: "is-class-method=\"perhaps\"", "neither true nor"),
      .replacing(
        "factory-component=\"", with: "factory-component=\"no-", "factory component: there is no"),
      .replacing("<value requiredType=\"", with: "<value type=\"", "<value> has no requiredType"),
      .replacing("<collection>", with: "<collection><item/>", "means nothing in <collection>"),
      .replacing("<collection>", with: "<collection kind=\"x\">", "has no attribute \"kind\""),
      .replacing("xsi:schemaLocation", with: "xs:schemaLocation", "a prefix without a namespace"),
      .replacing(" key=\"", with: " key=\"\" kay=\"", "<component> has no key"),
      .replacing(" key=\"", with: " parent=\"none\" key=\"", "there is no parent \"none\""),
      .replacing("<property ", with: "<property/><property ", "has no name"),
      .appending("<component class=\"X\" key=\"@\"/>", copying: "key", "is defined twice"),
      .appending("<property-placeholder location=\"\"/>", "has no location"),
      .appending("<component class=\"X\" class=\"X\"/>", "cannot be read"),
      .appending("<component key=\"x1\" parent=\"x1\"/>", "is its own parent"),
      .appending("<komponent/>", "means nothing in <assembly>"),
    ])

  static let propertyList = SoundDocument(
    dialect: "property list",
    text: """
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <plist version="1.0"><dict>
      <key>objects</key><dict>
        <key>oven</key><dict>
          <key>class</key><string>Oven</string>
        </dict>
        <key>baker</key><dict>
          <key>class</key><string>Baker</string>
          <key>scope</key><string>prototype</string>
          <key>initializer</key><dict>
            <key>method</key><string>init(oven:)</string>
            <key>arguments</key><dict>
              <key>oven</key><dict><key>ref</key><string>oven</string></dict>
            </dict>
          </dict>
          <key>properties</key><dict>
            <key>loaves</key><integer>12</integer>
          </dict>
        </dict>
      </dict>
      </dict></plist>
      """, samples: nil,
    defects: [
      .replacing("<key>class</key><string>Oven", with: "<key>klass</key><string>Oven", "\"klass\""),
      .replacing("<key>scope</key>", with: "<key>lazy</key>", "the value of \"lazy\""),
      .replacing("<key>method</key><string>", with: "<key>method</key><string>1", "wrong kind"),
      .replacing("<key>loaves</key><integer>", with: "<key>loaves</key><dict/><integer>", "read"),
      .replacing("<key>loaves</key><integer>12", with: "<key></key><integer>12", "a key is empty"),
      .replacing("<key>oven</key><dict><key>ref", with: "<key>own</key><dict><key>ref", "\"own\""),
    ])
}
