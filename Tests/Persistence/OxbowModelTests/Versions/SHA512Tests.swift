import OxbowModel
import Testing

@Suite struct SHA512Tests {
  @Test(arguments: [
    (
      "",
      "cf83e1357eefb8bdf1542850d66d8007d620e4050b5715dc83f4a921d36ce9ce"
        + "47d0d13c5d85f2b0ff8318d2877eec2f63b931bd47417a81a538327af927da3e"
    ),
    (
      "abc",
      "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
        + "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"
    ),
  ])
  func `the vectors of the standard`(text: String, digits: String) {
    #expect(SHA512.bytes(of: Array(text.utf8)).hexadecimalDigits == digits)
  }

  /// Lengths around those at which the padding needs another block.
  @Test func `lengths around a block`() {
    let hashes = (100...260).map { SHA512.bytes(of: [UInt8](repeating: 97, count: $0)) }
    let all = SHA512.bytes(of: hashes.flatMap(\.self)).hexadecimalDigits
    #expect(
      all
        == "53dd836ba177214004293b59bb2f408b00647a47c454f6836c9aa1c72efac620"
        + "089bbd8db7086354c065f9783515bfc14e4a3292a85fc06e675c6dd0cae50854")
  }
}
