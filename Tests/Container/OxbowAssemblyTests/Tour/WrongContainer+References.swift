import OxbowAssembly
import OxbowContainer

extension WrongContainer {
  /// Names that lead nowhere, twice to one place, or round in a circle.
  static let references: [WrongContainer] = [
    WrongContainer(
      "missing-reference",
      xml: """
        <container>
          <object id="grail" class="Grail"/>
          <object id="squire" class="Knight" scope="prototype">
            <property name="rival" ref="knight"/>
          </object>
          <object id="knight" class="Knight" scope="prototype">
            <property name="quest" ref="grial"/>
          </object>
        </container>
        """),
    WrongContainer("defined-twice-in-two-files") { builder in
      let text = "<container>\n  <object id=\"grail\" class=\"Grail\"/>\n</container>"
      try builder.load(text: text, file: "quests.xml")
      try builder.load(text: text, file: "relics.xml")
      _ = try builder.build()
    },
    WrongContainer("defined-in-code-and-in-a-file") { builder in
      builder.singleton(named: "grail", Court.Grail.init, file: "App/Wiring.swift", line: 7)
      try builder.load(
        text: "<container><object id=\"grail\" class=\"Grail\"/></container>", file: "wiring.xml"
      )
      _ = try builder.build()
    },
    WrongContainer("no-name", ObjectDefinition("", class: "Grail", at: line(2))),
    WrongContainer("circle-of-initializers") { builder in
      builder.singleton(
        named: "king", { (_: Court.Throne) in Court.Throne() }, Ref<Court.Throne>("queen"),
        file: "App/Wiring.swift", line: 3)
      builder.singleton(
        named: "queen", { (_: Court.Throne) in Court.Throne() }, Ref<Court.Throne>("regent"),
        file: "App/Wiring.swift", line: 4)
      builder.singleton(
        named: "regent", { (_: Court.Throne) in Court.Throne() }, Ref<Court.Throne>("king"),
        file: "App/Wiring.swift", line: 5)
      _ = try builder.build()
    },
    WrongContainer(
      "circle-of-initializers-in-a-file",
      xml: """
        <container>
          <object id="lord" class="Knight" scope="prototype">
            <property name="liege" ref="vassal"/>
          </object>
          <object id="vassal" class="Knight" scope="prototype">
            <property name="liege" ref="lord"/>
          </object>
        </container>
        """),
    WrongContainer("chain-too-long") { builder in
      builder.prototype(named: "0", { Court.Throne() }, file: "App/Wiring.swift", line: 1)
      for number in 1...500 {
        builder.prototype(
          named: "\(number)", { (_: Court.Throne) in Court.Throne() },
          Ref<Court.Throne>("\(number - 1)"), file: "App/Wiring.swift", line: 1 + number)
      }
      _ = try builder.build()
    },
    WrongContainer(
      "unknown-scope",
      ObjectDefinition("grail", class: "Grail", scope: "singelton", at: line(2))),
    WrongContainer(
      "cyclic-proxies",
      xml: """
        <container>
          <object id="echo" class="LazyProxyFactory">
            <property name="factoryObject" ref="answer"/>
          </object>
          <object id="answer" class="LazyProxyFactory">
            <property name="factoryObject" ref="echo"/>
          </object>
        </container>
        """),
  ]
}
