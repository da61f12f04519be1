import Foundation
import Testing

@testable import OxbowModel

/// Vectors of FIPS 180-4 (examples of NIST) and, for the padding of every length around a block, of
/// an independent implementation (OpenSSL).
@Suite struct SHA256Tests {
  @Test(
    "The published vectors give the published hashes",
    arguments: [
      ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
      ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
      (
        "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
      ),
      (
        "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqr"
          + "lmnopqrsmnopqrstnopqrstu",
        "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
      ),
    ])
  func published(text: String, expected: String) {
    #expect(SHA256.hexadecimalDigits(of: text.utf8) == expected)
  }

  @Test(arguments: 0...130)
  func `slices give the hash of their bytes, wherever they are cut`(count: Int) {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    for cut in stride(from: 0, through: count, by: 13) {
      var hash = SHA256()
      hash.update(bytes[..<cut])
      hash.update(bytes[cut...])
      #expect(hash.hexadecimalDigits == SHA256.hexadecimalDigits(of: bytes.lazy.map { $0 }))
    }
  }

  @Test func `a million letters give the published hash, in whatever pieces they come`() {
    var hash = SHA256()
    var left = 1_000_000
    var piece = 1
    while left > 0 {
      let count = min(piece, left)
      hash.update(repeatElement(UInt8(ascii: "a"), count: count))
      left -= count
      piece = piece % 977 + 1
    }
    #expect(
      hash.hexadecimalDigits
        == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
  }

  @Test func `every length around the end of a block is padded as the standard says`() {
    // The hash of the hashes of 0, 1, …, 130 zero bytes, each as hexadecimal digits.
    var all = SHA256()
    for length in 0...130 {
      all.update(SHA256.hexadecimalDigits(of: repeatElement(0, count: length)).utf8)
    }
    #expect(
      all.hexadecimalDigits == "54e76fce7077001577d4cd003983a26b89611ab84dce9950b9aaf77133a69f94")
  }
}
