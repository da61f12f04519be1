import Testing

@testable import OxbowContainer

/// Where an object's calls find the aspects of their methods.
@Suite struct AspectTableTests {
  private final class Origin: Sendable {}

  private func table(_ keys: [Int]) -> ([Int: AspectChain], AspectTable) {
    let chains = Dictionary(
      uniqueKeysWithValues: keys.map { ($0, AspectChain([], of: "\($0)")) })
    return (chains, AspectTable(chains, of: "till", origin: Origin()))
  }

  @Test(arguments: [0, 1, 2, 3, 16, 17, 40], [1, 64, -3, 0x2545_F491_4F6C_DD1D])
  func `IV-13 each method finds its own aspects, wherever keys meet`(count: Int, step: Int) {
    let keys = (0..<count).map { $0 &* step }
    let (chains, table) = table(keys)
    for key in keys { #expect(table[key] === chains[key]) }
    for key in (0...count).map({ $0 &* step &+ 7 }) where chains[key] == nil {
      #expect(table[key] == nil)
    }
  }

  @Test func `IV-13 the method with the key 0 has no aspects but its own`() {
    #expect(table([5, 6]).1[0] == nil)
    #expect(table([0]).1[0] != nil)
  }
}
