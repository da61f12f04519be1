/// Reads binary property lists (`bplist00`).
///
/// The header is followed by objects, a table of their offsets, and 32 bytes with the widths of
/// offsets and references, the number of objects, the number of the top one, and the start of the
/// table. The location of a value is line 1 and the column of its first byte.
package struct BinaryPropertyList {
  private let bytes: [UInt8]
  private let file: String
  private let limits: DocumentLimits
  private let offsetSize: Int
  private let referenceSize: Int
  private let objectCount: Int
  private let table: Int
  private var open: [Int] = []
  private var made = 0

  /// Texts and bytes that were read, by their number: many values may be the same object.
  private var leaves: [Int: PropertyListValue.Content] = [:]

  package static func parse(
    _ bytes: [UInt8], file: String, limits: DocumentLimits
  ) throws(DocumentError) -> PropertyListValue {
    guard bytes.count >= 40, bytes.starts(with: "bplist00".utf8) else {
      throw DocumentError(
        message: "\"\(file)\" is not a binary property list of version 00", location: nil)
    }
    let trailer = Array(bytes.suffix(32))
    var list = try BinaryPropertyList(bytes, trailer, file: file, limits: limits)
    return try list.object(try list.number(trailer[16..<24]))
  }

  private init(
    _ bytes: [UInt8], _ trailer: [UInt8], file: String, limits: DocumentLimits
  ) throws(DocumentError) {
    self.bytes = bytes
    self.file = file
    self.limits = limits
    offsetSize = Int(trailer[6])
    referenceSize = Int(trailer[7])
    objectCount = Int(truncatingIfNeeded: Self.unsigned(trailer[8..<16]))
    table = Int(truncatingIfNeeded: Self.unsigned(trailer[24..<32]))
    let room = bytes.count - 32
    guard (1...8).contains(offsetSize), (1...8).contains(referenceSize), table >= 8, table <= room,
      objectCount > 0, objectCount <= (room - table) / offsetSize
    else {
      throw DocumentError(
        message: "the end of the binary property list \"\(file)\" is damaged", location: nil)
    }
  }

  // MARK: - Objects

  private mutating func object(_ reference: Int) throws(DocumentError) -> PropertyListValue {
    guard (0..<objectCount).contains(reference) else {
      throw damaged("there is no object \(reference)", at: table)
    }
    let start = table + reference * offsetSize
    let offset = try number(bytes[start..<start + offsetSize])
    guard (8..<table).contains(offset) else {
      throw damaged("object \(reference) is outside the objects", at: start)
    }
    guard !open.contains(reference), open.count < limits.maximumDepth else {
      throw damaged("values contain themselves, or are nested too deep", at: offset)
    }
    made += 1
    guard made <= limits.maximumElements else {
      throw damaged("there are more than \(limits.maximumElements) values", at: offset)
    }
    if let leaf = leaves[reference] { return PropertyListValue(leaf, at: place(offset)) }
    open.append(reference)
    defer { open.removeLast() }
    let content = try content(at: offset)
    switch content {
    case .text, .scalar(.data): leaves[reference] = content
    default: break
    }
    return PropertyListValue(content, at: place(offset))
  }

  private mutating func content(at offset: Int) throws(DocumentError) -> PropertyListValue.Content {
    let marker = bytes[offset]
    let low = Int(marker & 0x0F)
    switch marker >> 4 {
    case 0x0 where low == 0: return .null
    case 0x0 where low == 8 || low == 9: return .boolean(low == 9)
    case 0x1 where low == 4: return .scalar(.integer(try wideInteger(at: offset)))
    case 0x1: return .scalar(.integer(Int128(try integer(width: low, at: offset))))
    case 0x2: return .scalar(.real(try real(width: low, at: offset)))
    case 0x3: return .scalar(.date(try real(width: 3, at: offset)))
    case 0x4:
      let (start, count) = try extent(low, at: offset)
      return .scalar(.data(Array(try slice(start, count))))
    case 0x5, 0x6: return .text(try text(low, isWide: marker >> 4 == 6, at: offset))
    case 0x8:
      return .scalar(.reference(try number(try slice(offset + 1, low + 1))))
    case 0xA: return .array(try array(low, at: offset))
    case 0xD: return .dictionary(try dictionary(low, at: offset))
    default: throw damaged("\(marker) does not begin a value of a property list", at: offset)
    }
  }

  private mutating func array(_ low: Int, at offset: Int) throws(DocumentError)
    -> [PropertyListValue]
  {
    let (start, count) = try extent(low, at: offset)
    return try (try references(start, count)).map { (reference) throws(DocumentError) in
      try object(reference)
    }
  }

  private mutating func dictionary(
    _ low: Int, at offset: Int
  ) throws(DocumentError) -> [PropertyListValue.Entry] {
    let (start, count) = try extent(low, at: offset)
    let keys = try references(start, count)
    let values = try references(start + count * referenceSize, count)
    var entries: [PropertyListValue.Entry] = []
    var seen: Set<String> = []
    for (key, value) in zip(keys, values) {
      let name = try object(key)
      guard let text = name.text, seen.insert(text).inserted else {
        throw damaged("a key is not text, or is given twice", at: offset)
      }
      entries.append(.init(key: text, location: name.location, value: try object(value)))
    }
    return entries
  }
}

extension BinaryPropertyList {
  // MARK: - Parts

  private func extent(_ low: Int, at offset: Int) throws(DocumentError) -> (start: Int, count: Int)
  {
    guard low == 0xF else { return (offset + 1, low) }
    guard offset + 1 < table, bytes[offset + 1] >> 4 == 1 else {
      throw damaged("a length is not a number", at: offset)
    }
    let width = Int(bytes[offset + 1] & 0x0F)
    let count = try integer(width: width, at: offset + 1)
    guard (0...bytes.count).contains(count) else {
      throw damaged("a length is too large", at: offset)
    }
    return (offset + 2 + (1 << width), count)
  }

  private func text(_ low: Int, isWide: Bool, at offset: Int) throws(DocumentError) -> String {
    let (start, count) = try extent(low, at: offset)
    let part = try slice(start, isWide ? count * 2 : count)
    guard isWide else { return String(decoding: part, as: UTF8.self) }
    let units = stride(from: part.startIndex, to: part.endIndex, by: 2).map {
      UInt16(part[$0]) << 8 | UInt16(part[$0 + 1])
    }
    return String(decoding: units, as: UTF16.self)
  }

  private func integer(width: Int, at offset: Int) throws(DocumentError) -> Int {
    guard width <= 3 else { throw damaged("a number is too wide", at: offset) }
    let part = try slice(offset + 1, 1 << width)
    // Eight bytes are signed, fewer are unsigned.
    return Int(truncatingIfNeeded: Self.unsigned(part))
  }

  /// Sixteen bytes, which numbers above `Int64.max` have.
  private func wideInteger(at offset: Int) throws(DocumentError) -> Int128 {
    let number = try slice(offset + 1, 16).reduce(Int128(0)) { $0 << 8 | Int128($1) }
    guard (Int128(Int64.min)...Int128(UInt64.max)).contains(number) else {
      throw damaged("a number is too large", at: offset)
    }
    return number
  }

  private func real(width: Int, at offset: Int) throws(DocumentError) -> Double {
    let bits = Self.unsigned(try slice(offset + 1, 1 << min(width, 3)))
    switch width {
    case 2: return Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits)))
    case 3: return Double(bitPattern: bits)
    default: throw damaged("a number has an unknown width", at: offset)
    }
  }

  private func references(_ start: Int, _ count: Int) throws(DocumentError) -> [Int] {
    let part = try slice(start, count * referenceSize)
    var result: [Int] = []
    for first in stride(from: part.startIndex, to: part.endIndex, by: referenceSize) {
      result.append(try number(part[first..<first + referenceSize]))
    }
    return result
  }

  private func slice(_ start: Int, _ count: Int) throws(DocumentError) -> ArraySlice<UInt8> {
    guard start >= 0, count >= 0, start <= table, count <= table - start else {
      throw damaged("a value is longer than the list", at: start)
    }
    return bytes[start..<start + count]
  }

  private func number(_ part: ArraySlice<UInt8>) throws(DocumentError) -> Int {
    guard let number = Int(exactly: Self.unsigned(part)) else {
      throw damaged("an offset is too large", at: part.startIndex)
    }
    return number
  }

  private static func unsigned(_ part: some Sequence<UInt8>) -> UInt64 {
    part.reduce(0) { $0 << 8 | UInt64($1) }
  }

  private func place(_ offset: Int) -> SourceLocation {
    SourceLocation(file: file, line: 1, column: offset + 1)
  }

  private func damaged(_ message: String, at offset: Int) -> DocumentError {
    DocumentError(
      message: "the binary property list is damaged: \(message)", location: place(offset))
  }
}
