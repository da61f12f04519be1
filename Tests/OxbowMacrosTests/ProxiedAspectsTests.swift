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
    #expect(text.contains("target.length = a0"))
    #expect(!text.contains("_Call3"))
  }
}
