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
builder.prototype("till", { Till() })
builder.prototype("byHand", { HandWoven() })
builder.prototype("shelf", { LabelledShelf() })
builder.aspect("watch", on: .objects("till", "byHand", "shelf"), { Watch() })
builder.aspect("doubled", on: .everything.methods("price"), { Doubled() })
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
