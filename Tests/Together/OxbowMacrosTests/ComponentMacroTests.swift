import Testing

@Suite struct ComponentMacroTests {
  @Test func `a class describes its initializers and the properties that can be set`() {
    assertExpansion(
      """
      @Component
      public final class Knight {
        var quest: (any Quest & Sendable)?
        var age = 20
        var herald: Provider<Herald>?
        var squires: (any FactoryObject<Squire> & Sendable)?
        var `class`: Model.Rank!
        var title: String { get { "" } set {} }
        var shown: String { "" }
        let fixed: Int = 1
        private var hidden: Int = 1
        private(set) var counted: Int = 0
        static var shared: Knight?
        @MainActor var view: Int = 1
        var unseen = make()
        init() {}
        init(name: String, horse: any Horse & Animal = Nag(), _ age: Int? = nil) throws {}
        init(makes: any FactoryObject<Squire> & Sendable, body: @escaping () -> Void) {}
        init?(failing: Int) {}
        init(waiting: Int) async {}
        init(list: Int...) {}
        init<T>(generic: T) {}
        private init(secret: Int) {}
      }
      """,
      to: """
        public final class Knight {
          var quest: (any Quest & Sendable)?
          var age = 20
          var herald: Provider<Herald>?
          var squires: (any FactoryObject<Squire> & Sendable)?
          var `class`: Model.Rank!
          var title: String { get { "" } set {} }
          var shown: String { "" }
          let fixed: Int = 1
          private var hidden: Int = 1
          private(set) var counted: Int = 0
          static var shared: Knight?
          @MainActor var view: Int = 1
          var unseen = make()
          init() {}
          init(name: String, horse: any Horse & Animal = Nag(), _ age: Int? = nil) throws {}
          init(makes: any FactoryObject<Squire> & Sendable, body: @escaping () -> Void) {}
          init?(failing: Int) {}
          init(waiting: Int) async {}
          init(list: Int...) {}
          init<T>(generic: T) {}
          private init(secret: Int) {}

          /// What files can do with the class.
          nonisolated public class var componentDescriptor: ComponentDescriptor {
            #sourceLocation(file: "test.swift", line: 2)
            let isolation = ComponentIsolation.of(type(of: Knight._isolationProbe))
            #sourceLocation()
            return ComponentDescriptor(Knight.self, name: "Knight", sendability: .of(), product: .of(), isolation: isolation, initializers: [
                InitializerDescriptor {
                      Knight()
                    },
                InitializerDescriptor(ParameterDescriptor("name", String.self, typeName: "String", sendability: .of(), accepts: {
                          $0 is String.Type
                        }), ParameterDescriptor("horse", (any Horse & Animal).self, typeName: "any Horse & Animal", sendability: .of(), accepts: {
                          $0 is any (Horse & Animal).Type
                        }, upcast: {
                          func open<_Object: Horse & Animal>(_ type: _Object.Type) -> Upcast {
                            Upcast { (object: _Object) -> any Horse & Animal in
                              object
                            }
                          };
                          return ($0 as? any (Horse & Animal).Type).map {
                            open($0)
                          }
                        }), ParameterDescriptor.optional(ParameterDescriptor("age", Int.self, typeName: "Int", sendability: .of(), accepts: {
                            $0 is Int.Type
                          }))) {
                      try Knight(name: $0, horse: $1, $2)
                    },
                InitializerDescriptor(ParameterDescriptor("name", String.self, typeName: "String", sendability: .of(), accepts: {
                          $0 is String.Type
                        }), ParameterDescriptor.optional(ParameterDescriptor("age", Int.self, typeName: "Int", sendability: .of(), accepts: {
                            $0 is Int.Type
                          }))) {
                      try Knight(name: $0, $1)
                    },
                InitializerDescriptor(ParameterDescriptor("name", String.self, typeName: "String", sendability: .of(), accepts: {
                          $0 is String.Type
                        }), ParameterDescriptor("horse", (any Horse & Animal).self, typeName: "any Horse & Animal", sendability: .of(), accepts: {
                          $0 is any (Horse & Animal).Type
                        }, upcast: {
                          func open<_Object: Horse & Animal>(_ type: _Object.Type) -> Upcast {
                            Upcast { (object: _Object) -> any Horse & Animal in
                              object
                            }
                          };
                          return ($0 as? any (Horse & Animal).Type).map {
                            open($0)
                          }
                        })) {
                      try Knight(name: $0, horse: $1)
                    },
                InitializerDescriptor(ParameterDescriptor("name", String.self, typeName: "String", sendability: .of(), accepts: {
                          $0 is String.Type
                        })) {
                      try Knight(name: $0)
                    },
                InitializerDescriptor(ParameterDescriptor.factory("makes", of: Squire.self, typeName: "any FactoryObject<Squire> & Sendable", sendability: .of(), accepts: {
                          $0 is Squire.Type
                        }), ParameterDescriptor("body", (() -> Void).self, typeName: "() -> Void", sendability: .of(), accepts: {
                          $0 is (() -> Void).Type
                        })) {
                      Knight(makes: $0, body: $1)
                    },
              ], properties: [
                .property("quest", (any Quest & Sendable).self, typeName: "any Quest & Sendable", sendability: .of(), isOptional: true, accepts: {
                        $0 is any Quest.Type
                      }, get: {
                        $0.quest
                      }, set: {
                        $0.quest = $1
                      }, clear: {
                        $0.quest = nil
                      }),
                .property("age", Int.self, typeName: "Int", sendability: .of(), accepts: {
                        $0 is Int.Type
                      }, get: {
                        $0.age
                      }, set: {
                        $0.age = $1
                      }),
                .property("herald", Provider<Herald>.self, typeName: "Provider<Herald>", sendability: .of(), isOptional: true, accepts: {
                        $0 is Herald.Type
                      }, get: {
                        $0.herald
                      }, set: {
                        $0.herald = $1
                      }, clear: {
                        $0.herald = nil
                      }),
                .factory("squires", of: Squire.self, typeName: "any FactoryObject<Squire> & Sendable", sendability: .of(), isOptional: true, accepts: {
                        $0 is Squire.Type
                      }, set: {
                        $0.squires = $1
                      }, clear: {
                        $0.squires = nil
                      }),
                .property("class", Model.Rank.self, typeName: "Model.Rank", sendability: .of(), isOptional: true, accepts: {
                        $0 is Model.Rank.Type
                      }, get: {
                        $0.`class`
                      }, set: {
                        $0.`class` = $1
                      }, clear: {
                        $0.`class` = nil
                      }),
                .property("title", String.self, typeName: "String", sendability: .of(), accepts: {
                        $0 is String.Type
                      }, get: {
                        $0.title
                      }, set: {
                        $0.title = $1
                      }),
              ])
          }

          #if objectFormat(MachO)
          @section("__DATA_CONST,__oxbow") @used
          #elseif objectFormat(ELF)
          @section("oxbow_components") @used
          #endif
          nonisolated private static let _componentRecord: ComponentRecord = (
            version: 1,
            describe: {
              $0.assumingMemoryBound(to: RegistryEntry.self).initialize(to: .component(Knight.componentDescriptor))
            }
          )

          /// Its type says which actor the class belongs to.
          private static func _isolationProbe() {
          }
        }

        extension Knight: nonisolated Component {
        }
        """)
  }

  @Test func `a class without initializers is made with none`() {
    assertExpansion(
      """
      @Component final class Clock {}
      """,
      to: """
        final class Clock {

          /// What files can do with the class.
          nonisolated class var componentDescriptor: ComponentDescriptor {
            #sourceLocation(file: "test.swift", line: 1)
            let isolation = ComponentIsolation.of(type(of: Clock._isolationProbe))
            #sourceLocation()
            return ComponentDescriptor(Clock.self, name: "Clock", sendability: .of(), product: .of(), isolation: isolation, initializers: [
                InitializerDescriptor {
                      Clock()
                    },
              ])
          }

          #if objectFormat(MachO)
          @section("__DATA_CONST,__oxbow") @used
          #elseif objectFormat(ELF)
          @section("oxbow_components") @used
          #endif
          nonisolated private static let _componentRecord: ComponentRecord = (
            version: 1,
            describe: {
              $0.assumingMemoryBound(to: RegistryEntry.self).initialize(to: .component(Clock.componentDescriptor))
            }
          )

          /// Its type says which actor the class belongs to.
          private static func _isolationProbe() {
          }
        }

        extension Clock: nonisolated Component {
        }
        """)
  }

  @Test func `a class that inherits initializers has one that replaces none`() {
    let found = diagnostics(of: "@Component class Crane: Machine {}")
    #expect(found.expansion.contains("initializers: .inherited(Crane.init)"))
    #expect(
      found.expansion.contains(
        "nonisolated private convenience init(_ none: NoInitializer) {"))
    let own = diagnostics(of: "@Component class Crane: Machine { init(a: Int) {} }")
    #expect(!own.expansion.contains("NoInitializer"))
  }

  @Test func `D14 the actor of a class is asked for where the class is declared`() {
    let found = diagnostics(of: "\n@Component @Storage class Shelf {}")
    #expect(
      found.expansion.contains(
        """
            #sourceLocation(file: "test.swift", line: 2)
            let isolation = ComponentIsolation.of(type(of: Shelf._isolationProbe))
            #sourceLocation()
        """))
  }

  @Test func `a class of the main actor describes no members`() {
    assertExpansion(
      """
      @MainActor @Component class View { var title: String = "" }
      """,
      to: """
        @MainActor class View { var title: String = "" 

          /// What files can do with the class.
          nonisolated class var componentDescriptor: ComponentDescriptor {
            ComponentDescriptor(View.self, name: "View", sendability: .of(), product: .of(), isolation: .mainActor)
          }

          #if objectFormat(MachO)
          @section("__DATA_CONST,__oxbow") @used
          #elseif objectFormat(ELF)
          @section("oxbow_components") @used
          #endif
          nonisolated private static let _componentRecord: ComponentRecord = (
            version: 1,
            describe: {
              $0.assumingMemoryBound(to: RegistryEntry.self).initialize(to: .component(View.componentDescriptor))
            }
          )
        }

        extension View: nonisolated Component {
        }
        """)
  }

  @Test(arguments: [
    (
      "@Component struct Point {}",
      "files name classes, and 'Point' is a struct; define its objects in code, on the builder"
    ),
    (
      "@Component class Box<T> {}",
      "'Box' is generic, so one name in a file would mean many types; register the types "
        + "that are needed on the builder"
    ),
    (
      "struct Outer<T> {\n  @Component class Box {}\n}",
      "'Box' is generic, so one name in a file would mean many types; register the types "
        + "that are needed on the builder"
    ),
    (
      "extension Array {\n  @Component class Box {}\n}",
      "'Box' is generic, so one name in a file would mean many types; register the types "
        + "that are needed on the builder"
    ),
    (
      "@Component @StoreActor class Box {}",
      "objects of 'Box' belong to '@StoreActor', and a container constructs on no actor; make them "
        + "in code on that actor"
    ),
    (
      "func run() {\n  @Component class Box {}\n}",
      "'Box' is declared in a function, where files cannot name it; move it out, or register "
        + "it on the builder"
    ),
  ])
  func `what files cannot name is refused`(source: String, message: String) {
    #expect(diagnostics(of: source).messages == [message])
  }

  @Test func `a nested class is described`() {
    let found = diagnostics(of: "enum Library {\n  @Component final class Clock {}\n}")
    #expect(found.messages.isEmpty)
    #expect(found.expansion.contains("extension Library.Clock: nonisolated Component"))
  }
}
