import SwiftSyntaxMacrosGenericTestSupport
import Testing

@Suite struct ProxiedDiagnosticsTests {
  @Test func `a requirement that does not throw is warned about, with a fix-it`() {
    let found = diagnostics(
      of: """
        @Proxied
        protocol P {
          func plain(_ x: Int) -> Int
          func waits() async
          var count: Int { get }
        }
        """, applying: "add 'throws'")
    #expect(found.messages == ["plain", "waits", "count"].map(notThrowing))
    #expect(found.places == ["3:8", "4:8", "5:7"])
    #expect(
      found.fixedSource == """
        @Proxied
        protocol P {
          func plain(_ x: Int) throws -> Int
          func waits() async throws
          var count: Int { get throws }
        }
        """)
    #expect(
      found.forwardingMembers == """
        nonisolated extension PForwarding {
          /// Nothing, unless a class says otherwise.
          var _borrowedP: BorrowedTarget<_TargetP>? {
            nil
          }

          /// Forwards to the target. A protocol that has a default for it must declare it again.
          func plain(_ x: Int) -> Int {
            if let _borrowed = _borrowedP {
              return _borrowed.call(for: self) {
                $0.plain(x)
              }
            }
            _callObserver?.willCall(ForwardedCall("plain(_:)", of: "P", .call, [.of(x)]))
            return _requiredTarget("P", _targetP).plain(x)
          }

          /// Forwards to the target. A protocol that has a default for it must declare it again.
          func waits() async {
            _callObserver?.willCall(ForwardedCall("waits()", of: "P", .call))
            return await _requiredTarget("P", _targetP).waits()
          }

          /// Forwards to the target. A protocol that has a default for it must declare it again.
          var count: Int {
            get {
              if let _borrowed = _borrowedP {
                return _borrowed.call(for: self) {
                  $0.count
                }
              }
              _callObserver?.willCall(ForwardedCall("count", of: "P", .read))
              return _requiredTarget("P", _targetP).count
            }
          }
        }
        """)
  }

  @Test func `a requirement with limited errors is warned about, with a fix-it`() {
    let found = diagnostics(
      of: """
        @Proxied
        protocol P {
          func limited() throws(Problem) -> Int
          func each(_ body: () throws -> Void) rethrows
        }
        """, applying: "throw any error")
    #expect(
      found.messages == [limited("limited", "throws(Problem)"), limited("each", "rethrows")])
    #expect(found.places == ["3:8", "4:8"])
    #expect(
      found.fixedSource == """
        @Proxied
        protocol P {
          func limited() throws -> Int
          func each(_ body: () throws -> Void) throws
        }
        """)
    #expect(
      found.forwardingMembers == """
        nonisolated extension PForwarding {
          /// Nothing, unless a class says otherwise.
          var _borrowedP: BorrowedTarget<_TargetP>? {
            nil
          }

          /// Forwards to the target. A protocol that has a default for it must declare it again.
          func limited() throws(Problem) -> Int {
            _callObserver?.willCall(ForwardedCall("limited()", of: "P", .call))
            return try _requiredTarget("P", _targetP).limited()
          }

          /// Forwards to the target. A protocol that has a default for it must declare it again.
          func each(_ body: () throws -> Void) rethrows {
            _callObserver?.willCall(ForwardedCall("each(_:)", of: "P", .call, [.unseen("function")]))
            return try _requiredTarget("P", _targetP).each(body)
          }
        }
        """)
  }

  private func notThrowing(_ name: String) -> String {
    "'\(name)' does not throw, so a proxy cannot report that its target is missing or failed "
      + "to build and would stop the process; make it throwing"
  }

  private func limited(_ name: String, _ clause: String) -> String {
    "'\(name)' is declared '\(clause)', so a proxy cannot report that its target is missing or "
      + "failed to build and would stop the process; make it plainly throwing"
  }

  /// A protocol with one member (or a whole declaration), refused with one message.
  @Test(arguments: refusals)
  func `what a proxy cannot replace is refused`(_ refusal: Refusal) {
    let source = refusal.source.replacing(#/@Proxied(\(.*\))? ?/#, with: "", maxReplacements: 1)
    // So that the line with the conformance is no second error.
    let standIns = "\n\nprotocol PForwarding {\n}\n\nfinal class PProxy {\n}"
    assertExpansion(
      refusal.source, to: source.contains("protocol P") ? source + standIns : source,
      diagnostics: [
        DiagnosticSpec(message: refusal.message, line: refusal.line, column: refusal.column)
      ])
  }

  struct Refusal: Sendable {
    let source: String
    let message: String
    var line = 1
    var column = 1
  }

  static let refusals: [Refusal] = [
    Refusal(
      source: "@Proxied class C {}",
      message: "'@Proxied' generates a proxy for a protocol, and 'C' is a class; "
        + "declare a protocol for what callers need and attach it there", column: 1),
    Refusal(
      source: "@Proxied @MainActor protocol P {}",
      message: "a proxy of 'P' would be called from any thread, but the protocol is isolated to "
        + "'MainActor'; declare it 'nonisolated'", column: 10),
    Refusal(
      source: "@Proxied protocol P: Hashable {}",
      message: "a proxy cannot forward 'Hashable', because that protocol is not '@Proxied'; "
        + "declare the requirements that callers need in this protocol instead", column: 22),
    Refusal(
      source: "@Proxied protocol P {\n  associatedtype Key\n}",
      message: "a proxy reaches its target through 'any', which leaves the associated type 'Key' "
        + "open; make it a primary associated type of the protocol", line: 2, column: 3),
    Refusal(
      source: "@Proxied(also: 1) protocol P {}",
      message: "'also:' takes protocols spelled as 'Name.self'", column: 16),
    Refusal(
      source: "@Proxied(also: Named.self) protocol P: Named {}",
      message:
        "'Named' is a direct parent and is forwarded already; 'also:' is for a protocol that "
        + "several parents refine", column: 16),
    Refusal(
      source: "@Proxied protocol P {\n  init()\n}",
      message: "a proxy cannot forward an initializer: its target exists already or is built "
        + "elsewhere", line: 2, column: 3),
    Refusal(
      source: "@Proxied protocol P {\n  static func make() throws\n}",
      message: "a proxy takes the place of an object and cannot forward the static 'make'", line: 2,
      column: 3),
    Refusal(
      source: "@Proxied protocol P {\n  mutating func clear() throws\n}",
      message: "'clear' would change a copy of the proxy's target, and the change would be lost; "
        + "make the protocol refine 'AnyObject' and drop 'mutating'", line: 2, column: 3),
    Refusal(
      source: "@Proxied protocol P {\n  var name: String { get set }\n}",
      message: "setting 'name' would change a copy of the proxy's target, and the change would be "
        + "lost; make the protocol refine 'AnyObject', or drop the setter", line: 2, column: 7),
    Refusal(
      source: "@Proxied protocol P {\n  func add(_ x: Int...) throws\n}",
      message: "Swift cannot pass variadic arguments on, so 'add' cannot be forwarded; "
        + "take an array", line: 2, column: 12),
    Refusal(
      source: "@Proxied protocol P {\n  func copy() throws -> Self\n}",
      message: "'copy' mentions 'Self', which is the proxy here and the target there; "
        + "spell the protocol's type instead", line: 2, column: 25),
    Refusal(
      source: """
        @Proxied
        protocol P {
          #if DEBUG
          func check() throws
          #endif
        }
        """,
      message: "'@Proxied' cannot see which branch of '#if' is compiled; declare two protocols "
        + "instead", line: 3, column: 3),
  ]
}
