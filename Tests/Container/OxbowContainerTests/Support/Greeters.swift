import OxbowContainer
import Synchronization

// A small protocol with a parent, and what `@Proxied` emits for both, written by hand: without
// observers, and for the parent without loans.

protocol Named {
  func name() throws -> String
}

protocol Greeter: Named {
  var count: Int { get throws }
  func greet(_ guest: String) throws -> String
}

protocol NamedForwarding {
  func _targetNamed() throws -> any Named
}

final class NamedProxy: NamedForwarding, Named, ForwardingProxy {
  let _source: any ProxySource<any Named>
  nonisolated init(source: any ProxySource<any Named>) { _source = source }
  nonisolated static func accepts(_ type: any Any.Type) -> Bool { type is any Named.Type }
  nonisolated func _targetNamed() throws -> any Named { try _source.target() }
}

extension Named where Self: NamedForwarding {
  nonisolated func name() throws -> String { try _targetNamed().name() }
}

protocol GreeterForwarding: NamedForwarding {
  func _targetGreeter() throws -> any Greeter
  var _borrowedGreeter: BorrowedTarget<any Greeter>? { get }
}

final class GreeterProxy: GreeterForwarding, Greeter, ForwardingProxy {
  let _source: any ProxySource<any Greeter>
  let _targetAccess: TargetAccess<any Greeter>?
  nonisolated init(source: any ProxySource<any Greeter>) {
    _source = source
    _targetAccess = source.targetAccess
  }
  nonisolated static func accepts(_ type: any Any.Type) -> Bool { type is any Greeter.Type }
  nonisolated func _targetGreeter() throws -> any Greeter { try _source.target() }
  nonisolated var _borrowedGreeter: BorrowedTarget<any Greeter>? { _targetAccess?.borrowed }
}

extension Greeter where Self: GreeterForwarding {
  nonisolated func _targetNamed() throws -> any Named { try _targetGreeter() }
  nonisolated var count: Int {
    get throws {
      if let _borrowed = _borrowedGreeter { return try _borrowed.call(for: self) { try $0.count } }
      return try _targetGreeter().count
    }
  }
  nonisolated func greet(_ guest: String) throws -> String {
    if let _borrowed = _borrowedGreeter {
      return try _borrowed.call(for: self) { try $0.greet(guest) }
    }
    return try _targetGreeter().greet(guest)
  }
}

/// Counts how many were made, so that tests see what a proxy builds and when.
final class Tally: Sendable {
  private let made = Atomic<Int>(0)
  private let ended = Atomic<Int>(0)
  var count: Int { made.load(ordering: .sequentiallyConsistent) }
  var endedCount: Int { ended.load(ordering: .sequentiallyConsistent) }
  func add() { made.add(1, ordering: .sequentiallyConsistent) }
  func end() { ended.add(1, ordering: .sequentiallyConsistent) }
}

/// A greeter for one thread: not Sendable, and it counts its calls without a lock.
final class ThreadGreeter: Greeter {
  private var greeted = 0
  private let tally: Tally
  init(tally: Tally) {
    self.tally = tally
    tally.add()
  }
  deinit { tally.end() }
  var count: Int { greeted }
  func name() throws -> String { "thread greeter" }
  func greet(_ guest: String) throws -> String {
    greeted += 1
    return "Hello \(guest), number \(greeted)"
  }
}

/// A greeter for everybody.
final class SharedGreeter: Greeter, Sendable {
  init(tally: Tally) { tally.add() }
  var count: Int { 0 }
  func name() throws -> String { "shared greeter" }
  func greet(_ guest: String) throws -> String { "Hello \(guest)" }
}
