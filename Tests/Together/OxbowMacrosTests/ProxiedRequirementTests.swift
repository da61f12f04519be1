import Testing

@Suite struct ProxiedRequirementTests {
  @Test func `generics, inout, autoclosures and escaped names are passed on`() {
    let found = diagnostics(
      of: """
        @Proxied
        protocol Catalog {
          func fetch<T: Book>(_ request: Request<T>, `in` shelf: Shelf) throws -> [T] where T: Sendable
          func take(_ count: inout Int, or other: @autoclosure () -> Int) throws
        }
        """)
    #expect(found.messages.isEmpty)
    #expect(
      found.forwardingMembers == """
        nonisolated extension CatalogForwarding {
          /// Nothing, unless a class says otherwise.
          var _borrowedCatalog: BorrowedTarget<_TargetCatalog>? {
            nil
          }

          /// Forwards to the target. A protocol that has a default for it must declare it again.
          func fetch<T: Book>(_ request: Request<T>, `in` shelf: Shelf) throws -> [T] where T: Sendable {
            if let _borrowed = _borrowedCatalog {
              return try _borrowed.call(for: self) {
                try $0.fetch(request, `in`: shelf)
              }
            }
            _callObserver?.willCall(ForwardedCall("fetch(_:in:)", of: "Catalog", .call, [.of(request), .of(shelf)]))
            return try _targetCatalog().fetch(request, `in`: shelf)
          }

          /// Forwards to the target. A protocol that has a default for it must declare it again.
          func take(_ count: inout Int, or other: @autoclosure () -> Int) throws {
            if let _borrowed = _borrowedCatalog {
              return try _borrowed.call(for: self) {
                try $0.take(&count, or: other())
              }
            }
            _callObserver?.willCall(ForwardedCall("take(_:or:)", of: "Catalog", .call, [.of(count), .unseen("function")]))
            return try _targetCatalog().take(&count, or: other())
          }
        }
        """)
  }

  @Test func `what a closure cannot pass on or throw is asked of the target itself`() {
    let found = diagnostics(
      of: """
        @Proxied protocol P {
          func a(_ x: inout Int, _ y: @autoclosure () -> Int) throws(any Error)
          func b() async throws
          func c(_ x: consuming Int) throws
          func d(_ x: sending Int) throws
          func e<each T>(_ x: repeat each T) throws
          func f() throws(Closed)
          func g(_ body: () throws -> Void) rethrows
          subscript(x: borrowing Int) -> Int { get throws }
          var h: Int { get async throws }
          var i: Int { get }
        }
        """)
    let calls = found.expansion.split(separator: "\n").map { $0.drop { $0 == " " } }
      .filter { $0.contains("$0") && !$0.contains("assumingMemoryBound") }
    #expect(calls == ["try $0.a(&x, y())", "$0.i"])
  }

  @Test func `what cannot be copied or called is not shown to observers`() {
    let found = diagnostics(
      of: """
        @Proxied protocol P: AnyObject, ~Copyable {
          func f(
            _ a: @escaping () -> Void, b: borrowing Int, c: consuming [Int], d: sending Int,
            e: (() -> Void)?, rest: repeat each T
          ) throws
        }
        """)
    #expect(found.messages.isEmpty)
    #expect(
      found.expansion.contains(
        """
        [.unseen("function"), .unseen("Int"), .unseen("[Int]"), .of(d), .of(e), .unseen("pack")]
        """))
  }

  @Test func `settable properties of a class-bound protocol are written through`() {
    let found = diagnostics(
      of: """
        @Proxied
        protocol Mutable: AnyObject {
          var title: String { get set }
        }
        """)
    #expect(
      found.messages == [
        "'title' is settable, and a setter cannot throw, so a proxy whose target is missing or "
          + "failed to build would stop the process; use 'get throws' and a throwing method"
      ])
    #expect(found.places == ["3:7"])
    #expect(
      found.forwardingMembers == """
        nonisolated extension MutableForwarding {
          /// Nothing, unless a class says otherwise.
          var _borrowedMutable: BorrowedTarget<_TargetMutable>? {
            nil
          }

          /// Forwards to the target. A protocol that has a default for it must declare it again.
          var title: String {
            get {
              if let _borrowed = _borrowedMutable {
                return _borrowed.call(for: self) {
                  $0.title
                }
              }
              _callObserver?.willCall(ForwardedCall("title", of: "Mutable", .read))
              return _requiredTarget("Mutable", _targetMutable).title
            }
            set {
              if let _borrowed = _borrowedMutable {
                return _borrowed.call(for: self) {
                  $0.title = newValue
                }
              }
              _callObserver?.willCall(ForwardedCall("title", of: "Mutable", .write, [.of(newValue)]))
              let target = _requiredTarget("Mutable", _targetMutable)
              target.title = newValue
            }
          }
        }
        """)
  }

  @Test func `D13 parameters without a name get one`() {
    let found = diagnostics(
      of: """
        @Proxied public protocol P {
          func handle(_: Event, at _: Int) throws
          subscript(_: Int, row _: String) -> Int { get throws }
        }
        """)
    #expect(found.expansion.contains("public func handle(_ _1: Event, at _2: Int) throws {"))
    #expect(found.expansion.contains("_targetP().handle(_1, at: _2)"))
    #expect(found.expansion.contains("[.of(_1), .of(_2)]"))
    #expect(found.expansion.contains("public subscript(_ _1: Int, row _2: String) -> Int {"))
    #expect(found.expansion.contains("[_1, row: _2]"))
  }

  @Test func `parameters may have keywords for their names`() {
    let found = diagnostics(
      of: """
        @Proxied(aspects: true) public protocol P {
          func items(in: Room, class: inout Int) throws
        }
        """)
    #expect(found.expansion.contains("try $0.items(in: `in`, class: &`class`)"))
    #expect(found.expansion.contains("[.of(`in`), .of(`class`)]"))
    #expect(found.expansion.contains("_Call0(try self._targetP(), `in`, `class`)"))
  }

  @Test func `D38 parameters may be called like what the macro writes`() {
    let found = diagnostics(
      of: """
        @Proxied public protocol P: AnyObject {
          func ask(_borrowed: Int, _borrowedP: Int, _callObserver: Int) throws
          func go(_targetP: Int) throws
          subscript(newValue: Int, target: Int) -> Int { get set }
        }
        """)
    #expect(found.expansion.contains("if let __borrowed = self._borrowedP {"))
    #expect(found.expansion.contains("self._callObserver?.willCall("))
    #expect(found.expansion.contains("try self._targetP().go(_targetP: _targetP)"))
    #expect(found.expansion.contains("set(_newValue) {"))
    #expect(found.expansion.contains("_target[newValue, target] = _newValue"))
  }
}
