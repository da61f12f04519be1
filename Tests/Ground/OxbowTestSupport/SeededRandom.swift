/// Random numbers (SplitMix64) that are the same for the same seed on every machine, so that what a
/// seed found can be found again.
public struct SeededRandom: RandomNumberGenerator, Sendable {
  private var state: UInt64

  public init(seed: UInt64) { state = seed }

  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  /// Whether something of this chance, in percent, comes about.
  public mutating func chance(_ percent: Int) -> Bool {
    Int.random(in: 0..<100, using: &self) < percent
  }

  /// A few of `items`, in any order, none twice.
  public mutating func some<T>(of items: [T], atMost count: Int) -> [T] {
    Array(items.shuffled(using: &self).prefix(Int.random(in: 0...count, using: &self)))
  }
}
