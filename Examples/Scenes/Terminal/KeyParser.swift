/// Makes keys of the bytes that a terminal sends; a key may come in several parts.
struct KeyParser {
  private var pending: [UInt8] = []

  /// The names of keys: `up`, `enter`, `space`, `ctrl-c`, or the character itself.
  mutating func keys(_ bytes: some Sequence<UInt8>) -> [String] {
    pending += bytes
    var keys: [String] = []
    while let (key, length) = next() {
      pending.removeFirst(length)
      if let key { keys.append(key) }
    }
    return keys
  }

  private static let controls: [UInt8: String] = [
    0x03: "ctrl-c", 0x09: "tab", 0x0A: "enter", 0x0D: "enter", 0x20: "space",
  ]

  private static let sequences: [String: String] = [
    "A": "up", "B": "down", "C": "right", "D": "left", "H": "home", "F": "end", "1~": "home",
    "4~": "end", "5~": "pageup", "6~": "pagedown", "7~": "home", "8~": "end",
  ]

  /// The next key and its bytes, or nil when more must come; a key without a name means nothing.
  private func next() -> (key: String?, length: Int)? {
    guard let first = pending.first else { return nil }
    if first == 0x1B { return sequence() }
    if let key = Self.controls[first] { return (key, 1) }
    if first < 0x20 || first == 0x7F { return (nil, 1) }
    return character(first)
  }

  /// `ESC [ 5 ~`: ends with the first byte from `@` on.
  private func sequence() -> (key: String?, length: Int)? {
    guard pending.count > 1 else { return nil }
    guard [UInt8(ascii: "["), UInt8(ascii: "O")].contains(pending[1]) else { return (nil, 1) }
    guard let end = pending[2...].firstIndex(where: { (0x40...0x7E).contains($0) }) else {
      // No terminal sends a longer one.
      return pending.count > 32 ? (nil, pending.count) : nil
    }
    return (Self.sequences[String(decoding: pending[2...end], as: UTF8.self)], end + 1)
  }

  private func character(_ first: UInt8) -> (key: String?, length: Int)? {
    let length = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
    guard pending.count >= length else { return nil }
    return (String(decoding: pending[..<length], as: UTF8.self), length)
  }
}
