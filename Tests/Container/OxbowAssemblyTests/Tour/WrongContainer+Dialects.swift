import OxbowAssembly
import OxbowContainer

extension WrongContainer {
  /// Mistakes in the other kinds of wiring files.
  static let dialects: [WrongContainer] = [
    WrongContainer(
      "typhoon-reference-to-nothing",
      xml: """
        <assembly>
          <component key="grail" class="Grail" scope="singleton"/>
          <component key="lancelot" class="Knight" scope="prototype">
            <property name="quest">
              <collection><ref>grial</ref></collection>
            </property>
            <property name="rival" ref="galahad"/>
          </component>
        </assembly>
        """),
    WrongContainer(
      "typhoon-property-without-an-object-of-its-type",
      xml: """
        <assembly>
          <component key="lancelot" class="Knight" scope="prototype">
            <property name="sword"/>
          </component>
        </assembly>
        """),
    WrongContainer(
      "typhoon-selector-of-no-initializer",
      xml: """
        <assembly>
          <component key="lancelot" class="Knight" scope="prototype">
            <initializer selector="initWithLeige:">
              <argument parameterName="leige" ref="lancelot"/>
            </initializer>
          </component>
        </assembly>
        """),
    WrongContainer(
      "typhoon-reference-and-value",
      xml: """
        <assembly>
          <component key="lancelot" class="Knight" scope="prototype">
            <property name="name" ref="lancelot" value="Ada"/>
          </component>
        </assembly>
        """),
    WrongContainer(
      "typhoon-unknown-scope",
      xml: """
        <assembly>
          <component key="lancelot" class="Knight" scope="protoype"/>
        </assembly>
        """),
    WrongContainer("property-list-with-a-wrong-key") { builder in
      try builder.load(
        text: """
          <plist version="1.0"><dict><key>objects</key><dict>
            <key>lancelot</key><dict>
              <key>class</key><string>Knight</string>
              <key>scpoe</key><string>prototype</string>
            </dict>
          </dict></dict></plist>
          """, file: "wiring.plist")
      _ = try builder.build()
    },
    WrongContainer("property-list-with-a-wrong-value") { builder in
      try builder.load(
        text: """
          <plist version="1.0"><dict><key>objects</key><dict>
            <key>lancelot</key><dict>
              <key>class</key><string>Knight</string>
              <key>scope</key><string>prototype</string>
              <key>properties</key><dict>
                <key>age</key><true/>
              </dict>
            </dict>
          </dict></dict></plist>
          """, file: "wiring.plist")
      _ = try builder.build()
    },
    WrongContainer("property-list-that-is-none") { builder in
      try builder.load(
        text: "<plist version=\"1.0\"><array/></plist>", file: "wiring.plist")
      _ = try builder.build()
    },
  ]
}
