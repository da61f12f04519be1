import OxbowAssembly
import OxbowContainer

extension WrongContainer {
  /// Classes, properties, values and types that do not go together.
  static let classes: [WrongContainer] = [
    WrongContainer(
      "unknown-class",
      xml: """
        <container>
          <object id="knight" class="Kngiht"/>
        </container>
        """),
    WrongContainer("ambiguous-class") { builder in
      builder.register(Chess.Knight.self)
      try builder.load(
        text: """
          <container>
            <object id="knight" class="Knight" scope="prototype"/>
          </container>
          """, file: "wiring.xml")
      _ = try builder.build()
    },
    WrongContainer(
      "unknown-property",
      xml: """
        <container>
          <object id="knight" class="Knight" scope="prototype">
            <property name="nmae" value="Ada"/>
          </object>
        </container>
        """),
    WrongContainer(
      "property-set-twice",
      xml: """
        <container>
          <object id="knight" class="Knight" scope="prototype">
            <property name="name" value="Ada"/>
            <property name="name" value="Bo"/>
          </object>
        </container>
        """),
    WrongContainer(
      "wrong-type",
      xml: """
        <container>
          <object id="grail" class="Grail"/>
          <object id="knight" class="Knight" scope="prototype">
            <property name="rival" ref="grail"/>
          </object>
        </container>
        """),
    WrongContainer(
      "value-not-convertible",
      xml: """
        <container>
          <object id="knight" class="Knight" scope="prototype">
            <property name="age" value="twelve"/>
          </object>
        </container>
        """),
    WrongContainer(
      "no-such-case",
      xml: """
        <container>
          <object id="knight" class="Knight" scope="prototype">
            <property name="temper" value="feirce"/>
          </object>
        </container>
        """),
    WrongContainer(
      "no-converter",
      xml: """
        <container>
          <object id="knight" class="Knight" scope="prototype">
            <property name="banner" value="red"/>
          </object>
        </container>
        """),
    WrongContainer(
      "product-of-a-class-that-makes-none",
      xml: """
        <container>
          <object id="knight" class="Knight" scope="prototype">
            <product><property name="age" value="3"/></product>
          </object>
        </container>
        """),
    WrongContainer(
      "class-of-the-main-actor", ObjectDefinition("window", class: "Window", at: line(2))),
    WrongContainer(
      "lazy-without-a-proxy-class",
      ObjectDefinition("knight", class: "Knight", isLazy: true, at: line(2))),
    WrongContainer("several-proxy-classes") { builder in
      builder.registerProxy(CrierProxy.self)
      builder.add(ObjectDefinition("grail", class: "Grail", isLazy: true, at: line(2)))
      _ = try builder.build()
    },
    WrongContainer(
      "proxy-of-nothing",
      xml: """
        <container>
          <object id="herald" class="ThreadLocalProxyFactory">
            <property name="name" value="herald"/>
          </object>
        </container>
        """),
  ]
}
