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

enum Narrow: Error { case gate }

/// One method around which aspects can run, and one of each kind around which they cannot.
@Proxied(aspects: true) protocol Gatehouse: Sendable {
  func plain() throws
  func each(_ body: () -> Void) throws
  func when(_ test: @autoclosure () -> Bool) throws
  func count(_ number: inout Int) async throws
}
extension GatehouseProxy: GatehouseForwarding {}

final class StoneGatehouse: Gatehouse {
  func plain() throws {}
  func each(_ body: () -> Void) throws { body() }
  func when(_ test: @autoclosure () -> Bool) throws {}
  func count(_ number: inout Int) async throws {}
}

@Woven class WovenGatehouse {
  required init() {}
  func plain() throws {}
  func narrow() throws(Narrow) {}
  func later() async {}
  func each(_ body: () -> Void) throws { body() }
  func when(_ test: @autoclosure () -> Bool) throws {}
  func count(_ number: inout Int) async throws {}
  func same() throws -> Self { self }
  func here(_ actor: isolated (any Actor)?) throws {}
}

@Proxied(aspects: true) protocol StampAlbum: Repository<Stamp> {
  func tidy() throws
}
extension StampAlbumProxy: StampAlbumForwarding {}

struct StoredStampAlbum: StampAlbum, Stored {
  let context: any ObjectContext & Sendable
  func tidy() throws {}
}

/// The protocol that its proxy has, and another one.
protocol Tidy {}
final class TidyStall: Stall, Tidy {
  func plain() throws {}
}

final class StallKeeper: Sendable {
  let stall: TidyStall
  init(_ stall: TidyStall) { self.stall = stall }
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
    builder.singleton(named: "shop", { CornerBazaar() })
    return builder
  }

  @Test func `W2 a method that is meant and cannot have the aspect is a note`() throws {
    let builder = shop()
    builder.aspect(named: "log", on: .objects("shop")) { TargetLog(Journal()) }
    let found = builder.check()
    #expect(found.problems.map(\.description) == [])
    #expect(found.notes.count == 1)
    let text = try #require(found.notes.first?.text)
    #expect(text.hasPrefix("aspect \"log\" cannot run around 'each(_:)' of object \"shop\""))
    #expect(text.hasSuffix("leave the method out of the pointcut, or change its parameters"))
  }

  @Test func `W2 what a protocol has from 'Repository' has no transaction, which is an error`() {
    let builder = ContainerBuilder()
    let context = builder.persistentStore(at: .temporary, types: tomeTypes)
    builder.singleton(named: "album", { StoredStampAlbum(context: $0) }, context)
    builder.transactional(on: .objects("album"), context: context)
    let problems = builder.check().problems.map(\.description)
    #expect(problems.count == 3)
    #expect(problems.contains { $0.contains("cannot run around 'delete(_:)' of object \"album\"") })

    let named = ContainerBuilder()
    let other = named.persistentStore(at: .temporary, types: tomeTypes)
    named.singleton(named: "album", { StoredStampAlbum(context: $0) }, other)
    named.transactional(on: .objects("album").methods("tidy"), context: other)
    #expect(named.check().problems.isEmpty)
  }

  @Test func `W2 a method without the transaction that it is meant to have is an error`() {
    let builder = shop()
    let context = builder.persistentStore(at: .temporary, types: tomeTypes)
    builder.transactional(on: .objects("shop"), context: context)
    let problems = builder.check().problems
    #expect(problems.map(\.code) == [.invalidAspect])
    #expect(problems.first?.message.contains("'each(_:)'") == true)
    let others = ContainerBuilder()
    others.singleton(named: "shop", { CornerBazaar() })
    let store = others.persistentStore(at: .temporary, types: tomeTypes)
    others.transactional(on: .objects("shop").methods("plain"), context: store)
    #expect(others.check().problems.map(\.description) == [])
    #expect(others.check().notes.map(\.text) == [])
  }

  @Test(arguments: [false, true])
  func `W2 each kind of method that an aspect leaves out is named`(woven: Bool) throws {
    func found(
      on pointcut: Pointcut, transactional: Bool
    ) -> (problems: [ContainerError.Problem], notes: [ContainerError.Note]) {
      let builder = ContainerBuilder()
      if woven {
        builder.prototype(named: "gate", { WovenGatehouse() })
      } else {
        builder.prototype(named: "gate", { StoneGatehouse() })
      }
      if transactional {
        let context = builder.persistentStore(at: .temporary, types: tomeTypes)
        builder.transactional(on: pointcut, context: context)
      } else {
        builder.aspect(named: "log", on: pointcut) { TargetLog(Journal()) }
      }
      let found = builder.check()
      return (found.problems, found.notes)
    }
    var left = ["each(_:)", "when(_:)", "count(_:)"]
    if woven { left += ["narrow()", "later()", "same()", "here(_:)"] }
    let noted = found(on: .objects("gate"), transactional: false)
    #expect(noted.problems.map(\.description) == [])
    #expect(noted.notes.count == left.count)
    for name in left {
      #expect(noted.notes.filter { $0.text.contains("cannot run around '\(name)'") }.count == 1)
    }
    let refused = found(on: .objects("gate"), transactional: true)
    #expect(refused.problems.map(\.code) == left.map { _ in .invalidAspect })
    #expect(found(on: .everything, transactional: true).problems.map(\.description) == [])
    for name in left {
      let named = found(on: .objects("gate").methods(name), transactional: false)
      #expect(named.problems.map(\.code) == [.invalidAspect])
    }
  }

  @Test func `W2 a class that inherits from a woven one is not woven itself`() throws {
    func found(_ transactional: Bool) -> (problems: [String], notes: [String]) {
      let builder = ContainerBuilder()
      builder.prototype(named: "counter", { FastDesk() })
      builder.prototype(named: "woven", { WovenDesk() })
      let pointcut = Pointcut.objects("counter", "woven").methods("sell")
      if transactional {
        let context = builder.persistentStore(at: .temporary, types: tomeTypes)
        builder.transactional(on: pointcut, context: context)
      } else {
        builder.aspect(named: "log", on: pointcut) { TargetLog(Journal()) }
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
    builder.alias("other", of: builder.singleton(named: "stall", { MarketStall() }))
    builder.aspect(named: "log", on: .objects("other")) { TargetLog(journal) }
    #expect(builder.check().notes.map(\.text) == [])
    try builder.build().object("other", as: StallProxy.self).plain()
    #expect(journal.lines == ["MarketStall"])
  }

  @Test func `W4 a call has its target, behind a proxy and woven`() throws {
    let journal = Journal()
    let builder = ContainerBuilder()
    builder.singleton(named: "stall", { MarketStall() })
    builder.prototype(named: "counter", { WovenDesk() })
    builder.aspect(named: "log", on: .objects("stall", "counter")) { TargetLog(journal) }
    let container = try builder.build()
    try container.object("stall", as: StallProxy.self).plain()
    try container.object("counter", as: WovenDesk.self).sell()
    #expect(journal.lines == ["MarketStall", "WovenDesk"])
  }

  // MARK: - W12

  private func tidy(_ names: String...) -> ContainerBuilder {
    let builder = ContainerBuilder()
    builder.singleton(named: "stall", { TidyStall() })
    for name in names {
      builder.aspect(named: name, on: .objects("stall")) { TargetLog(Journal()) }
    }
    return builder
  }

  @Test func `W12 a request for what an aspect hides names the aspect and @Woven`() throws {
    let container = try tidy("log").build()
    let seen = "a StallProxy, because aspect \"log\" runs around the methods of the TidyStall"
    let advice = "ask for any Stall, or mark TidyStall @Woven: it stays itself then"
    func refused<T>(_ type: T.Type) throws -> ContainerError.Problem {
      let error = #expect(throws: ContainerError.self) {
        _ = try container.object("stall", as: type)
      }
      return try #require(error?.problems.first)
    }
    for problem in [try refused(TidyStall.self), try refused((any Tidy).self)] {
      #expect(problem.code == .typeMismatch)
      #expect(problem.seen == "\"stall\" is \(seen)")
      #expect(problem.nextStep == advice)
    }
    let other = try refused(MarketStall.self)
    #expect(other.seen == "\"stall\" is a StallProxy")
    #expect(other.nextStep == "ask for StallProxy, or for a protocol that it conforms to")
    let byType = #expect(throws: ContainerError.self) {
      _ = try container.object(ofType: TidyStall.self)
    }
    #expect(byType?.problems.first?.code == .noObjectOfType)
    #expect(byType?.problems.first?.seen == "\"stall\" is \(seen)")
    #expect(byType?.problems.first?.nextStep == advice)
  }

  @Test func `W12 a constructor that wants what aspects hide is refused with the reason`() throws {
    let builder = tidy("log", "more")
    builder.singleton(named: "keeper", { StallKeeper($0) }, Ref<TidyStall>("stall"))
    builder.singleton(named: "other", { StallKeeper($0) }, .byType(TidyStall.self))
    let problems = builder.check().problems
    #expect(
      problems.map(\.code).sorted { $0.rawValue < $1.rawValue } == [
        .noObjectOfType, .typeMismatch,
      ])
    for problem in problems {
      #expect(
        problem.seen
          == "\"stall\" is a StallProxy, because aspects \"log\", \"more\" run around the "
          + "methods of the TidyStall")
      #expect(problem.nextStep.hasPrefix("ask for any Stall, or mark TidyStall @Woven"))
    }
  }

  @Test func `W12 explain shows what is behind a proxy with aspects`() throws {
    let text = try tidy("log").build().explain("stall").description
    #expect(text.hasPrefix("\"stall\": StallProxy\n"))
    #expect(
      text.contains("a proxy: because aspect \"log\" runs around the methods of the TidyStall\n"))
  }

  @Test func `W9 an aspect is disposed of after the object that it surrounds`() throws {
    for isAspectFirst in [true, false] {
      let journal = Journal()
      let builder = ContainerBuilder()
      let stall = {
        builder.singleton(named: "stall", { MarketStall { journal.note("object disposed of") } })
      }
      if !isAspectFirst { _ = stall() }
      builder.aspect(named: "log", on: .objects("stall")) { TargetLog(journal) }
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
    builder.singleton(named: "stall", { MarketStall() })
    builder.singleton(named: "other", { MarketStall() })
    builder.transactional(on: .objects("stall"), context: context)
    builder.transactional(on: .objects("other").methods("plain"), context: context)
    #expect(builder.check().problems.map(\.description) == [])
    let names = try builder.build().names
    #expect(names.contains("transactional of stall"))
    #expect(names.contains("transactional of other: plain"))
  }
}
