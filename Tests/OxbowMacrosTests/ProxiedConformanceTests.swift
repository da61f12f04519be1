import Testing

@Suite struct ProxiedConformanceTests {
  private static let written = "final class PProxy: PForwarding, ForwardingProxy {"
  private static let left = "final class PProxy: ForwardingProxy {"

  @Test(arguments: ["public", "package"])
  func `the macro writes the conformance where other modules may see the protocol`(access: String) {
    let found = diagnostics(of: "@Proxied \(access) protocol P {}")
    #expect(found.messages == [])
    #expect(found.expansion.contains(Self.written))
    #expect(!found.expansion.contains("_conformance"))
  }

  @Test(arguments: ["", "internal", "@usableFromInline", "fileprivate", "private"])
  func `the sources state the conformance where one module sees the protocol`(access: String) {
    let found = diagnostics(of: "@Proxied \(access) protocol P {}")
    #expect(found.messages == [])
    #expect(found.expansion.contains(Self.left))
    #expect(found.expansion.contains("_conformance(self)"))
    #expect(found.expansion.contains("write 'extension PProxy: PForwarding {}' below the protocol"))
  }

  @Test func `the line that is missing names the types around the protocol`() {
    let found = diagnostics(of: "extension A.B { enum C { @Proxied protocol P {} } }")
    #expect(found.expansion.contains("write 'extension A.B.C.PProxy: A.B.C.PForwarding {}' below"))
  }

  @Test func `a public protocol of an internal type is seen by its module only`() {
    let found = diagnostics(of: "enum A { @Proxied public protocol P {} }")
    #expect(found.expansion.contains("nonisolated " + Self.left))
    let seen = diagnostics(of: "public enum A { @Proxied public protocol P {} }")
    #expect(seen.expansion.contains("nonisolated public " + Self.written))
  }

  @Test func `a protocol that is private to a type has no place for the line`() {
    let found = diagnostics(of: "enum A { @Proxied private protocol P {} }")
    #expect(
      found.messages == [
        "'P' is private to the type around it, and the conformance of its proxy must be written "
          + "outside of that type; declare it 'fileprivate'"
      ])
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

  @Test func `D38 parameters may be called like what the macro writes`() {
    let found = diagnostics(
      of: """
        @Proxied public protocol P: AnyObject {
          func ask(_lent: Int, _lentP: Int, _callObserver: Int) throws
          func go(_targetP: Int) throws
          subscript(newValue: Int, target: Int) -> Int { get set }
        }
        """)
    #expect(found.expansion.contains("if let __lent = self._lentP {"))
    #expect(found.expansion.contains("self._callObserver?.willCall("))
    #expect(found.expansion.contains("try self._targetP().go(_targetP: _targetP)"))
    #expect(found.expansion.contains("set(_newValue) {"))
    #expect(found.expansion.contains("_target[newValue, target] = _newValue"))
  }
}
