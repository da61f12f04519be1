import Testing

@Suite struct ProxiedAspectsTests {
  private let text = diagnostics(
    of: """
      @Proxied(aspects: true) public protocol Sign: AnyObject {
        var title: String { get throws }
        var length: Int { get set }
        var done: () -> Void { get throws }
        var found: String! { get throws }
        subscript(_ index: Int) -> String { get throws }
      }
      """
  ).expansion

  @Test func `properties are among what aspects run around`() {
    for entry in [
      "(\"title\", key: KEY, .throwing)", "(\"length\", key: KEY, .nonThrowing)",
      "(\"done\", key: KEY, .closed)", "(\"found\", key: KEY, .closed)",
      "(\"subscript(_:)\", key: KEY, .closed)",
    ] {
      #expect(text.replacing(/key: \d+/, with: "key: KEY").contains("ForwardedMethod" + entry))
    }
    #expect(text.matches(of: /ForwardedMethod\("length", key: (\d+)/).map(\.output.1).count == 2)
    #expect(Set(text.matches(of: /key: (\d+)/).map(\.output.1)).count == 6)
  }

  @Test func `getter and setter look for aspects first`() {
    #expect(text.contains("_ProxySign._Call0(try self._targetSign())._run(_chain)"))
    #expect(
      text.contains(
        "_ProxySign._Call2(_requiredTarget(\"Sign\", self._targetSign), newValue)._runQuietly"))
    #expect(text.contains("final class _Call2: TypedInvocation<Void>"))
    #expect(text.contains("_target.length = a0"))
    #expect(!text.contains("_Call3"))
    #expect(text.contains("public override var target: Any? {"))
  }

  private let methods = diagnostics(
    of: """
      @Proxied(aspects: true) public protocol Sign {
        func paint<T: Codable>(_ value: T, to place: String) throws -> [T] where T: Sendable
        func wash(_ done: @escaping @Sendable (Int) -> Void) throws
        func count(_ number: inout Int, up: Int) throws
        func hang(_ nail: Nail) async throws -> Nail
        nonisolated(nonsending) func move(_ nail: Nail) async throws
        @concurrent func drop(_ name: String) async throws
        func each(_ body: (Int) -> Void) throws
        func pack<each T>(_ value: repeat each T) throws
        func late(_ number: inout Int) async throws
        func narrow() throws(Fault)
        func later() async
      }
      """
  ).expansion

  @Test func `generic methods, functions that escape and inout have calls`() {
    #expect(methods.contains("class _Call0<T: Codable>: TypedInvocation<[T]> where T: Sendable {"))
    #expect(methods.contains("try _target.paint(a0, to: a1)"))
    #expect(
      methods.contains("_ProxySign._Call0(try self._targetSign(), value, place)._run(_chain)"))
    #expect(methods.contains("private var a0: @Sendable (Int) -> Void"))
    #expect(methods.contains("_ a0: @escaping @Sendable (Int) -> Void) {"))
    #expect(methods.contains("let _call = _ProxySign._Call2(try self._targetSign(), number, up)"))
    #expect(methods.contains("number = _call.a0"))
    #expect(methods.contains("try _target.count(&a0, up: a1)"))
  }

  @Test func `what an async call keeps is its own`() {
    #expect(methods.contains("try await _Sent(_target).value.hang(_Sent(a0).value)"))
    #expect(methods.contains("nonisolated(nonsending) func move(_ nail: Nail) async throws {"))
    #expect(methods.contains("try await _Sent(_target).value.drop(_Sent(a0).value)"))
  }

  @Test func `what cannot be kept is closed`() {
    for name in ["each(_:)", "pack(_:)", "late(_:)", "narrow()", "later()"] {
      #expect(
        methods.replacing(/key: \d+/, with: "key: KEY")
          .contains("ForwardedMethod(\"\(name)\", key: KEY, .closed)"))
    }
  }
}
