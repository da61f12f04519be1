// Woven classes as optimized builds see them. `HandWoven` is what the macro writes for `Till`, by
// hand; `Counter` is the only other type of their protocol.

import Oxbow

protocol Seller: AnyObject {
  func sell(_ title: String, for price: Int) throws -> Int
  func price(of title: String) -> Int
  func ship(_ title: String) async throws -> String
}

@Woven final class Till: Seller {
  var sold: [String] = []
  func sell(_ title: String, for price: Int) throws -> Int {
    if title.isEmpty { throw Nothing() }
    sold.append(title)
    return self.price(of: title) + price
  }
  func price(of title: String) -> Int { title.count }
  func ship(_ title: String) async throws -> String {
    try await pack(title) + " shipped"
  }
  func pack(_ title: String) async throws -> String { "[\(title)]" }
}

final class HandWoven: Seller, WovenObject {
  let _weaving = WovenSlot()
  func _weave(_ aspects: AspectTable) throws { try _weaving._fill(aspects) }
  static var _wovenMethods: [ForwardedMethod] {
    [ForwardedMethod("price(of:)", key: 1, .nonThrowing)]
  }

  func sell(_ title: String, for price: Int) throws -> Int { self.price(of: title) + price }
  func price(of title: String) -> Int {
    func original(_ title: String) -> Int { title.count }
    if let chain = _weaving[1] { return PriceCall(title, original)._runQuietly(chain) }
    return original(title)
  }
  func ship(_ title: String) async throws -> String { title }

  private final class PriceCall: TypedInvocation<Int> {
    private let title: String
    private let original: (String) -> Int
    init(_ title: String, _ original: @escaping (String) -> Int) {
      (self.title, self.original) = (title, original)
      super.init("price(of:)", of: "HandWoven", arguments: 1)
    }
    override func _callQuietly() -> Int { original(title) }
    override func argument(_ index: Int) -> Any {
      index == 0 ? title : super.argument(index)
    }
  }
}

final class Counter: Seller {
  let words = ["a", "b"]
  func sell(_ title: String, for price: Int) throws -> Int { words.count }
  func price(of title: String) -> Int { words.count }
  func ship(_ title: String) async throws -> String { words[0] }
}

@Woven class Shelf<Value: Sendable> {
  var values: [Value] = []
  required init() {}
  func put(_ value: Value) throws -> Int {
    values.append(value)
    return try size()
  }
  @discardableResult func size() throws -> Int { values.count }
}

@Woven final class LabelledShelf: Shelf<String> {
  override func put(_ value: String) throws -> Int { try super.put("<" + value + ">") }
}

struct Nothing: Error {}

@Woven final class Packer {
  func pair<Item>(_ item: Item, _ count: Int) throws -> [Item] where Item: Sendable {
    Array(repeating: item, count: count)
  }
  func add(_ number: inout Int, _ words: inout [String], by step: Int) throws {
    number += step
    if number > 100 { throw Nothing() }
    words.append("\(number)")
  }
  func map(_ numbers: [Int], _ body: @escaping (Int) -> Int) -> [Int] { numbers.map(body) }
}

/// Not Sendable, in a module whose async methods leave the caller's actor.
final class Cargo: CustomStringConvertible {
  var weight = 1
  var description: String { "cargo of \(weight)" }
}

@Proxied(aspects: true) protocol Porter {
  var load: Cargo { get async throws }
  func carry(_ cargo: Cargo, to place: String) async throws -> Cargo
  func pair<Item>(_ item: Item, _ count: Int) throws -> [Item] where Item: Sendable
  func add(_ number: inout Int, by step: Int) throws
  func map(_ numbers: [Int], _ body: @escaping (Int) -> Int) -> [Int]
}
extension PorterProxy: PorterForwarding {}

final class Donkey: Porter {
  var load: Cargo {
    get async throws { Cargo() }
  }
  func carry(_ cargo: Cargo, to place: String) async throws -> Cargo {
    cargo.weight += place.count
    return cargo
  }
  func pair<Item>(_ item: Item, _ count: Int) throws -> [Item] where Item: Sendable {
    Array(repeating: item, count: count)
  }
  func add(_ number: inout Int, by step: Int) throws { number += step }
  func map(_ numbers: [Int], _ body: @escaping (Int) -> Int) -> [Int] { numbers.map(body) }
}

final class Watch: NonThrowingAspect, AsyncAspect {
  func before(_ call: Invocation) { print("\(call.objectName ?? "?"): \(call)") }
  func afterReturning(_ call: Invocation) { print("→ \(call.result ?? "nothing")") }
  func after(_ call: Invocation) {}
}

final class Doubled: NonThrowingAspect {
  func afterReturning(_ call: Invocation) {
    if let number = call.result as? Int { try? call.setResult(number * 2) }
  }
}

func use(_ seller: any Seller) async throws {
  print(try seller.sell("Eden", for: 10), seller.price(of: "Solaris"))
  print(try await seller.ship("Fiasco"))
}

let builder = ContainerBuilder()
builder.prototype(named: "till", { Till() })
builder.prototype(named: "byHand", { HandWoven() })
builder.prototype(named: "shelf", { LabelledShelf() })
builder.aspect(named: "watch", on: .objects("till", "byHand", "shelf"), { Watch() })
builder.aspect(named: "doubled", on: .everything.methods("price"), { Doubled() })
let container = try builder.build()

let till = try container.object("till", as: Till.self)
try await use(till)
do { _ = try till.sell("", for: 1) } catch { print(error) }
print(till.sold)
try await use(try container.object("byHand", as: HandWoven.self))
let shelf = try container.object("shelf", as: LabelledShelf.self)
print(try shelf.put("Eden"), shelf.values)
try await use(Till())
try await use(HandWoven())
try await use(Counter())

final class Stepped: Aspect {
  func around(_ call: Invocation, proceed: () throws -> Void) throws {
    if let step = call.argument(call.argumentCount - 1, as: Int.self) {
      try call.setArgument(call.argumentCount - 1, to: step + 1)
    }
    try proceed()
    print("\(call.name): \(call.argument(0)), \(call.result ?? "nothing")")
  }
}

final class Shifted: NonThrowingAspect {
  func before(_ call: Invocation) {
    guard let body = call.argument(1, as: ((Int) -> Int).self) else { return }
    let shifted: (Int) -> Int = { body($0) + 1 }
    try? call.setArgument(1, to: shifted)
  }
}

func use(_ packer: Packer) throws {
  var (number, words) = (1, [String]())
  try packer.add(&number, &words, by: 2)
  print(number, words)
  number = 100
  do { try packer.add(&number, &words, by: 2) } catch { print(error, number, words) }
  print(try packer.pair("a", 1), try packer.pair(7, 2))
  print(packer.map([1, 2]) { $0 * 10 })
}

func use(_ porter: any Porter) throws {
  var number = 1
  try porter.add(&number, by: 2)
  print(number, try porter.pair("a", 1), porter.map([1, 2]) { $0 * 10 })
}

nonisolated func carry(_ porter: sending any Porter) async throws {
  print(try await porter.carry(Cargo(), to: "Lem"), try await porter.load)
}

let porters = ContainerBuilder()
porters.prototype(named: "donkey", { Donkey() })
porters.prototype(named: "packer", Packer.init)
porters.aspect(
  named: "stepped", on: .everything.methods("add", "pair"), { Stepped() })
porters.aspect(named: "shifted", on: .everything.methods("map"), { Shifted() })
porters.aspect(named: "watched", on: .objects("donkey").methods("carry", "load"), { Watch() })
let stable = try porters.build()
try use(try stable.object("packer", as: Packer.self))
try use(Packer())
try use(try stable.object("donkey", as: PorterProxy.self))
try use(Donkey())
try await carry(try stable.object("donkey", as: PorterProxy.self))
try await carry(Donkey())
