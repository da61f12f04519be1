import OxbowRuntime

extension SuiteK {
  /// Calls through proxies against the same calls without one.
  static func proxyCases() throws -> [Case] {
    let builder = ContainerBuilder()
    let teller = builder.prototype(named: "teller", LoudTeller.init)
    let lazy = builder.proxy(named: "lazy", .lazy, of: teller, as: TellerProxy.self)
    let local = builder.proxy(named: "local", .threadLocal, of: teller, as: TellerProxy.self)
    let container = try builder.build()
    let target = try container.object(teller)
    let plain = TellerProxy(source: FixedSource.unchecked(target))
    let asked = TellerProxy(source: AskedSource(target))
    let direct = CommandLine.arguments.isEmpty ? plain : someTeller()
    let limit = "≤ 20 ns more"
    return try [
      ("proxy-plain", plain), ("proxy-lazy", container.object(lazy)),
      ("proxy-thread-local", container.object(local)), ("proxy-asking", asked),
    ].map { (name: String, proxy: any Teller) in
      Case(name, against: "direct call", target: limit) {
        try call(proxy, $0)
      } theirs: {
        try call(direct, $0)
      }
    }
  }
}

/// The same loop for all: calls through a protocol, as code that gets an object injected makes
/// them.
@inline(never) private func call(_ teller: any Teller, _ count: Int) throws {
  var sum = 0
  for number in 0..<count { sum &+= try teller.tell(number) }
  consume(sum)
}

/// Hides from the optimiser which class it is.
@inline(never) private func someTeller() -> any Teller {
  CommandLine.arguments.count > 1000 ? QuietTeller() : LoudTeller()
}

protocol Teller {
  func tell(_ number: Int) throws -> Int
}

final class LoudTeller: Teller, Sendable {
  @inline(never) func tell(_ number: Int) throws -> Int { number &+ 1 }
}

final class QuietTeller: Teller, Sendable {
  @inline(never) func tell(_ number: Int) throws -> Int { number }
}

// MARK: - What `@Proxied` writes for the protocol

protocol TellerForwarding: CallForwarding {
  typealias _TargetTeller = any Teller
  func _targetTeller() throws -> any Teller
  var _borrowedTeller: BorrowedTarget<any Teller>? { get }
}

final class TellerProxy: TellerForwarding, Teller, ForwardingProxy {
  let _source: any ProxySource<any Teller>
  let _callObserver: (any CallObserver)?
  let _targetAccess: TargetAccess<any Teller>?

  nonisolated init(source: any ProxySource<any Teller>) {
    _source = source
    _callObserver = source.callObserver
    _targetAccess = _callObserver == nil ? source.targetAccess : nil
  }

  nonisolated static func accepts(_ type: any Any.Type) -> Bool { type is any Teller.Type }
  nonisolated func _targetTeller() throws -> any Teller { try _source.target() }
  @inline(__always) nonisolated var _borrowedTeller: BorrowedTarget<any Teller>? {
    _targetAccess?.borrowed
  }
}

extension Teller where Self: TellerForwarding {
  nonisolated var _borrowedTeller: BorrowedTarget<any Teller>? { nil }
  nonisolated func tell(_ number: Int) throws -> Int {
    if let _borrowed = _borrowedTeller {
      return try _borrowed.call(for: self) { try $0.tell(number) }
    }
    _callObserver?.willCall(ForwardedCall("tell(_:)", of: "Teller", .call, [.of(number)]))
    return try _targetTeller().tell(number)
  }
}

/// A source with nothing but the required members, as a user would write one.
///
/// Sendable by argument: the target never changes and its class is `Sendable`.
private final class AskedSource: ProxySource, @unchecked Sendable {
  let stored: any Teller
  init(_ target: any Teller) { stored = target }
  func target() throws -> any Teller { stored }
}
