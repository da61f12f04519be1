package import OxbowDocuments

/// Reads a raw deflate stream (RFC 1951), as `Z_MODELCACHE` has it: without header and checksum.
package struct Inflate {
  private let input: [UInt8]
  private let name: String
  private let limit: Int
  private var output: [UInt8] = []

  /// The next byte of the input, and the bits of the one before that were not taken yet.
  private var index = 0
  private var bits: UInt32 = 0
  private var bitCount = 0

  /// The bytes that a stream was made of; `name` is what locations have, and `limit` the largest
  /// number of bytes.
  ///
  /// - Throws: `DocumentError` with the place in the stream, for a damaged or a larger one.
  package static func bytes(
    of input: [UInt8], name: String, limit: Int
  ) throws(DocumentError) -> [UInt8] {
    var stream = Inflate(input: input, name: name, limit: limit)
    while try !stream.block() {}
    return stream.output
  }

  private init(input: [UInt8], name: String, limit: Int) {
    (self.input, self.name, self.limit) = (input, name, limit)
  }

  /// Reads a block; `true` for the last one.
  private mutating func block() throws(DocumentError) -> Bool {
    let isLast = try take(1) == 1
    switch try take(2) {
    case 0: try stored()
    case 1: try compressed(.fixedLengths, .fixedDistances)
    case 2:
      let (lengths, distances) = try codes()
      try compressed(lengths, distances)
    default: throw damaged("a block has an unknown kind")
    }
    return isLast
  }

  private mutating func stored() throws(DocumentError) {
    (bits, bitCount) = (0, 0)
    guard index + 4 <= input.count else { throw damaged("it ends too early") }
    let count = Int(input[index]) | Int(input[index + 1]) << 8
    let check = Int(input[index + 2]) | Int(input[index + 3]) << 8
    guard count == ~check & 0xFFFF else { throw damaged("the length of a block is wrong") }
    index += 4
    guard count <= input.count - index else { throw damaged("it ends too early") }
    try require(count)
    output += input[index..<index + count]
    index += count
  }

  private mutating func compressed(
    _ lengths: HuffmanCode, _ distances: HuffmanCode
  ) throws(DocumentError) {
    while true {
      let symbol = try symbol(lengths)
      if symbol == 256 { return }
      if symbol < 256 {
        try require(1)
        output.append(UInt8(symbol))
        continue
      }
      guard symbol < 286 else { throw damaged("a length is not known") }
      let length = Self.lengths[symbol - 257] + (try take(Self.lengthBits[symbol - 257]))
      let place = try self.symbol(distances)
      guard place < 30 else { throw damaged("a distance is not known") }
      try copy(length, from: Self.distances[place] + (try take(Self.distanceBits[place])))
    }
  }

  private mutating func copy(_ length: Int, from distance: Int) throws(DocumentError) {
    guard distance <= output.count else { throw damaged("a distance points before the beginning") }
    try require(length)
    for _ in 0..<length { output.append(output[output.count - distance]) }
  }

  private func require(_ count: Int) throws(DocumentError) {
    guard count <= limit - output.count else {
      throw damaged("it has more than \(limit) bytes, which is the limit")
    }
  }
}

// MARK: - Codes

extension Inflate {
  private static let lengths = [
    3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131,
    163, 195, 227, 258,
  ]
  private static let lengthBits = [
    0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0,
  ]
  private static let distances = [
    1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049,
    3073, 4097, 6145, 8193, 12289, 16385, 24577,
  ]
  private static let distanceBits = [
    0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13,
    13,
  ]
  private static let order = [
    16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15,
  ]

  /// Reads the two codes of a block, which are compressed themselves (3.2.7).
  private mutating func codes() throws(DocumentError) -> (HuffmanCode, HuffmanCode) {
    let (lengthCount, distanceCount) = (try take(5) + 257, try take(5) + 1)
    let codeCount = try take(4) + 4
    guard lengthCount <= 286, distanceCount <= 30 else { throw damaged("a code is too large") }
    var lengths = [UInt8](repeating: 0, count: 19)
    for place in Self.order.prefix(codeCount) { lengths[place] = UInt8(try take(3)) }
    let all = try codeLengths(lengthCount + distanceCount, try code(lengths))
    guard all[256] > 0 else { throw damaged("a block has no end") }
    return (try code(Array(all[..<lengthCount])), try code(Array(all[lengthCount...])))
  }

  private mutating func codeLengths(
    _ count: Int, _ code: HuffmanCode
  ) throws(DocumentError) -> [UInt8] {
    var lengths: [UInt8] = []
    while lengths.count < count {
      let symbol = try symbol(code)
      switch symbol {
      case 16:
        guard let last = lengths.last else { throw damaged("nothing can be repeated") }
        lengths += Array(repeating: last, count: 3 + (try take(2)))
      case 17: lengths += Array(repeating: 0, count: 3 + (try take(3)))
      case 18: lengths += Array(repeating: 0, count: 11 + (try take(7)))
      default: lengths.append(UInt8(symbol))
      }
    }
    guard lengths.count == count else { throw damaged("a code is too large") }
    return lengths
  }

  private func code(_ lengths: [UInt8]) throws(DocumentError) -> HuffmanCode {
    let code = HuffmanCode(lengths)
    guard code.isPossible else { throw damaged("a code contradicts itself") }
    return code
  }

  private mutating func symbol(_ code: HuffmanCode) throws(DocumentError) -> Int {
    var (value, first, start) = (0, 0, 0)
    for length in 1...15 {
      value |= try take(1)
      let count = code.counts[length]
      if value - count < first { return code.symbols[start + value - first] }
      start += count
      first = (first + count) << 1
      value <<= 1
    }
    throw damaged("bits have no meaning")
  }

  private mutating func take(_ count: Int) throws(DocumentError) -> Int {
    while bitCount < count {
      guard index < input.count else { throw damaged("it ends too early") }
      bits |= UInt32(input[index]) << UInt32(bitCount)
      index += 1
      bitCount += 8
    }
    let taken = bits & (1 << UInt32(count) - 1)
    bits >>= UInt32(count)
    bitCount -= count
    return Int(taken)
  }

  private func damaged(_ reason: String) -> DocumentError {
    DocumentError(
      message: "the compressed bytes are damaged: \(reason)",
      location: SourceLocation(file: name, line: 1, column: index + 1))
  }
}

/// A canonical Huffman code (3.2.2): how many symbols have each length, and the symbols in order.
private struct HuffmanCode {
  let counts: [Int]
  let symbols: [Int]

  init(_ lengths: [UInt8]) {
    var counts = [Int](repeating: 0, count: 16)
    for length in lengths where length > 0 { counts[Int(length)] += 1 }
    self.counts = counts
    symbols = (1...15).flatMap { length in
      lengths.indices.filter { lengths[$0] == length }
    }
  }

  /// Whether there are no more symbols of any length than there can be.
  var isPossible: Bool {
    var left = 1
    for count in counts.dropFirst() {
      left = left << 1 - count
      if left < 0 { return false }
    }
    return true
  }

  static let fixedLengths = HuffmanCode(runs: [(8, 144), (9, 112), (7, 24), (8, 8)])
  static let fixedDistances = HuffmanCode(runs: [(5, 30)])

  private init(runs: [(length: UInt8, count: Int)]) {
    self.init(runs.flatMap { Array(repeating: $0.length, count: $0.count) })
  }
}
