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

  @Test func `the members of a protocol in a public extension are public`() {
    let found = diagnostics(of: "public extension A { @Proxied protocol P {} }")
    #expect(found.expansion.contains("nonisolated " + Self.written))
    #expect(found.expansion.contains("public let _source: any ProxySource<any P>"))
    #expect(found.expansion.contains("public var _borrowedP: BorrowedTarget<_TargetP>?"))
  }

  @Test func `a protocol that is private to a type has no place for the line`() {
    let found = diagnostics(of: "enum A { @Proxied private protocol P {} }")
    #expect(
      found.messages == [
        "'P' is private to the type around it, and the conformance of its proxy must be written "
          + "outside of that type; declare it 'fileprivate'"
      ])
  }
}
