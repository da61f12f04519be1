/// The numbers of groups by their keys: a hash table with open addressing.
///
/// A key is as many words as there are columns, and one more with a bit for each column without a
/// value. Words are equal where the values are.
struct GroupTable {
  /// The number of groups.
  private(set) var count = 0

  /// The words of a key.
  let width: Int

  /// The words of all keys, group after group.
  private var keys: ContiguousArray<UInt64> = []

  /// The group at each slot, or -1.
  private var slots: ContiguousArray<Int32>
  private var mask: Int

  /// Differs in each process, so that no one can choose keys that meet in a slot.
  private static let seed = UInt64.random(in: .min ... .max)

  init(columns: Int) {
    width = columns + 1
    slots = ContiguousArray(repeating: -1, count: 256)
    mask = slots.count - 1
  }

  /// The number of the group with a key; a new one is the old count.
  mutating func number(of key: UnsafeMutableBufferPointer<UInt64>) -> Int {
    var slot = Self.hash(key) & mask
    while slots[slot] >= 0 {
      let group = Int(slots[slot])
      if isKey(key, of: group) { return group }
      slot = (slot &+ 1) & mask
    }
    slots[slot] = Int32(truncatingIfNeeded: count)
    keys.append(contentsOf: key)
    count += 1
    if count &* 2 > slots.count { grow() }
    return count - 1
  }

  @inline(__always)
  private func isKey(_ key: UnsafeMutableBufferPointer<UInt64>, of group: Int) -> Bool {
    let start = group &* width
    for index in 0..<width where keys[start &+ index] != key[index] { return false }
    return true
  }

  private static func hash(_ words: some Collection<UInt64>) -> Int {
    var hash = seed
    for word in words {
      hash = (hash ^ word) &* 0x9E37_79B9_7F4A_7C15
      hash ^= hash >> 29
    }
    return Int(truncatingIfNeeded: hash ^ hash >> 32)
  }

  private mutating func grow() {
    slots = ContiguousArray(repeating: -1, count: slots.count * 2)
    mask = slots.count - 1
    for group in 0..<count {
      var slot = Self.hash(keys[(group * width)..<((group + 1) * width)]) & mask
      while slots[slot] >= 0 { slot = (slot + 1) & mask }
      slots[slot] = Int32(truncatingIfNeeded: group)
    }
  }
}

/// The numbers of texts by their bytes.
struct TextTable {
  private var numbers: [Bytes: UInt64] = [:]

  /// The number of a text: the same for the same bytes.
  mutating func number(of text: UnsafeBufferPointer<UInt8>) -> UInt64 {
    // The copy is only made of a text that is new.
    if let number = numbers[Bytes(text)] { return number }
    let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: text.count)
    _ = copy.initialize(from: text)
    let number = UInt64(numbers.count)
    numbers[Bytes(UnsafeBufferPointer(copy))] = number
    return number
  }

  /// Frees the copies of the texts.
  mutating func removeAll() {
    for key in numbers.keys { key.bytes.deallocate() }
    numbers = [:]
  }

  private struct Bytes: Hashable {
    let bytes: UnsafeBufferPointer<UInt8>

    init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    static func == (a: Bytes, b: Bytes) -> Bool { a.bytes.elementsEqual(b.bytes) }

    func hash(into hasher: inout Hasher) {
      hasher.combine(bytes: UnsafeRawBufferPointer(bytes))
    }
  }
}
