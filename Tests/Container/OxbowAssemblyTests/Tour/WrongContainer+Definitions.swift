import OxbowContainer
import OxbowDocuments

extension WrongContainer {
  /// Parents, initializers, methods, collections, placeholders and requests by type.
  static let definitions: [WrongContainer] = parents + calls + values + types

  private static let parents: [WrongContainer] = [
    WrongContainer(
      "no-such-parent", knight("lancelot") { $0.parent = "nobel" }, abstract("noble")),
    WrongContainer(
      "parents-in-a-circle", knight("arthur", line: 2) { $0.parent = "uther" },
      knight("uther", line: 4) { $0.parent = "arthur" }),
    WrongContainer(
      "reference-to-an-abstract-definition", abstract("noble"),
      knight("lancelot") {
        $0.properties = [.reference("rival", to: "noble", at: line(7, column: 5))]
      }),
    WrongContainer("abstract-definition-asked-for") { builder in
      builder.add(abstract("noble"))
      _ = try builder.build().object(
        "noble", as: Court.Knight.self, file: "App/Main.swift", line: 20)
    },
    WrongContainer("no-class", ObjectDefinition("knight", at: line(2))),
  ]

  private static let calls: [WrongContainer] = [
    WrongContainer(
      "wrong-label", knight("lancelot") { $0.initializer = call("init", ["leige"]) }),
    WrongContainer(
      "missing-argument", knight("lancelot") { $0.initializer = call("init", ["liege"], []) }),
    WrongContainer(
      "unknown-argument", knight("arthur"),
      knight("lancelot") {
        $0.initializer = call(
          "init", ["liege"], [.reference("lieg", to: "arthur", at: line(8, column: 7))])
      }),
    WrongContainer(
      "unknown-callback", knight("lancelot") { $0.methodAfterInjection = "reset" }),
    WrongContainer(
      "unknown-factory-method",
      ObjectDefinition("smithy", class: "Smithy", scope: "prototype", at: line(2)),
      ObjectDefinition("blade", scope: "prototype", at: line(4)).with {
        $0.factoryComponent = "smithy"
        $0.initializer = call("swrod", ["owner"], [.value("owner", "Ada")])
      }),
    WrongContainer(
      "factory-component-without-a-method",
      ObjectDefinition("smithy", class: "Smithy", scope: "prototype", at: line(2)),
      ObjectDefinition("blade", scope: "prototype", at: line(4)).with {
        $0.factoryComponent = "smithy"
      }),
  ]

  private static let values: [WrongContainer] = [
    WrongContainer(
      "collection-for-one-object",
      knight("lancelot") {
        $0.properties = [
          PropertyAssignment(
            "rival", to: .collection([InjectedElement(.reference("lancelot"))]),
            at: line(7, column: 5))
        ]
      }),
    WrongContainer(
      "dictionary-for-one-object",
      knight("lancelot") {
        $0.properties = [
          PropertyAssignment(
            "name", to: .dictionary([InjectedEntry("a", .text("b"))]), at: line(7, column: 5))
        ]
      }),
    WrongContainer("missing-placeholder") { builder in
      builder.placeholders = .init()
      builder.placeholders.environment = [:]
      builder.placeholders.set("knight.name", "Ada")
      builder.add(
        knight("lancelot") {
          $0.properties = [.value("name", "Sir ${knight.nmae}", at: line(7, column: 5))]
        })
      _ = try builder.build()
    },
    WrongContainer(
      "unclosed-placeholder",
      knight("lancelot") {
        $0.properties = [.value("name", "Sir ${knight", at: line(7, column: 5))]
      }),
    WrongContainer("placeholders-in-a-circle") { builder in
      builder.placeholders.set("a", "${b}")
      builder.placeholders.set("b", "${a}")
      builder.add(
        knight("lancelot") { $0.properties = [.value("name", "${a}", at: line(7, column: 5))] })
      _ = try builder.build()
    },
    WrongContainer("missing-file-of-placeholders") { builder in
      try builder.placeholders.load("nowhere/app.properties")
    },
    WrongContainer(
      "path-through-nothing",
      knight("lancelot") {
        $0.properties = [.value("sword.smith", "Wayland", at: line(7, column: 5))]
      }),
  ]

  private static let types: [WrongContainer] = [
    WrongContainer(
      "no-object-of-the-type",
      knight("lancelot") {
        $0.properties = [PropertyAssignment("liege", to: .byType, at: line(7, column: 5))]
      }),
    WrongContainer(
      "several-objects-of-the-type",
      ObjectDefinition("grail", class: "Grail", at: line(2)),
      ObjectDefinition("dragon", class: "Dragon", scope: "prototype", at: line(3)),
      knight("lancelot") {
        $0.properties = [PropertyAssignment("quest", to: .byType, at: line(7, column: 5))]
      }),
    WrongContainer("annotation-that-refers-to-nothing") { builder in
      builder.register(
        Court.Knight.knight(
          ComponentAnnotations(assignments: [
            .reference(
              "quest", to: "grial",
              at: SourceLocation(file: "App/Knight.swift", line: 6, column: 3))
          ])))
      builder.add(ObjectDefinition("grail", class: "Grail", at: line(2)))
      builder.add(knight("lancelot"))
      _ = try builder.build()
    },
    WrongContainer("annotated-value-that-is-not-convertible") { builder in
      builder.register(
        Court.Knight.knight(
          ComponentAnnotations(
            name: "lancelot",
            assignments: [
              .value(
                "age", "old", at: SourceLocation(file: "App/Knight.swift", line: 7, column: 3))
            ])))
      builder.add(className: "Knight", file: "App/Wiring.swift", line: 3)
      _ = try builder.build()
    },
  ]

  // MARK: - Definitions

  private static func knight(
    _ name: String, line number: Int = 6, _ change: (inout ObjectDefinition) -> Void = { _ in }
  ) -> ObjectDefinition {
    ObjectDefinition(name, class: "Knight", scope: "prototype", at: line(number)).with(change)
  }

  private static func abstract(_ name: String) -> ObjectDefinition {
    knight(name, line: 2) { $0.isAbstract = true }
  }

  private static func call(
    _ base: String, _ labels: [String], _ arguments: [PropertyAssignment]? = nil
  ) -> InitializerCall {
    InitializerCall(
      MethodName(base, labels: labels),
      arguments: arguments ?? labels.map { .value($0, "x", at: line(8, column: 7)) },
      at: line(7, column: 5))
  }
}

extension ObjectDefinition {
  fileprivate func with(_ change: (inout ObjectDefinition) -> Void) -> ObjectDefinition {
    var copy = self
    change(&copy)
    return copy
  }
}
