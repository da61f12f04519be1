import Oxbow
import Testing

// IV-13: what a call keeps besides plain arguments, through proxies and in woven classes.

@Proxied protocol Quiet {
  func nothing() throws
}
extension QuietProxy: QuietForwarding {}

@Proxied(aspects: true) protocol Packer {
  func pair<Item>(_ item: Item, _ count: Int) throws -> [Item] where Item: Sendable
  func add(_ number: inout Int, _ words: inout [String], by step: Int) throws
  func add(_ number: inout Int) throws -> Int
  func map(_ numbers: [Int], _ body: @escaping (Int) -> Int) throws -> [Int]
  func each(_ body: (Int) -> Void) throws
  nonisolated(nonsending) func carry(_ cargo: Cargo) async throws -> Cargo
  @concurrent func fetch(_ name: String) async throws -> String
}
extension PackerProxy: PackerForwarding {}

/// Not Sendable.
final class Cargo {
  var weight = 1
}

final class PlainPacker: Packer, Quiet {
  func nothing() throws {}
  func pair<Item>(_ item: Item, _ count: Int) throws -> [Item] where Item: Sendable {
    Array(repeating: item, count: count)
  }
  func add(_ number: inout Int, _ words: inout [String], by step: Int) throws {
    number += step
    if number > 100 { throw Refusal() }
    words.append("\(number)")
  }
  func add(_ number: inout Int) throws -> Int {
    number += 1
    return number
  }
  func map(_ numbers: [Int], _ body: @escaping (Int) -> Int) throws -> [Int] { numbers.map(body) }
  func each(_ body: (Int) -> Void) throws { body(1) }
  nonisolated(nonsending) func carry(_ cargo: Cargo) async throws -> Cargo {
    cargo.weight += 1
    return cargo
  }
  @concurrent func fetch(_ name: String) async throws -> String { name }
}

@Woven final class WovenPacker: Packer {
  func pair<Item>(_ item: Item, _ count: Int) throws -> [Item] where Item: Sendable {
    Array(repeating: item, count: count)
  }
  func add(_ number: inout Int, _ words: inout [String], by step: Int) throws {
    number += step
    if number > 100 { throw Refusal() }
    words.append("\(number)")
  }
  func add(_ number: inout Int) throws -> Int {
    number += 1
    return number
  }
  func map(_ numbers: [Int], _ body: @escaping (Int) -> Int) throws -> [Int] { numbers.map(body) }
  func each(_ body: (Int) -> Void) throws { body(1) }
  nonisolated(nonsending) func carry(_ cargo: Cargo) async throws -> Cargo {
    cargo.weight += 1
    return cargo
  }
  @concurrent func fetch(_ name: String) async throws -> String { name }
}

/// Doubles the last argument that is a number, and what a function among the arguments returns.
private final class Doubling: NonThrowingAspect {
  private let journal: Journal
  init(journal: Journal) { self.journal = journal }

  func before(_ call: Invocation) {
    let last = call.argumentCount - 1
    if let number = call.argument(last, as: Int.self) {
      try? call.setArgument(last, to: number * 2)
    }
    guard let body = call.argument(last, as: ((Int) -> Int).self) else { return }
    let doubled: (Int) -> Int = { body($0) * 2 }
    try? call.setArgument(last, to: doubled)
  }

  func after(_ call: Invocation) { journal.note("\(call.name) \(call.argument(0))") }
}

/// Calls again.
private final class Twice: Aspect {
  func around(_ call: Invocation, proceed: () throws -> Void) throws {
    try proceed()
    try proceed()
  }
}

@Suite struct AspectKeptArgumentsTests {
  enum Way: CaseIterable {
    case proxied, woven
  }

  private let journal = Journal()

  private func packer(
    _ way: Way, _ define: (ContainerBuilder, Pointcut) -> Void
  ) throws -> any Packer {
    let builder = ContainerBuilder()
    if way == .woven {
      builder.prototype(named: "packer", WovenPacker.init)
    } else {
      builder.prototype(named: "packer", { PlainPacker() })
    }
    define(builder, .objects("packer"))
    let container = try builder.build()
    return way == .woven
      ? try container.object("packer", as: WovenPacker.self)
      : try container.object("packer", as: PackerProxy.self)
  }

  private func doubling(_ way: Way, _ method: String) throws -> any Packer {
    try packer(way) { builder, pointcut in
      builder.aspect(named: "doubling", on: pointcut.methods(method)) { [journal] in
        Doubling(journal: journal)
      }
    }
  }

  @Test(arguments: Way.allCases)
  func `IV-13 a generic method has aspects for every type`(way: Way) throws {
    let packer = try doubling(way, "pair")
    #expect(try packer.pair("a", 1) == ["a", "a"])
    #expect(try packer.pair(7, 2) == [7, 7, 7, 7])
    #expect(journal.lines == ["pair(_:_:) a", "pair(_:_:) 7"])
  }

  @Test(arguments: Way.allCases)
  func `IV-13 what is inout goes back to the caller`(way: Way) throws {
    let packer = try doubling(way, "add(_:_:by:)")
    var (number, words) = (1, ["a"])
    try packer.add(&number, &words, by: 2)
    #expect((number, words) == (5, ["a", "5"]))
    number = 100
    #expect(throws: Refusal.self) { try packer.add(&number, &words, by: 1) }
    #expect((number, words) == (102, ["a", "5"]))
    #expect(journal.lines == ["add(_:_:by:) 5", "add(_:_:by:) 102"])
  }

  @Test(arguments: Way.allCases)
  func `IV-13 an aspect changes what is inout, before and after`(way: Way) throws {
    let packer = try doubling(way, "add(_:)")
    var number = 3
    #expect(try packer.add(&number) == 7)
    #expect(number == 7)
    let twice = try self.packer(way) { builder, pointcut in
      builder.aspect(named: "twice", on: pointcut.methods("add(_:_:by:)")) { Twice() }
    }
    var words: [String] = []
    try twice.add(&number, &words, by: 1)
    #expect((number, words) == (9, ["8", "9"]))
  }

  @Test(arguments: Way.allCases)
  func `IV-13 a function that escapes is an argument`(way: Way) throws {
    let packer = try doubling(way, "map")
    #expect(try packer.map([1, 2]) { $0 + 1 } == [4, 6])
  }

  @Test(arguments: Way.allCases)
  func `IV-14 a function that does not escape is refused where it is named`(way: Way) throws {
    let error = #expect(throws: ContainerError.self) { try doubling(way, "each") }
    #expect(error?.code == .invalidAspect)
    let seen = error?.problems.first?.seen ?? ""
    #expect(seen.contains("functions that do not escape"))
  }

  @Test(arguments: Way.allCases)
  func `IV-13 async methods keep what is not Sendable`(way: Way) async throws {
    let packer = try packer(way) { builder, pointcut in
      builder.aspect(named: "steps", on: pointcut.methods("carry", "fetch")) { [journal] in
        Steps(name: "a", journal: journal)
      }
    }
    let cargo = Cargo()
    #expect(try await packer.carry(cargo) === cargo)
    #expect(cargo.weight == 2)
    #expect(journal.lines.map { $0.prefix(8) } == ["a before", "a return", "a after"])
    #expect(try await packer.fetch("Eden") == "Eden")
    #expect(journal.lines.count == 6)
  }

  @Test func `IV-21 a protocol without aspects is not in the way`() throws {
    let packer = try doubling(.proxied, "pair")
    #expect(packer is PackerProxy)
    #expect(try packer.pair(1, 1) == [1, 1])
  }
}
