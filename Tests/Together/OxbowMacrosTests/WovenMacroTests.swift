import Testing

@Suite struct WovenMacroTests {
  @Test func `a class gets a slot, the list of its methods, and a class for each`() {
    assertExpansion(
      """
      @Woven
      public final class Till {
        func sell(_ title: String, for price: Int = 3) throws -> Int {
          log(#function)
          return price
        }
        func each(_ body: (Int) -> Void) {}
      }
      """,
      to: """
        public final class Till {
          func sell(_ title: String, for price: Int = 3) throws -> Int {
          func _original_sell(_ title: String, for price: Int) throws -> Int {
          log("sell(_:for:)")
              return price
          }
          if let _chain = self._weaving[3980546740997859082] {
            return try _Call_sell_50td3j9doudj(self, _original_sell, title, price)._run(_chain)
          }
          return try _original_sell(title, for: price)
          }
          func each(_ body: (Int) -> Void) {}

          /// The aspects of the object's methods, once a container has some for it.
          public final let _weaving = WovenSlot()

          /// Gives the object its aspects.
          public final func _weave(_ aspects: AspectTable) throws {
            try _weaving._fill(aspects)
          }

          /// The methods, for aspects.
          public class var _wovenMethods: [ForwardedMethod] {
            [
              ForwardedMethod("sell(_:for:)", key: 3980546740997859082, .throwing),
              ForwardedMethod("each(_:)", key: 3306696838414427176, .closed),
            ]
          }

          /// The class whose methods these are: one that inherits may have others.
          public class var _wovenClass: AnyClass {
            Till.self
          }

          /// A call of `sell(_:for:)` with aspects.
          nonisolated private final class _Call_sell_50td3j9doudj: TypedInvocation<Int> {
            private let object: AnyObject
            private let original: (String, Int) throws -> Int
            @exclusivity(unchecked) private var a0: String
            @exclusivity(unchecked) private var a1: Int

            init(_ object: AnyObject, _ original: @escaping (String, Int) throws -> Int, _ a0: String, _ a1: Int) {
              self.object = object
              self.original = original
              self.a0 = a0
              self.a1 = a1
              super.init("sell(_:for:)", of: "Till", arguments: 2)
            }

            override var target: Any? {
              object
            }

            override func _call() throws -> Int {
              try original(a0, a1)
            }

            override func argument(_ index: Int) -> Any {
              switch index {
              case 0:
                a0 as Any
              case 1:
                a1 as Any
              default:
                super.argument(index)
              }
            }

            override func setArgument(_ index: Int, to value: Any) throws {
              switch index {
              case 0:
                try _set(&a0, 0, to: value)
              case 1:
                try _set(&a1, 1, to: value)
              default:
                try super.setArgument(index, to: value)
              }
            }
          }
        }

        extension Till: nonisolated WovenObject {
        }
        """)
  }

  @Test func `async methods, and those that do not throw`() {
    let text = diagnostics(
      of: """
        @Woven class Till {
          func ring() { bell() }
          func ship(_ title: String) async throws -> String { title }
        }
        """
    ).expansion
    #expect(text.contains("func _original_ship(_ title: String) async throws -> String {"))
    #expect(
      text.contains("return try await _Call_ship_hqp0b68e2ucj(self, _original_ship, title)._run"))
    #expect(text.contains("_ original: @escaping (String) async throws -> String, _ a0"))
    #expect(text.contains("try await _Sent(original).value(_Sent(a0).value)"))
    #expect(
      text.contains("return _Call_ring_n0cmw3zw0oyl(self, _original_ring)._runQuietly(_chain)"))
    #expect(text.contains("override func _callQuietly() -> Void"))
    #expect(text.contains("key: 3887594954734301469, .async)"))
    #expect(text.contains("key: 2713579907374361505, .nonThrowing)"))
  }

  @Test func `the code of a method stays as it is written`() {
    let text = diagnostics(
      of: """
        @Woven class Till {
          func ring() {

            bell()
            // Twice.
            bell { bell() }
          }
        }
        """
    ).expansion
    #expect(
      text.contains(
        """
        bell()
              // Twice.
              bell { bell() }
        """))
  }

  @Test func `where methods are marked, those alone are woven`() {
    let found = diagnostics(
      of: """
        @Woven class Till {
          @Weave func sell() {}
          func price() {}
        }
        """)
    #expect(found.messages == [])
    #expect(found.expansion.contains("_original_sell"))
    #expect(!found.expansion.contains("\"price()\""))
  }

  @Test func `overloads have classes of their own`() {
    let text = diagnostics(
      of: """
        @Woven class Till {
          func sell(_ title: String) {}
          func sell(_ number: Int) {}
          func sell(_ number: Int) async throws {}
          func sell<T: Ware>(_ ware: T) {}
          func sell<T: Gift>(_ ware: T) {}
        }
        """
    ).expansion
    let classes = text.matches(of: /final class (_Call_sell_\w+)/).map(\.output.1)
    #expect(Set(classes).count == 5)
  }

  @Test func `an overload with other constraints is another method`() {
    let text = diagnostics(
      of: """
        @Woven class Till {
          @Weave func sell<T: Ware>(_ ware: T) {}
          func sell<T: Gift>(_ ware: T) {}
        }
        """
    ).expansion
    #expect(text.matches(of: /func _original_sell/).count == 1)
  }

  @Test func `a parameter may have a keyword for its name`() {
    let source = "@Woven class Till { func load(for: inout Key) throws {} }"
    let text = diagnostics(of: source).expansion
    #expect(text.contains("return try _original_load(for: &`for`)"))
    #expect(text.contains("`for` = _call.a0"))
  }

  @Test func `a generic method has a generic class of calls`() {
    let text = diagnostics(
      of: """
        @Woven class Till {
          func sell<T: Codable>(_ a: T) throws -> [T] where T: Sendable { [a] }
        }
        """
    ).expansion
    #expect(text.contains("func _original_sell(_ a: T) throws -> [T] {"))
    #expect(text.contains("(self, _original_sell, a)._run(_chain)"))
    #expect(text.contains("<T: Codable>: TypedInvocation<[T]> where T: Sendable {"))
    #expect(text.contains("private let original: (T) throws -> [T]"))
  }

  @Test func `functions that outlive a call are kept`() {
    let text = diagnostics(
      of: """
        @Woven class Till {
          func sell(_ a: @escaping @Sendable (Int) -> Void, then b: (() -> Void)?) throws {}
        }
        """
    ).expansion
    #expect(text.contains("private var a0: @Sendable (Int) -> Void"))
    #expect(text.contains("_ a0: @escaping @Sendable (Int) -> Void, _ a1: (() -> Void)?) {"))
    #expect(
      text.contains(
        "private let original: (@escaping @Sendable (Int) -> Void, (() -> Void)?) throws -> Void"))
  }

  @Test func `what a method changes goes back to the caller`() {
    let text = diagnostics(
      of: """
        @Woven class Till {
          func sell(_ a: inout Int, _ b: String, c: inout [Int]) throws {}
        }
        """
    ).expansion
    #expect(
      text.contains("func _original_sell(_ a: inout Int, _ b: String, c: inout [Int]) throws"))
    #expect(text.contains("a = _call.a0"))
    #expect(text.contains("c = _call.a2"))
    #expect(text.contains("return try _call._run(_chain)"))
    #expect(text.contains("return try _original_sell(&a, b, c: &c)"))
    #expect(text.contains("try original(&a0, a1, &a2)"))
    #expect(text.contains("private let original: (inout Int, String, inout [Int]) throws -> Void"))
    #expect(
      text.contains("_ original: @escaping (inout Int, String, inout [Int]) throws -> Void, "))
  }

  @Test func `an async method that stays on its caller's actor sends nothing`() {
    let text = diagnostics(
      of: """
        @Woven class Till {
          nonisolated(nonsending) func sell(_ a: Cargo) async throws -> Cargo { a }
        }
        """
    ).expansion
    #expect(text.contains("nonisolated(nonsending) func _original_sell(_ a: Cargo) async throws"))
    #expect(text.contains("private let original: nonisolated(nonsending) (Cargo) async throws"))
    #expect(text.contains("try await original(a0)"))
  }

  // MARK: - What is refused

  @Test(arguments: [
    ("Codable", "", "init(from:)"), ("Swift.Decodable", "", "init(from:)"),
    ("Encodable", "", "encode(to:)"),
    ("Codable", "init(from a: any Decoder) {}", "encode(to:)"),
    ("Codable", "enum CodingKeys: String, CodingKey { case n }", nil),
    ("Codable", "init(from a: any Decoder) {}; func encode(to a: any Encoder) {}", nil),
  ])
  func `coding that would include the aspects is refused`(
    parent: String, members: String, synthesized: String?
  ) {
    let expected = synthesized.map {
      "1:1 the aspects of 'Till' cannot be coded, and '\($0)' that the compiler writes would "
        + "include them; list what is coded in an 'enum CodingKeys'"
    }
    #expect(
      messages("@Woven class Till: \(parent) { var n = 1; \(members) }")
        == (expected.map { [$0] } ?? [])
    )
  }

  private func messages(_ source: String) -> [String] {
    let found = diagnostics(of: source)
    return zip(found.places, found.messages).map { "\($0) \($1)" }
  }

  @Test(arguments: [
    ("struct", "a struct"), ("actor", "an actor"), ("enum", "an enum"),
  ])
  func `only classes are woven`(keyword: String, kind: String) {
    #expect(
      messages("@Woven \(keyword) Till { func sell() {} }") == [
        "1:1 a container gives aspects to the objects of a class, and 'Till' is \(kind); make it a "
          + "class, or mark a protocol '@Proxied(aspects: true)'"
      ])
  }

  @Test func `a protocol, an extension and a class of an actor are not`() {
    #expect(
      messages("@Woven protocol Till { func sell() }") == [
        "1:1 'Till' is a protocol, which has no code to weave; write '@Proxied(aspects: true)'"
      ])
    #expect(
      messages("@Woven extension Till { func sell() {} }") == [
        "1:1 a container gives aspects to the objects of a class, and 'this' is an extension; mark "
          + "the class itself"
      ])
    #expect(
      messages("@Woven @MainActor class Till { func sell() {} }") == [
        "1:1 aspects run on the thread that calls, and 'Till' is isolated to 'MainActor'; make the "
          + "class 'nonisolated'"
      ])
  }

  @Test(arguments: [
    ("#if os(Linux)\nfunc sell() {}\n#endif", true),
    ("#if A\n#if B\n@Weave func sell() {}\n#endif\n#endif\n@Weave func buy() {}", true),
    ("#if os(Linux)\nfunc sell() {}\n#endif\n@Weave func buy() {}", false),
    ("#if os(Linux)\nstatic func make() {}\n#endif", false),
  ])
  func `methods that would be woven are not in branches`(members: String, isRefused: Bool) {
    let message =
      "'@Woven' cannot see which branch of '#if' is compiled; declare the method outside of it, or "
      + "in an extension if no aspects are to run around it"
    let found = diagnostics(of: "@Woven class Till {\n\(members)\n}")
    #expect(found.messages == (isRefused ? [message] : []))
  }

  @Test func `a mark is checked where it is`() {
    let rest = "; remove '@Weave'"
    #expect(
      messages("@Weave func sell() {}") == [
        "1:1 'sell' is not a method of a class, and a container gives aspects to the objects of "
          + "classes\(rest)"
      ])
    #expect(
      messages("extension Till { @Weave func sell() {} }") == [
        "1:18 the macro on the class does not see 'sell', because an extension declares it; move "
          + "it into the class"
      ])
    #expect(
      messages("class Till { @Weave func sell() {} }") == [
        "1:14 objects of 'Till' have no place for aspects; mark the class '@Woven', which then "
          + "weaves the marked methods alone"
      ])
    for (declaration, kind) in [
      ("init() {}", "an initializer"), ("deinit {}", "a deinitializer"),
      ("var a: Int { 1 }", "a property"), ("subscript(_ a: Int) -> Int { a }", "a subscript"),
      ("struct Inner {}", "a type"),
    ] {
      #expect(
        messages("@Woven class Till { @Weave \(declaration) }") == [
          "1:21 aspects run around methods, and this is \(kind); put the code into a method and "
            + "mark that"
        ])
    }
  }

  @Test(arguments: [
    ("static func sell() {}", "28", "it belongs to the type, and a container to no type; make it"),
    (
      "func sell<each T>(_ a: T) {}", "38",
      "it is generic over several types at once; take an array"
    ),
    ("func sell(_ a: () -> Void) rethrows {}", "55", "a function inside cannot rethrow; make it"),
    ("func sell() throws(Sold) {}", "40", "it limits its errors, and aspects throw any; make it"),
    ("func sell() async {}", "40", "it is async and does not throw, and async aspects may; make"),
    ("func sell(_: Int) {}", "38", "a parameter has no name; name it"),
    (
      "func sell(_ a: inout Int) async throws {}", "38",
      "the method is async, and the caller gets 'a'"
    ),
    ("func sell(_ a: consuming Int) {}", "38", "the argument 'a' cannot be kept for them; take a"),
    ("func sell(_ a: () -> Void) {}", "38", "the function 'a' may not outlive the call; write"),
    (
      "func sell(_ a: @Sendable () -> Int) {}", "38",
      "the function 'a' may not outlive the call; write"
    ),
    (
      "func sell(_ a: @autoclosure () -> Int) {}", "38",
      "the argument 'a' cannot be kept for them; "
    ),
    ("func sell(_ a: sending Int) {}", "38", "the argument 'a' cannot be kept for them; take a"),
    ("func sell(_ a: some Hashable) {}", "38", "the type of 'a' has no name; write 'any', or a"),
    ("func sell(_ a: Int...) {}", "38", "the argument 'a' cannot be kept for them; take a"),
    ("func sell() -> some Hashable { 1 }", "43", "its result has no type that can be written; "),
    ("func sell() -> Self { self }", "43", "it mentions 'Self'; spell the type"),
    ("@MainActor func sell() {}", "28", "it is marked '@MainActor'; remove the mark"),
    ("@available(macOS 99, *) func sell() {}", "28", "it is marked '@available'; remove the mark"),
  ])
  func `a marked method that cannot be woven says why`(
    method: String, column: String, reason: String
  ) throws {
    let found = messages("@Woven class Till { @Weave \(method) }")
    #expect(found.count == 1)
    let message = try #require(found.first)
    #expect(message.hasPrefix("1:\(column) aspects cannot run around 'sell("))
    #expect(message.contains(": \(reason)"))
    #expect(message.hasSuffix(", or remove '@Weave'"))
    // Without a mark it is called as ever.
    let unmarked = diagnostics(of: "@Woven class Till { \(method) }")
    #expect(unmarked.messages == [])
    #expect(!unmarked.expansion.contains("_original_sell"))
  }
}
