/// Hashes a word that cannot be chosen to collide with others: an address, a key.
///
/// One wide multiplication mixes it well; the general hash takes a twentieth of a walk through
/// relationships (decision 0135). Public because it is inlined into the sets of programs.
@inlinable public func _hashOfWord(_ word: UInt, seed: Int) -> Int {
  let salt = UInt(bitPattern: seed) &* 0xa076_1d64_78bd_642f
  let product = (word ^ salt).multipliedFullWidth(by: 0xe703_7ed1_a0b4_28db)
  return Int(bitPattern: product.high ^ product.low)
}
