import OxbowAssembly
import OxbowContainer

extension WrongContainer {
  /// Objects in hands that must not have them.
  static let sharing: [WrongContainer] = [
    WrongContainer(
      "shared-and-not-sendable",
      xml: """
        <container>
          <object id="knight" class="Knight"/>
        </container>
        """),
    WrongContainer(
      "place-for-sendable-objects",
      xml: """
        <container>
          <object id="dragon" class="Dragon" scope="prototype"/>
          <object id="knight" class="Knight" scope="prototype">
            <property name="sworn" ref="dragon"/>
          </object>
        </container>
        """),
    WrongContainer("kept-by-a-shared-object") { builder in
      builder.singleton(
        named: "throne", { (_: Court.Grail) in Court.Throne() }, Ref<Court.Grail>("grail"),
        file: "App/Wiring.swift", line: 9)
      builder.add(ObjectDefinition("grail", class: "Grail", scope: "thread", at: line(2)))
      _ = try builder.build()
    },
    WrongContainer("provider-of-a-thread-object") { builder in
      let grail = builder.prototype(
        named: "grail", in: .thread, Court.Grail.init, file: "App/Wiring.swift", line: 8)
      builder.singleton(
        named: "throne", { (_: Provider<Court.Grail>) in Court.Throne() }, grail.provider,
        file: "App/Wiring.swift", line: 9)
      _ = try builder.build()
    },
    WrongContainer("lazy-proxy-of-a-thread-object") { builder in
      let grail = builder.prototype(
        named: "grail", in: .thread, Court.Grail.init, file: "App/Wiring.swift", line: 8)
      builder.proxy(
        named: "herald", .lazy, of: grail, as: HeraldProxy.self, file: "App/Wiring.swift", line: 9)
      _ = try builder.build()
    },
  ]
}
