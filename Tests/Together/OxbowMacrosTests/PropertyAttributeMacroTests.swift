import Testing

/// What the attributes of properties write.
@Suite struct PropertyAttributeMacroTests {
  @Test func `a lazy property is a slot and two accessors`() {
    assertExpansion(
      """
      public final class Editor {
        @Lazy public private(set) var speller: Speller
      }
      """,
      to: """
        public final class Editor {
          public private(set) var speller: Speller {
            get {
              _speller._value("speller", of: Editor.self) { () -> Speller in
                #sourceLocation(file: "test.swift", line: 2)
                    Speller()
                #sourceLocation()
              }
            }
            set {
              _speller._set(newValue)
            }
          }

          private let _speller = LazySlot<Speller>()

          /// Whether `speller` is made.
          private var $speller: LazySlot<Speller> {
            _speller
          }
        }
        """)
  }

  @Test func `an attribute of a struct has no slot`() {
    assertExpansion(
      """
      struct Level {
        @Attributed(Clamp(1...9)) var n: Int = 5
      }
      """,
      to: """
        struct Level {
          var n: Int {
            get {
              _n._get("n", of: Level.self)
            }
            set {
              _n._set(newValue, "n", of: Level.self)
            }
          }

          #sourceLocation(file: "test.swift", line: 2)
          private var _n = AttributedValue(Clamp(1 ... 9), "n", of: Level.self, as: (Int).self, initial: 5)
          #sourceLocation()
        }
        """)
  }

  @Test func `an injected property tells its protocols and its key path`() {
    let found = diagnostics(
      of:
        "class Car {\n  @Injected(didInject: Car.hear) var radio: (any Tuner & Fueled & Sendable)?\n}"
    )
    #expect(found.messages == [])
    #expect(found.expansion.contains("protocols: [(any Tuner).self, (any Fueled).self]"))
    #expect(found.expansion.contains(#"\Car.radio"#))
    #expect(found.expansion.contains("(Car.hear)(self)($0)"))
    let actor = diagnostics(of: "actor Car {\n  @Injected var radio: Radio\n}")
    #expect(!actor.expansion.contains(#"\Car"#))
  }

  @Test func `the key of a preference has the names of all types around it`() {
    let found = diagnostics(
      of: "enum App {\n  struct Settings {\n    @Preference var theme: String = \"light\"\n  }\n}")
    #expect(found.expansion.contains("\"App.Settings.theme\""))
    let inExtension = diagnostics(
      of: "extension App.Book { struct Settings { @Preference var theme: String? } }")
    #expect(inExtension.expansion.contains("\"App.Book.Settings.theme\""))
    #expect(found.expansion.contains("nonmutating set"))
    #expect(found.expansion.contains("in: nil, initial: {"))
  }
}

/// Every message of the attributes, with what its fix-it writes.
@Suite struct PropertyAttributeDiagnosticsTests {
  struct Refusal: Sendable, CustomTestStringConvertible {
    let source: String
    let message: String
    var fixIt: String?
    var fixed: String?

    var testDescription: String { source }
  }

  @Test(arguments: refusals)
  func `what cannot have an attribute is refused`(_ refusal: Refusal) {
    let found = diagnostics(of: refusal.source, applying: refusal.fixIt)
    #expect(found.messages == [refusal.message])
    #expect(found.fixIts == (refusal.fixIt.map { [$0] } ?? []))
    if let fixed = refusal.fixed { #expect(found.fixedSource == fixed) }
  }

  private static func member(_ member: String) -> String { "class A {\n  \(member)\n}" }

  static let refusals: [Refusal] = [
    Refusal(
      source: member("@Lazy func f() {}"), message: "'@Lazy' belongs on a property of a type"),
    Refusal(
      source: "func f() {\n  @Lazy var x: Int\n}",
      message: "'x' is a local variable, and '@Lazy' belongs on a property of a type; "
        + "write 'lazy var'"),
    Refusal(
      source: "@Final var x: Int?",
      message: "'x' is a global variable, and '@Final' belongs on a property of a type"),
    Refusal(
      source: "extension A {\n  @Final var x: Int?\n}",
      message: "'@Final' keeps something beside 'x', and an extension stores nothing; declare it "
        + "in the class, actor or struct itself"),
    Refusal(
      source: "enum E {\n  @Final var x: Int?\n}",
      message: "'@Final' keeps something beside 'x', and an enum stores nothing; declare it in the "
        + "class, actor or struct itself"),
    Refusal(
      source: "struct S {\n  @Injected var x: Log\n}",
      message: "'S' is copied, and a container injects into objects; make it a class, or hand 'x' "
        + "to its initializer"),
    Refusal(
      source: member("@Lazy @Final var x: Int?"),
      message: "'@Lazy' and '@Final' would both read and set the property; keep one of them"),
    Refusal(
      source: member("@Lazy let x: Int"),
      message: "'@Lazy' gives 'x' a getter and a setter, so it must be a 'var'",
      fixIt: "use 'var'", fixed: member("@Lazy var x: Int")),
    Refusal(
      source: member("@Final let x: Int?"),
      message: "'@Final' makes 'x' a constant after its first assignment, so it must be a 'var'",
      fixIt: "use 'var'", fixed: member("@Final var x: Int?")),
    Refusal(
      source: member("@Lazy lazy var x: Int"),
      message: "'@Lazy' does not fit 'lazy var x'; '@Lazy' alone says that"),
    Refusal(
      source: member("@Final static var x: Int?"),
      message: "'@Final' does not fit 'static var x'; make it a property of the objects"),
    Refusal(
      source: member("@Lazy override var x: Int"),
      message: "'@Lazy' does not fit 'override var x'; override it with a getter and a setter of "
        + "your own"),
    Refusal(
      source: member("@Injected weak var x: Log?"),
      message: "'@Injected' does not fit 'weak var x'; leave the modifier out"),
    Refusal(
      source: member("@Lazy var x: Int { 1 }"),
      message: "'@Lazy' writes the accessors of 'x', which has some already; remove one of the "
        + "two, or write your own with '@Attributed'"),
    Refusal(
      source: member("@Lazy var x = 5"),
      message: "'@Lazy' needs the type of 'x', and a macro sees no inferred ones; write it",
      fixIt: "add ': Int'", fixed: member("@Lazy var x: Int = 5")),
    Refusal(
      source: member("@Final var x: Int = 5"),
      message:
        "'x' would be assigned from the start, and never again; remove the value, or declare "
        + "a 'let'",
      fixIt: "remove the value", fixed: member("@Final var x: Int")),
    Refusal(
      source: member("@Injected var x: Log = Log()"),
      message: "'x' is injected, so a value of its own would never be seen; remove it",
      fixIt: "remove the value", fixed: member("@Injected var x: Log")),
    Refusal(
      source: member("@Lazy(A.make) var x: Int = 5"),
      message: "'x' is made by the argument of '@Lazy'; remove one of the two",
      fixIt: "remove the value", fixed: member("@Lazy(A.make) var x: Int")),
    Refusal(
      source: member("@Preference var x: Int"),
      message: "'x' has no value where its store has none; give it a default, or make it optional"),
    Refusal(
      source: "@Entity class A: ManagedObject {\n  @Lazy var x: Int\n}",
      message: "each stored property of the entity 'A' is one of its row, and so is 'x'; use "
        + "'@Lazy' in another class"),
  ]
}
