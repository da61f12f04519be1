/// The hash function SHA-256 of FIPS 180-4, section 6.2.
///
/// Oxbow needs one hash, in version hashes and checksums of migration files, neither of which is a
/// secret; docs/decisions/0090-own-sha-256.md says why it is not a library's.
package struct SHA256 {
  private var state = SIMD8<UInt32>(
    0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a,
    0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19)
  /// What was given and does not fill a block of 64 bytes yet.
  private var rest: [UInt8] = []
  private var byteCount: UInt64 = 0

  package init() {}

  package mutating func update(_ bytes: some Sequence<UInt8>) { update(Array(bytes)[...]) }

  /// Adds bytes to what is hashed; other modules' calls of the general one are not specialized,
  /// which took most of the time of a large file.
  package mutating func update(_ bytes: ArraySlice<UInt8>) {
    byteCount &+= UInt64(bytes.count)
    let missing = rest.isEmpty ? 0 : 64 - rest.count
    guard missing <= bytes.count else {
      rest += bytes
      return
    }
    if missing > 0 {
      rest += bytes.prefix(missing)
      state = rest.withUnsafeBytes { Self.compressed($0, state) }
    }
    let whole = bytes.dropFirst(missing)
    let end = whole.endIndex - whole.count % 64
    state = whole[..<end].withUnsafeBytes { Self.compressed($0, state) }
    rest = Array(whole[end...])
  }

  /// The hash of all bytes given so far, as 64 lower-case hexadecimal digits.
  package var hexadecimalDigits: String { bytes.hexadecimalDigits }

  /// The hash of all bytes given so far: 32 bytes.
  package var bytes: [UInt8] {
    // A one bit, zeros, and the number of bits in 64 bits, so that the last block is full (5.1.1).
    let size = rest.count < 56 ? 64 : 128
    let hash = withUnsafeTemporaryAllocation(byteCount: size, alignment: 8) { last in
      last.initializeMemory(as: UInt8.self, repeating: 0)
      rest.withUnsafeBytes { last.copyMemory(from: $0) }
      last[rest.count] = 0x80
      last.storeBytes(of: (byteCount &* 8).bigEndian, toByteOffset: size - 8, as: UInt64.self)
      return Self.compressed(UnsafeRawBufferPointer(last), state)
    }
    return [UInt8](unsafeUninitializedCapacity: 32) { bytes, count in
      for index in 0..<32 {
        let shift = 24 - 8 * UInt32(index % 4)
        bytes.initializeElement(at: index, to: UInt8(truncatingIfNeeded: hash[index / 4] >> shift))
      }
      count = 32
    }
  }

  package static func bytes(of bytes: [UInt8]) -> [UInt8] {
    var hash = SHA256()
    hash.update(bytes[...])
    return hash.bytes
  }

  package static func hexadecimalDigits(of bytes: some Sequence<UInt8>) -> String {
    var hash = SHA256()
    hash.update(bytes)
    return hash.hexadecimalDigits
  }

  /// A state and whole blocks make another state (6.2.2); the names are the standard's.
  private static func compressed(
    _ blocks: UnsafeRawBufferPointer, _ state: SIMD8<UInt32>
  ) -> SIMD8<UInt32> {
    withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 64) { w in
      constants.withUnsafeBufferPointer { constants in
        stride(from: 0, to: blocks.count, by: 64).reduce(state) { state, start in
          schedule(UnsafeRawBufferPointer(rebasing: blocks[start..<start + 64]), into: w)
          return state &+ rounds(state, w, constants)
        }
      }
    }
  }

  private static func rounds(
    _ state: SIMD8<UInt32>, _ w: UnsafeMutableBufferPointer<UInt32>,
    _ constants: UnsafeBufferPointer<UInt32>
  ) -> SIMD8<UInt32> {
    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
    var (e, f, g, h) = (state[4], state[5], state[6], state[7])
    for t in 0..<64 {
      let sum1 = e.rotated(6) ^ e.rotated(11) ^ e.rotated(25)
      let choice = (e & f) ^ (~e & g)
      let t1 = h &+ sum1 &+ choice &+ constants[t] &+ w[t]
      let sum0 = a.rotated(2) ^ a.rotated(13) ^ a.rotated(22)
      let majority = (a & b) ^ (a & c) ^ (b & c)
      (h, g, f, e, d, c, b, a) = (g, f, e, d &+ t1, c, b, a, t1 &+ sum0 &+ majority)
    }
    return SIMD8(a, b, c, d, e, f, g, h)
  }

  /// The 64 words of a block; on the stack, as an array for each block took as long as the hash.
  private static func schedule(
    _ block: UnsafeRawBufferPointer, into w: UnsafeMutableBufferPointer<UInt32>
  ) {
    for t in 0..<16 {
      w[t] = UInt32(bigEndian: block.loadUnaligned(fromByteOffset: 4 * t, as: UInt32.self))
    }
    for t in 16..<64 {
      let small0 = w[t - 15].rotated(7) ^ w[t - 15].rotated(18) ^ (w[t - 15] >> 3)
      let small1 = w[t - 2].rotated(17) ^ w[t - 2].rotated(19) ^ (w[t - 2] >> 10)
      w[t] = w[t - 16] &+ small0 &+ w[t - 7] &+ small1
    }
  }

  /// The first 32 bits of the fractional parts of the cube roots of the first 64 primes (4.2.2).
  private static let constants: [UInt32] = [
    0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4,
    0xab1c_5ed5, 0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe,
    0x9bdc_06a7, 0xc19b_f174, 0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f,
    0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da, 0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7,
    0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967, 0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc,
    0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85, 0xa2bf_e8a1, 0xa81a_664b,
    0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070, 0x19a4_c116,
    0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
    0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7,
    0xc671_78f2,
  ]
}

extension [UInt8] {
  /// Two lower-case hexadecimal digits for each byte.
  package var hexadecimalDigits: String {
    let digits = Array("0123456789abcdef".utf8)
    return String(
      decoding: flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}

extension UInt32 {
  fileprivate func rotated(_ count: UInt32) -> UInt32 {
    (self >> count) | (self << (32 - count))
  }
}
