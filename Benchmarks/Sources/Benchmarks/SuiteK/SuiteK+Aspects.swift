import CBaseline
import Oxbow

extension SuiteK {
  /// Calls with aspects, through proxies and of woven objects, against the same calls without.
  ///
  /// The macros write what is measured, as they do for users.
  static func aspectCases() throws -> [Case] {
    let builder = ContainerBuilder()
    builder.prototype(named: "other", { LoudClerk() })
    builder.prototype(named: "active", { LoudClerk() })
    builder.prototype(named: "threefold", { LoudClerk() })
    builder.prototype(named: "otherTill", WovenTill.init)
    builder.prototype(named: "activeTill", WovenTill.init)
    builder.aspect(named: "rest", on: .objects("other", "otherTill").methods("rest"), { Nothing() })
    builder.aspect(
      named: "call", on: .objects("active", "activeTill").methods("note"), { Nothing() })
    for number in 1...3 {
      builder.aspect(
        named: "call\(number)", on: .objects("threefold").methods("note"), { Nothing() })
    }
    let container = try builder.build()
    return try proxyAspectCases(container) + wovenCases(container)
  }

  private static func proxyAspectCases(_ container: Container) throws -> [Case] {
    let target = someClerk()
    let plain = PlainClerkProxy(source: FixedSource.unchecked(target))
    let limit = "≤ 10 ns more"
    return try [
      ("aspects-none", ClerkProxy(source: FixedSource.unchecked(target)), limit),
      ("aspects-of-another", container.object("other", as: ClerkProxy.self), limit),
      ("aspects-empty", container.object("active", as: ClerkProxy.self), "≤ 70 ns more"),
      ("aspects-three", container.object("threefold", as: ClerkProxy.self), "≤ 140 ns more"),
    ].map { (name: String, proxy: any Clerk, target: String) in
      Case(name, against: "plain proxy", target: target) {
        try note(proxy, $0)
      } theirs: {
        try note(plain, $0)
      }
    }
  }

  private static func wovenCases(_ container: Container) throws -> [Case] {
    let plain = PlainTill()
    return try [
      ("woven-none", WovenTill(), ""),
      ("woven-of-another", container.object("otherTill", as: WovenTill.self), ""),
      ("woven-empty", container.object("activeTill", as: WovenTill.self), "≤ 70 ns more"),
    ].map { (name: String, till: WovenTill, target: String) in
      Case(name, against: "plain method", target: target) { count in
        try sum(till, count) { try $0.note($1) }
      } theirs: { count in
        try sum(plain, count) { try $0.note($1) }
      }
    }
  }
}

/// The same loops for all: calls through a protocol, as code that gets an object injected makes
/// them.
@inline(never) private func note(_ clerk: any Clerk, _ count: Int) throws {
  var sum = 0
  for number in 0..<count { sum &+= try clerk.note(number) }
  consume(sum)
}

@inline(never) private func note(_ clerk: any PlainClerk, _ count: Int) throws {
  var sum = 0
  for number in 0..<count { sum &+= try clerk.note(number) }
  consume(sum)
}

/// Calls a method again and again; C might change the object meanwhile, for all that the optimiser
/// knows.
@inline(__always)
private func sum<O: AnyObject>(_ object: O, _ count: Int, _ call: (O, Int) throws -> Int) throws {
  var sum = 0
  for number in 0..<count {
    escape(object)
    sum &+= try call(object, number)
  }
  withUnsafePointer(to: &sum) { baseline_consume($0) }
}

/// Hides from the optimiser which class it is.
@inline(never) private func someClerk() -> any Clerk & PlainClerk {
  CommandLine.arguments.count > 1000 ? QuietClerk() : LoudClerk()
}

@Proxied protocol PlainClerk {
  func note(_ number: Int) throws -> Int
  func rest() throws
}

@Proxied(aspects: true) protocol Clerk {
  func note(_ number: Int) throws -> Int
  func rest() throws
}

extension PlainClerkProxy: PlainClerkForwarding {}
extension ClerkProxy: ClerkForwarding {}

final class LoudClerk: Clerk, PlainClerk, Sendable {
  @inline(never) func note(_ number: Int) throws -> Int { number &+ 1 }
  func rest() throws {}
}

final class QuietClerk: Clerk, PlainClerk, Sendable {
  @inline(never) func note(_ number: Int) throws -> Int { number }
  func rest() throws {}
}

final class PlainTill: Sendable {
  @inline(never) func note(_ number: Int) throws -> Int { number &+ 1 }
}

@Woven final class WovenTill: Sendable {
  @inline(never) func note(_ number: Int) throws -> Int { number &+ 1 }
  func rest() throws {}
}

/// An aspect of which only the call costs.
private final class Nothing: Aspect {
  func around(_ call: Invocation, proceed: () throws -> Void) throws { try proceed() }
}
