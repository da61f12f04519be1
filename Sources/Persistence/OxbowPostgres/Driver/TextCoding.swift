#if PostgreSQL
  // A server keeps no NUL in a text, and an Oxbow text may have one. U+0000 to U+0003 are written
  // as U+0001 and two of U+0002 and U+0003. Order by bytes, equality, beginnings, ends and parts of
  // what is written are those of the texts. Nearly no text has such a character.

  enum TextCoding {
    private static let mark: UInt8 = 1

    /// Whether bytes have to be written differently.
    static func isConcerned(_ bytes: some Sequence<UInt8>) -> Bool { bytes.contains { $0 < 4 } }

    /// Appends bytes as a server takes them.
    static func append(_ text: some Sequence<UInt8>, to bytes: inout [UInt8]) {
      for byte in text {
        if byte < 4 {
          bytes += [mark, byte & 2 == 0 ? 2 : 3, byte & 1 == 0 ? 2 : 3]
        } else {
          bytes.append(byte)
        }
      }
    }

    /// The bytes of a text that a server has; `nil` if Oxbow does not write it so.
    static func decode(_ bytes: UnsafeRawBufferPointer) -> [UInt8]? {
      var result: [UInt8] = []
      result.reserveCapacity(bytes.count)
      var index = 0
      while index < bytes.count {
        if bytes[index] >= 4 {
          result.append(bytes[index])
          index += 1
          continue
        }
        guard bytes[index] == mark, index + 2 < bytes.count,
          let high = bit(bytes[index + 1]), let low = bit(bytes[index + 2])
        else { return nil }
        result.append(high << 1 | low)
        index += 3
      }
      return result
    }

    private static func bit(_ byte: UInt8) -> UInt8? { byte == 2 ? 0 : byte == 3 ? 1 : nil }
  }
#endif
