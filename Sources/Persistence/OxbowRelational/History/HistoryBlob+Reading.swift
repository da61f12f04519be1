/// Bytes of a history that are not what the form says.
package struct DamagedHistory: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong, in words that follow "at byte 12: ".
  package let reason: String

  /// Where it is, from 0.
  package let offset: Int

  package var description: String { "at byte \(offset) of it: \(reason)" }
}

/// A run of a save's changes.
package struct HistoryRun: Hashable, Sendable {
  /// A row, as far as its kind has it.
  package struct Row: Hashable, Sendable {
    package var key: Int64 = 0
    package var member: Int64 = 0
    /// The version of a row before, or a position.
    package var number: Int64 = 0
    package var text = ""
    package var cells: [HistoryCell] = []

    package init() {}
  }

  package let kind: HistoryRunKind

  /// The names of the header: an entity; or a property, its owner's and its member's entity; or an
  /// entity and a derived property.
  package var names: [Int64] = []

  /// The names of the properties of updates and deletes.
  package var properties: [Int64] = []

  /// Whether rows have the values before; or whether a place is in the order of the owner.
  package var flag = false

  package var rows: [Row] = []

  package init(kind: HistoryRunKind) { self.kind = kind }
}

/// Reads one part of a save's changes; whatever the bytes are, it ends.
package struct HistoryBlobReader {
  private let bytes: [UInt8]
  private var offset = 0

  /// Reads all runs.
  ///
  /// - Throws: ``DamagedHistory``.
  package static func runs(_ bytes: [UInt8]) throws(DamagedHistory) -> [HistoryRun] {
    var reader = Self(bytes: bytes)
    return try reader.read()
  }

  private mutating func read() throws(DamagedHistory) -> [HistoryRun] {
    let version = try byte()
    guard version == HistoryBlobWriter.version else {
      throw damage("the form has the version \(version), and this version of Oxbow reads 1")
    }
    var runs: [HistoryRun] = []
    while offset < bytes.count { runs.append(try run()) }
    return runs
  }

  private mutating func run() throws(DamagedHistory) -> HistoryRun {
    let code = try byte()
    guard let kind = HistoryRunKind(rawValue: code) else {
      throw damage("there is no kind \(code)")
    }
    var run = HistoryRun(kind: kind)
    try readHeader(of: &run)
    let count = try count("rows")
    run.rows.reserveCapacity(count)
    var (key, member): (Int64, Int64) = (0, 0)
    for _ in 0..<count { run.rows.append(try row(of: run, &key, &member)) }
    return run
  }

  private mutating func readHeader(of run: inout HistoryRun) throws(DamagedHistory) {
    switch run.kind {
    case .metadata, .note: return
    case .insert: run.names = [try name()]
    case .update, .delete:
      run.names = [try name()]
      for _ in 0..<(try count("properties")) { run.properties.append(try name()) }
      run.flag = run.kind == .delete ? true : try flag()
    case .link, .unlink: run.names = [try name(), try name(), try name()]
    case .place:
      run.names = [try name(), try name(), try name()]
      run.flag = try flag()
    case .derived: run.names = [try name(), try name()]
    }
  }

  private mutating func row(
    of run: HistoryRun, _ key: inout Int64, _ member: inout Int64
  ) throws(DamagedHistory) -> HistoryRun.Row {
    var row = HistoryRun.Row()
    switch run.kind {
    case .metadata, .note:
      row.text = try text()
      return row
    case .insert, .derived: key &+= try folded()
    case .update, .delete:
      key &+= try folded()
      row.number = try folded()
      if run.flag {
        row.cells.reserveCapacity(run.properties.count)
        for _ in run.properties { row.cells.append(try cell()) }
      }
    case .link, .unlink, .place:
      key &+= try folded()
      member &+= try folded()
      row.member = member
      if run.kind == .place { row.number = try folded() }
    }
    row.key = key
    return row
  }

  private mutating func cell() throws(DamagedHistory) -> HistoryCell {
    let tag = try byte()
    switch tag {
    case 0: return .value(.null)
    case 1: return .value(.integer(try folded()))
    case 2: return .value(.real(try real()))
    case 3:
      // A text that another program wrote need not be one: it is what the row had.
      let bytes = try slice()
      let text = String(validating: bytes, as: UTF8.self)
      return .value(text.map { .text($0) } ?? .blob(Array(bytes)))
    case 4: return .value(.blob(Array(try slice())))
    case 5: return .inFile(try size())
    case 6: return .large(try size())
    default: throw damage("there is no value of kind \(tag)")
    }
  }
}

// MARK: - Pieces

extension HistoryBlobReader {
  private init(bytes: [UInt8]) { self.bytes = bytes }

  private func damage(_ reason: String) -> DamagedHistory {
    DamagedHistory(reason: reason, offset: offset)
  }

  private mutating func byte() throws(DamagedHistory) -> UInt8 {
    guard offset < bytes.count else { throw damage("it ends too early") }
    defer { offset += 1 }
    return bytes[offset]
  }

  private mutating func number() throws(DamagedHistory) -> UInt64 {
    var number: UInt64 = 0
    var shift: UInt64 = 0
    while true {
      let byte = try byte()
      let bits = UInt64(byte & 0x7F)
      guard shift < 63 || shift == 63 && bits <= 1 else { throw damage("a number is too long") }
      number |= bits << shift
      if byte & 0x80 == 0 { return number }
      shift += 7
    }
  }

  private mutating func folded() throws(DamagedHistory) -> Int64 {
    let number = try number()
    return Int64(bitPattern: number >> 1) ^ -Int64(bitPattern: number & 1)
  }

  /// How many of something follow, of which each has a byte at least.
  private mutating func count(_ what: String) throws(DamagedHistory) -> Int {
    let number = try number()
    guard let count = Int(exactly: number), count <= bytes.count - offset else {
      throw damage("it says that \(number) \(what) follow, and \(bytes.count - offset) bytes do")
    }
    return count
  }

  private mutating func name() throws(DamagedHistory) -> Int64 {
    let number = try number()
    guard let name = Int64(exactly: number) else {
      throw damage("\(number) is not the number of a name")
    }
    return name
  }

  private mutating func size() throws(DamagedHistory) -> Int {
    let number = try number()
    guard let size = Int(exactly: number) else {
      throw damage("\(number) is not a number of bytes")
    }
    return size
  }

  private mutating func flag() throws(DamagedHistory) -> Bool {
    let number = try number()
    guard number <= 1 else { throw damage("\(number) is neither 0 nor 1") }
    return number == 1
  }

  private mutating func slice() throws(DamagedHistory) -> ArraySlice<UInt8> {
    let count = try count("bytes")
    defer { offset += count }
    return bytes[offset..<offset + count]
  }

  private mutating func text() throws(DamagedHistory) -> String {
    let start = offset
    guard let text = String(validating: try slice(), as: UTF8.self) else {
      throw DamagedHistory(reason: "a text is not in UTF-8", offset: start)
    }
    return text
  }

  private mutating func real() throws(DamagedHistory) -> Double {
    var bits: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 64, by: 8) { bits |= UInt64(try byte()) << shift }
    return Double(bitPattern: bits)
  }
}
