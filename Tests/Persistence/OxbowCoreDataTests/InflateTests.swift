import OxbowCoreData
import OxbowDocuments
import OxbowTestSupport
import Testing

/// Streams that zlib made, and what damage says.
@Suite struct InflateTests {
  private func inflate(_ bytes: [UInt8], limit: Int = 10_000) throws(DocumentError) -> [UInt8] {
    try Inflate.bytes(of: bytes, name: "s", limit: limit)
  }

  private func message(_ bytes: [UInt8], limit: Int = 10_000) -> String? {
    do throws(DocumentError) {
      _ = try inflate(bytes, limit: limit)
      return nil
    } catch { return error.description }
  }

  private static let text =
    Array(String(repeating: "the quick brown fox jumps over the lazy dog; ", count: 6).utf8)
    + (0...255).map { UInt8($0) }

  /// With the code that the standard fixes.
  private static let fixed = bytes(
    """
    2bc94855282ccd4cce56482aca2fcf5348cbaf50c82acd2d2856c82f4b2d5228014ae72456552aa4e4a75b8379c3\
    5a31032313330b2b1b3b072717370f2f1fbf80a090b088a898b884a494b48cac9cbc82a292b28aaa9aba86a696b6\
    8eae9ebe81a191b189a999b985a595b58dad9dbd83a393b38bab9bbb87a797b78faf9f7f4060507048685878446454\
    744c6c5c7c426252724a6a5a7a466656764e6e5e7e4161517149695979456555754d6d5d7d436353734b6b5b7b4767\
    57774f6f5fff848993264f993a6dfa8c99b366cf993b6ffe82858b162f59ba6cf98a95ab56af59bb6efd868d9b366f\
    d9ba6dfb8e9dbb76efd9bb6fff8183870e1f397aecf88993a74e9f397beefc858b972e5fb97aedfa8d9bb76edfb97b\
    effe83878f1e3f79faecf98b97af5ebf79fbeefd878f9f3e7ff9faedfb8f9fbf7efff9fbef3f00
    """)

  /// With a code of its own: 400 words "abc", "de" and "f".
  private static let dynamic = bytes(
    """
    65520912c420087b6bdb6dfeff846a811cdd1947013181c8715ec0715ebf1b6b6dabbce5ac73bb3bec7ec7dae48379\
    8517a98cb9a8d53e139ab2b0b86308caa86de70f88e12aa884e9a6e18ddaeea7d8370e4728a3f8c50d20eed48a15cd\
    6c35467c8831a56150f54b0ecb9bdf2973d4a22698b8fa3451898664d4f1fd29241fd40dcb4a454d6a78d6689873f2\
    c7889c12d6604fe8267b3e8c717181113f6ca3acda38c10f
    """)

  private static func bytes(_ digits: String) -> [UInt8] {
    let digits = Array(digits.utf8).map { $0 < 58 ? $0 - 48 : $0 - 87 }
    return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
  }

  @Test func `CD-30 streams with fixed, own and no codes are read`() throws {
    #expect(try inflate(Self.fixed) == Self.text)
    let words = try inflate(Self.dynamic)
    #expect(words.count == 788)
    #expect(words.filter { $0 == 97 }.count == words.filter { $0 == 99 }.count)
    #expect(words.starts(with: "deabc".utf8) || words.contains(97))
    let long = Array(repeating: Self.text, count: 300).flatMap { $0 }
    #expect(try inflate(CoreDataFixture.deflated(long), limit: long.count) == long)
    #expect(try inflate(CoreDataFixture.deflated([])) == [])
  }

  @Test func `CD-30 a damaged stream says what is wrong and where`() {
    let damaged = "the compressed bytes are damaged: "
    #expect(message([]) == "s:1:1: \(damaged)it ends too early")
    #expect(message([7]) == "s:1:2: \(damaged)a block has an unknown kind")
    #expect(message([1, 2, 0, 0, 0]) == "s:1:2: \(damaged)the length of a block is wrong")
    #expect(message([1, 2, 0, 0xFD, 0xFF, 1]) == "s:1:6: \(damaged)it ends too early")
    #expect(message(Array(Self.fixed.dropLast(9))) == "s:1:311: \(damaged)it ends too early")
    #expect(
      message(Self.fixed, limit: 500)
        == "s:1:291: \(damaged)it has more than 500 bytes, which is the limit")
    // A copy from before the first byte.
    #expect(message([3, 2, 0]) == "s:1:3: \(damaged)a distance points before the beginning")
    #expect(message([5, 0xE0, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF])?.contains("damaged") == true)
  }

  @Test func `CD-30 flipped bits give errors or bytes within the limit, and nothing else`() throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SeededRandom(seed: seed)
    for stream in [Self.fixed, Self.dynamic] {
      for _ in 0..<400 {
        var bytes = stream
        for _ in 0..<Int.random(in: 1...3, using: &random) {
          bytes[Int.random(in: bytes.indices, using: &random)] ^=
            1 << UInt8.random(in: 0..<8, using: &random)
        }
        do throws(DocumentError) {
          #expect(try inflate(bytes, limit: 2000).count <= 2000, "seed \(seed)")
        } catch { #expect(error.location != nil, "seed \(seed)") }
      }
    }
  }
}
