import Testing

@Suite struct ProxiedParentTests {
  @Test func `a protocol that refines a generic one binds its types or hands them on`() {
    let bound = diagnostics(
      of: "@Proxied protocol Numbers: Shelf<Int> where Self: Named, Value == String {}")
    #expect(bound.messages.isEmpty)
    #expect(
      bound.expansion.contains(
        "protocol NumbersForwarding: Numbers, CallForwarding, ShelfForwarding<Int>, "
          + "NamedForwarding {"))
    #expect(bound.expansion.contains("func _targetShelf() throws -> _TargetShelf {"))
    #expect(bound.expansion.contains("func opened(_ target: some Numbers) -> _TargetShelf {"))
    #expect(bound.expansion.contains("func _targetNamed() throws -> _TargetNamed {"))

    let open = diagnostics(
      of: "@Proxied protocol Big<Key>: Shelf where Key: Hashable, Other == Key {}")
    #expect(open.messages.isEmpty)
    #expect(
      open.expansion.contains(
        "protocol BigForwarding<Key>: Big, CallForwarding, ShelfForwarding {"))
    #expect(
      open.expansion.contains("class BigProxy<Key>: ForwardingProxy where Key: Hashable {"))
    #expect(!open.expansion.contains("associatedtype"))
  }

  @Test func `a protocol that several parents refine is reached directly`() {
    let found = diagnostics(of: "@Proxied(also: Named.self) protocol Both: Left, Right {}")
    #expect(
      found.expansion.contains(
        "protocol BothForwarding: Both, CallForwarding, LeftForwarding, RightForwarding, "
          + "NamedForwarding {"))
    #expect(
      found.forwardingMembers == """
        nonisolated extension BothForwarding {
          /// Nothing, unless a class says otherwise.
          var _borrowedBoth: BorrowedTarget<_TargetBoth>? {
            nil
          }

          /// Returns the target as its parent. Where that is ambiguous, add `also: Left.self`.
          func _targetLeft() throws -> any Left {
            try _targetBoth()
          }

          /// Returns the target as its parent. Where that is ambiguous, add `also: Right.self`.
          func _targetRight() throws -> any Right {
            try _targetBoth()
          }

          /// Returns the target as its parent. Where that is ambiguous, add `also: Named.self`.
          func _targetNamed() throws -> any Named {
            try _targetBoth()
          }
        }
        """)
  }

  @Test func `D7 members forward in an extension that no default of another protocol outranks`() {
    let found = diagnostics(of: "@Proxied protocol P: Named { func f() throws }")
    #expect(found.expansion.contains("nonisolated extension PForwarding {"))
    #expect(!found.expansion.contains("where Self: PForwarding"))
  }

  @Test func `D7 the line beside a second match says what to write`() {
    let found = diagnostics(of: "@Proxied protocol P { func f() throws }")
    #expect(
      found.forwardingMembers.contains(
        """
          /// Forwards to the target. A protocol that has a default for it must declare it again.
          func f() throws {
        """))
  }

  @Test func `the members are handed on whatever text is in their attributes`() {
    let attribute = ###"@available(*, deprecated, message: ##"no \# and no """#"##)"###
    let found = diagnostics(of: "@Proxied protocol P { \(attribute) func f() throws }")
    #expect(found.messages.isEmpty)
    #expect(found.forwardingMembers.contains(attribute + "\n  func f() throws {"))
  }
}
