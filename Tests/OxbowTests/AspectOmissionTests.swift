import Foundation
import Oxbow
import OxbowTestSupport
import Testing

// W2: where a pointcut means a method, and the aspect does not run. W4: whose call it is.

@Proxied(aspects: true) protocol Bazaar: Sendable {
  func each(_ body: () -> Void) throws
  func plain() throws
}
extension BazaarProxy: BazaarForwarding {}

final class CornerBazaar: Bazaar {
  func each(_ body: () -> Void) throws { body() }
  func plain() throws {}
}

@Proxied(aspects: true) protocol Stall: Sendable { func plain() throws }
extension StallProxy: StallForwarding {}

final class MarketStall: Stall, Disposable {
  let end: @Sendable () -> Void
  init(end: @escaping @Sendable () -> Void = {}) { self.end = end }
  func plain() throws {}
  func dispose() { end() }
}

@Woven class SalesDesk {
  func sell() throws {}
}
final class FastDesk: SalesDesk {
  override func sell() throws {}
}
@Woven final class WovenDesk: SalesDesk {
  override func sell() throws {}
}

/// Notes the objects whose methods are called.
final class TargetLog: NonThrowingAspect, AsyncAspect, Disposable {
  let journal: Journal
  init(_ journal: Journal) { self.journal = journal }
  func before(_ call: Invocation) {
    journal.note("\(call.target.map { "\(type(of: $0))" } ?? "nil")")
  }
  func dispose() { journal.note("aspect disposed of") }
}

@Suite struct AspectOmissionTests {
  private func shop() -> ContainerBuilder {
    let builder = ContainerBuilder()
    builder.singleton("shop", { CornerBazaar() })
    return builder
  }

  @Test func `W2 a method that is meant and cannot have the aspect is a note`() throws {
    let builder = shop()
    builder.aspect("log", on: .objects("shop")) { TargetLog(Journal()) }
    let found = builder.check()
    #expect(found.problems.map(\.description) == [])
    #expect(found.notes.count == 1)
    let text = try #require(found.notes.first?.text)
    #expect(text.hasPrefix("aspect \"log\" cannot run around 'each(_:)' of object \"shop\""))
    #expect(text.hasSuffix("leave the method out of the pointcut, or change its parameters"))
  }

  @Test func `W2 a method without the transaction that it is meant to have is an error`() {
    let builder = shop()
    let context = builder.persistentStore(at: .temporary, types: tomeTypes)
    builder.transactional(on: .objects("shop"), context: context)
    let problems = builder.check().problems
    #expect(problems.map(\.code) == [.invalidAspect])
    #expect(problems.first?.message.contains("'each(_:)'") == true)
    let others = ContainerBuilder()
    others.singleton("shop", { CornerBazaar() })
    let store = others.persistentStore(at: .temporary, types: tomeTypes)
    others.transactional(on: .objects("shop").methods("plain"), context: store)
    #expect(others.check().problems.map(\.description) == [])
    #expect(others.check().notes.map(\.text) == [])
  }

  @Test func `W2 a class that inherits from a woven one is not woven itself`() throws {
    func found(_ transactional: Bool) -> (problems: [String], notes: [String]) {
      let builder = ContainerBuilder()
      builder.prototype("counter", { FastDesk() })
      builder.prototype("woven", { WovenDesk() })
      let pointcut = Pointcut.objects("counter", "woven").methods("sell")
      if transactional {
        let context = builder.persistentStore(at: .temporary, types: tomeTypes)
        builder.transactional(on: pointcut, context: context)
      } else {
        builder.aspect("log", on: pointcut) { TargetLog(Journal()) }
      }
      let found = builder.check()
      return (found.problems.map(\.message), found.notes.map(\.text))
    }
    let noted = found(false)
    #expect(noted.problems == [])
    #expect(noted.notes.count == 1)
    #expect(noted.notes.first?.contains("mark \"FastDesk\" @Woven as well") == true)
    let refused = found(true)
    #expect(refused.problems.count == 1)
    #expect(refused.problems.first?.contains("own methods of class \"FastDesk\"") == true)
  }

  @Test func `W2 a pointcut may name an alias`() throws {
    let journal = Journal()
    let builder = ContainerBuilder()
    builder.alias("other", of: builder.singleton("stall", { MarketStall() }))
    builder.aspect("log", on: .objects("other")) { TargetLog(journal) }
    #expect(builder.check().notes.map(\.text) == [])
    try builder.build().object("other", as: StallProxy.self).plain()
    #expect(journal.lines == ["MarketStall"])
  }

  @Test func `W4 a call has its target, behind a proxy and woven`() throws {
    let journal = Journal()
    let builder = ContainerBuilder()
    builder.singleton("stall", { MarketStall() })
    builder.prototype("counter", { WovenDesk() })
    builder.aspect("log", on: .objects("stall", "counter")) { TargetLog(journal) }
    let container = try builder.build()
    try container.object("stall", as: StallProxy.self).plain()
    try container.object("counter", as: WovenDesk.self).sell()
    #expect(journal.lines == ["MarketStall", "WovenDesk"])
  }

  @Test func `W9 an aspect is disposed of after the object that it surrounds`() throws {
    for isAspectFirst in [true, false] {
      let journal = Journal()
      let builder = ContainerBuilder()
      let stall = {
        builder.singleton("stall", { MarketStall { journal.note("object disposed of") } })
      }
      if !isAspectFirst { _ = stall() }
      builder.aspect("log", on: .objects("stall")) { TargetLog(journal) }
      if isAspectFirst { _ = stall() }
      let container = try builder.build()
      try container.object("stall", as: StallProxy.self).plain()
      try container.shutDown()
      #expect(journal.lines == ["MarketStall", "object disposed of", "aspect disposed of"])
    }
  }

  @Test func `E7 several aspects of a kind have names of their own`() throws {
    let builder = ContainerBuilder()
    let context = builder.persistentStore(at: .temporary, types: tomeTypes)
    builder.singleton("stall", { MarketStall() })
    builder.singleton("other", { MarketStall() })
    builder.transactional(on: .objects("stall"), context: context)
    builder.transactional(on: .objects("other").methods("plain"), context: context)
    #expect(builder.check().problems.map(\.description) == [])
    let names = try builder.build().names
    #expect(names.contains("transactional of stall"))
    #expect(names.contains("transactional of other: plain"))
  }
}
