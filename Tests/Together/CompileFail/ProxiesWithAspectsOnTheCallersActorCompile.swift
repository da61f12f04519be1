// The same where async methods stay on the caller's actor.
// flags: -enable-upcoming-feature NonisolatedNonsendingByDefault
// expect-ok

import Oxbow

final class Cargo { var weight = 0 }

@Proxied(aspects: true) protocol Porter {
  var load: Cargo { get async throws }
  var done: () -> Void { get throws }
  func carry(_ cargo: Cargo, to place: String) async throws -> Cargo
  nonisolated(nonsending) func hold(_ cargo: Cargo) async throws -> Cargo
  @concurrent func fetch(_ name: String) async throws -> String
  func find<Item: Hashable>(_ item: Item, among items: [Item]) throws -> [Item: Int]
  func find<Item>(_ items: [Item], where test: @escaping (Item) -> Bool) throws -> [Item]
  where Item: Sendable
  func later(_ body: @escaping @Sendable () async -> Void) async throws
  func count(_ number: inout Int, _ all: inout [Cargo], by step: Int) throws
  func count(_ number: inout Int) -> Int
  func each(_ body: (Int) -> Void) throws
  func pack<each Item>(_ items: repeat each Item) throws
}
extension PorterProxy: PorterForwarding {}

func use(_ porter: sending any Porter) async throws {
  let cargo = Cargo()
  _ = try await porter.carry(cargo, to: "A").weight
}
