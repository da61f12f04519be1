// Bodies that are hard to put into a function.
// expect-ok

import Oxbow

struct Refused: Error {}

final class Cargo {
  var weight = 0
}

@Woven open class Till {
  public var sold: [String] = []
  var next: Till?
  public init() {}

  open func choose(_ number: Int) -> String { if number > 1 { "many" } else { "one" } }
  func switched(_ number: Int) throws -> String {
    switch number {
    case 1: "one"
    default: throw Refused()
    }
  }
  func captured() throws -> [Int] {
    [1, 2].map { [weak self, sold] in $0 + sold.count + (self?.sold.count ?? 0) }
  }
  func task() async throws -> Int {
    try await withCheckedThrowingContinuation { done in done.resume(returning: 3) }
  }
  func carried(_ cargo: Cargo) async throws -> Cargo { try await handed(cargo, await weight()) }
  func handed(_ cargo: Cargo, _ weight: Int) async throws -> Cargo { cargo }
  func weight() async -> Int { sold.count }
  func deferred() throws {
    defer { sold.append("b") }
    sold.append("a")
  }
  func empty() {}
  nonisolated(nonsending) func stayed(_ cargo: Cargo) async throws -> Cargo { cargo }
  @concurrent func left(_ name: String) async throws -> String { name }
  func listed<Item: Hashable, Other>(_ item: Item, _ others: [Other]) throws -> [Item: Other]
  where Other: Sendable { [:] }
  func later<Item: Sendable>(
    _ item: Item, _ body: @escaping @Sendable (Item) async throws -> Cargo?
  ) async throws -> Item { item }
  func added(_ number: inout Int, _ all: inout [Cargo], by step: Int = 1) throws {
    let more = { [step] (number: inout Int) in number += step }
    more(&number)
    all = []
  }
  func watched(_ body: @escaping (inout Int) -> Void) -> (Int) -> Void { { _ in } }
  func shadow(_ sold: [String], self other: Int) -> Int { sold.count + other + self.sold.count }
  func `default`(_ `in`: Int, for `func`: Int) throws -> Int { `in` + `func` }
  func pair(_ a: (Int, Int), _ b: [String: Int?], _ c: (any Error)?, _ d: ((Int) -> Void)?) throws
    -> (Int, Int)
  { a }
  func nested() throws -> Int {
    func inner() throws -> Int { try inner2() }
    func inner2() throws -> Int { sold.count }
    return try inner()
  }
  @discardableResult final func count() -> Int { sold.count }
  private func hidden(_ a: Hidden) throws -> Hidden { a }
  fileprivate func hidden() throws { _ = try hidden(Hidden()) }
  private struct Hidden {}
}

@Woven final class Deeper: Till {
  override func choose(_ number: Int) -> String { super.choose(number) + "!" }
}

@Woven public final class Chest<Value: Sendable>: Sendable {
  let value: Value
  init(_ value: Value) { self.value = value }
  public func get(_ other: Value) throws -> Value { value }
  func all() async throws -> [Value] { [value, value] }
  func pair<Other: Sendable>(_ other: Other) throws -> (Value, Other) where Value: Hashable {
    (value, other)
  }
}

enum Space {
  @Woven final class Inner {
    typealias Key = String
    func get(_ key: Key) throws -> Key { key }
  }
}

@Woven final class Coded: Codable {
  var count = 1
  private enum CodingKeys: String, CodingKey { case count }
  func raise(_ step: Int) { count += step }
}
