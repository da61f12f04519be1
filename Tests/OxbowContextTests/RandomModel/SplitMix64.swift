/// A small random number generator, so that a seed gives the same steps on every machine.
struct SplitMix64: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }

  /// Whether something of this chance, in percent, comes about.
  mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &self) < percent }

  /// A few of `items`, in any order, none twice.
  mutating func some<T>(of items: [T], atMost count: Int) -> [T] {
    Array(items.shuffled(using: &self).prefix(Int.random(in: 0...count, using: &self)))
  }
}
