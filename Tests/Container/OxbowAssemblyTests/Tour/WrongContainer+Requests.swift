import OxbowContainer

extension WrongContainer {
  /// Containers that are right, asked in a wrong way, and objects that fail.
  static let requests: [WrongContainer] = [
    WrongContainer("no-such-object") { builder in
      builder.singleton(named: "grail", Court.Grail.init, file: "App/Wiring.swift", line: 3)
      _ = try builder.build().object(
        "grial", as: Court.Grail.self, file: "App/Main.swift", line: 20)
    },
    WrongContainer("explanation-of-nothing") { builder in
      builder.singleton(named: "grail", Court.Grail.init, file: "App/Wiring.swift", line: 3)
      _ = try builder.build().explain("grial", file: "App/Main.swift", line: 20)
    },
    WrongContainer("asked-for-as-another-type") { builder in
      builder.singleton(named: "grail", Court.Grail.init, file: "App/Wiring.swift", line: 3)
      _ = try builder.build().object("grail", as: Court.Throne.self)
    },
    WrongContainer("asked-for-as-sendable") { builder in
      builder.prototype(named: "dragon", Court.Dragon.init, file: "App/Wiring.swift", line: 3)
      _ = try builder.build().object("dragon", as: (any Quest & Sendable).self)
    },
    WrongContainer("asked-for-out-of-its-thread") { builder in
      builder.prototype(
        named: "grail", in: .thread, Court.Grail.init, file: "App/Wiring.swift", line: 3)
      _ = try builder.build().object("grail", as: Court.Grail.self)
    },
    WrongContainer("reference-of-another-builder") { builder in
      let grail = builder.singleton(
        named: "grail", Court.Grail.init, file: "App/Wiring.swift", line: 3)
      _ = try ContainerBuilder().build().object(grail)
    },
    WrongContainer("constructor-that-throws") { builder in
      let grail = builder.singleton(
        named: "grail", { () throws -> Court.Grail in throw Court.Refusal("lost") },
        file: "App/Wiring.swift", line: 3)
      let throne = builder.singleton(
        named: "throne", { (_: Court.Grail) in Court.Throne() }, grail, file: "App/Wiring.swift",
        line: 4)
      builder.prototype(
        named: "king", { (_: Court.Throne) in Court.Knight() }, throne, file: "App/Wiring.swift",
        line: 5)
      _ = try builder.build().object("king", as: Court.Knight.self)
    },
    WrongContainer("constructor-that-waits-for-itself") { builder in
      builder.singleton(
        named: "king", { (queen: Provider<Court.Throne>) in Court.Throne(try queen()) },
        Ref<Court.Throne>("queen").provider, file: "App/Wiring.swift", line: 3)
      builder.singleton(
        named: "queen", { (king: Provider<Court.Throne>) in Court.Throne(try king()) },
        Ref<Court.Throne>("king").provider, file: "App/Wiring.swift", line: 4)
      _ = try builder.build().object("king", as: Court.Throne.self)
    },
    WrongContainer("construction-without-end") { builder in
      builder.prototype(
        named: "doll", { (inner: Provider<Court.Throne>) in Court.Throne(try inner()) },
        Ref<Court.Throne>("doll").provider, file: "App/Wiring.swift", line: 3)
      _ = try builder.build().object("doll", as: Court.Throne.self)
    },
    WrongContainer("closed-container") { builder in
      builder.prototype(named: "dragon", Court.Dragon.init, file: "App/Wiring.swift", line: 3)
      let container = try builder.build()
      container.close()
      _ = try container.object("dragon", as: Court.Dragon.self)
    },
    WrongContainer("object-that-cannot-be-disposed-of") { builder in
      builder.singleton(named: "moat", Court.Moat.init, file: "App/Wiring.swift", line: 3)
      let container = try builder.build()
      _ = try container.object("moat", as: Court.Moat.self)
      try container.shutDown()
    },
    WrongContainer("patch-of-nothing") { builder in
      builder.singleton(named: "grail", Court.Grail.init, file: "App/Wiring.swift", line: 3)
      _ = try builder.build().patched(file: "AppTests/Tests.swift", line: 6) {
        $0.replace("grial") { Court.Grail() }
      }
    },
    WrongContainer("patch-of-another-type") { builder in
      let grail = builder.singleton(
        named: "grail", Court.Grail.init, file: "App/Wiring.swift", line: 3)
      builder.prototype(
        named: "king", { (_: Court.Grail) in Court.Knight() }, grail, file: "App/Wiring.swift",
        line: 4)
      _ = try builder.build().patched(file: "AppTests/Tests.swift", line: 6) {
        $0.replace("grail") { Court.Throne() }
      }
    },
    WrongContainer("value-held-weakly") { builder in
      builder.singleton(
        named: "banner", traits: .weak, Court.Banner.init, file: "App/Wiring.swift", line: 3)
      _ = try builder.build().object("banner", as: Court.Banner.self)
    },
    WrongContainer("no-scope-of-the-task") { builder in
      builder.prototype(
        named: "grail", in: .task, Court.Grail.init, file: "App/Wiring.swift", line: 3)
      try builder.build().withObject("grail", as: Court.Grail.self) { _ in }
    },
    WrongContainer("request-for-a-type-that-nothing-has") { builder in
      builder.singleton(named: "grail", Court.Grail.init, file: "App/Wiring.swift", line: 3)
      _ = try builder.build().object(
        ofType: Court.Throne.self, file: "App/Main.swift", line: 20)
    },
  ]
}
