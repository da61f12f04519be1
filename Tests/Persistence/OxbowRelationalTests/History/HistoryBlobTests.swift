import OxbowRelational
import OxbowTestSupport
import Testing

/// What a save changed, as bytes and back.
@Suite struct HistoryBlobTests {
  private static let seed: UInt64 = 11

  /// A random run, as it is read.
  private static func run(_ random: inout SeededRandom) -> HistoryRun {
    var run = HistoryRun(kind: HistoryRunKind.allCases.randomElement(using: &random) ?? .insert)
    func name() -> Int64 { Int64.random(in: 1...300, using: &random) }
    switch run.kind {
    case .metadata, .note: break
    case .insert: run.names = [name()]
    case .update, .delete:
      run.names = [name()]
      run.properties = (0..<Int.random(in: 0...5, using: &random)).map { _ in name() }
      run.flag = run.kind == .delete || Bool.random(using: &random)
    case .link, .unlink: run.names = [name(), name(), name()]
    case .place:
      run.names = [name(), name(), name()]
      run.flag = Bool.random(using: &random)
    case .derived: run.names = [name(), name()]
    }
    run.rows = (0..<Int.random(in: 1...40, using: &random)).map { _ in row(of: run, &random) }
    return run
  }

  private static func row(of run: HistoryRun, _ random: inout SeededRandom) -> HistoryRun.Row {
    var row = HistoryRun.Row()
    func number() -> Int64 {
      let small = Int64.random(in: -50...50, using: &random)
      return Bool.random(using: &random)
        ? small
        : [.max, .min, 0, small, Int64.random(in: .min ... .max, using: &random)]
          .randomElement(using: &random) ?? 0
    }
    switch run.kind {
    case .metadata, .note:
      row.text = String(repeating: "é", count: Int.random(in: 0...9, using: &random))
      return row
    case .insert, .derived: break
    case .update, .delete:
      row.number = number()
      if run.flag { row.cells = run.properties.map { _ in cell(&random) } }
    case .link, .unlink: row.member = number()
    case .place: (row.member, row.number) = (number(), number())
    }
    row.key = number()
    return row
  }

  private static func cell(_ random: inout SeededRandom) -> HistoryCell {
    switch Int.random(in: 0...6, using: &random) {
    case 0: .value(.null)
    case 1: .value(.integer(Int64.random(in: .min ... .max, using: &random)))
    case 2: .value(.real(Double.random(in: -1e9...1e9, using: &random)))
    case 3: .value(.text(String(repeating: "ß", count: Int.random(in: 0...90, using: &random))))
    case 4: .value(.blob((0..<9).map { _ in UInt8.random(in: 0...255, using: &random) }))
    case 5: .inFile(Int.random(in: 0...1 << 40, using: &random))
    default: .value(.real(-0.0))
    }
  }

  private static func write(_ runs: [HistoryRun]) -> [[UInt8]] {
    var writer = HistoryBlobWriter()
    return write(runs, in: &writer)
  }

  private static func write(
    _ runs: [HistoryRun], in writer: inout HistoryBlobWriter
  ) -> [[UInt8]] {
    writer.removeAll()
    for run in runs {
      var header = run.names
      if [.update, .delete].contains(run.kind) {
        header += [Int64(run.properties.count)] + run.properties
      }
      if [.update, .place].contains(run.kind) { header.append(run.flag ? 1 : 0) }
      writer.begin(run.kind, header)
      for row in run.rows { write(row, of: run, to: &writer) }
    }
    writer.finish()
    return writer.parts
  }

  private static func write(
    _ row: HistoryRun.Row, of run: HistoryRun, to writer: inout HistoryBlobWriter
  ) {
    switch run.kind {
    case .metadata, .note: writer.row(row.text)
    case .insert, .derived: writer.row(row.key)
    case .update, .delete:
      writer.row(row.key)
      writer.number(row.number)
      for cell in row.cells { write(cell, to: &writer) }
    case .link, .unlink: writer.row(row.key, row.member)
    case .place:
      writer.row(row.key, row.member)
      writer.number(row.number)
    }
  }

  private static func write(_ cell: HistoryCell, to writer: inout HistoryBlobWriter) {
    switch cell {
    case .value(.null): writer.null()
    case .value(.integer(let number)): writer.integer(number)
    case .value(.real(let number)): writer.real(number)
    case .value(.text(let text)): Array(text.utf8).withUnsafeBytes { writer.text($0) }
    case .value(.blob(let bytes)): bytes.withUnsafeBytes { writer.bytes($0) }
    case .inFile(let count): writer.file(count)
    case .large: break
    }
  }

  @Test func `PS-11 what is written is read, for random changes`() throws {
    var random = SeededRandom(seed: Self.seed)
    for round in 0..<2000 {
      let runs = (0..<Int.random(in: 1...6, using: &random)).map { _ in Self.run(&random) }
      let read = try Self.write(runs).flatMap { try HistoryBlobReader.runs($0) }
      try #require(read == runs, "seed \(Self.seed), round \(round)")
    }
  }

  @Test func `PS-11 a writer that is used again writes what a new one does`() throws {
    var random = SeededRandom(seed: Self.seed)
    var writer = HistoryBlobWriter()
    for round in 0..<500 {
      let runs = (0..<Int.random(in: 0...6, using: &random)).map { _ in Self.run(&random) }
      if round % 100 == 50 {
        // One of several parts, and one that is given up in its middle.
        writer.begin(.delete, [7, 1, 8])
        let text = [UInt8](repeating: 65, count: 60_000)
        for key in 0..<(round == 50 ? 20 : 3) {
          writer.row(Int64(key))
          text.withUnsafeBytes { writer.text($0) }
        }
        if round == 50 { writer.finish() }
        #expect(round != 50 || writer.parts.count > 1)
      }
      let written = Self.write(runs, in: &writer)
      try #require(written == Self.write(runs), "seed \(Self.seed), round \(round)")
    }
  }

  @Test func `PS-11 damaged bytes are an error or other changes, and never a trap`() throws {
    var random = SeededRandom(seed: Self.seed)
    var refused = 0
    for _ in 0..<2000 {
      let runs = (0..<3).map { _ in Self.run(&random) }
      for var bytes in Self.write(runs) {
        switch Int.random(in: 0...2, using: &random) {
        case 0: bytes.removeLast(Int.random(in: 1...bytes.count, using: &random))
        case 1:
          for _ in 0..<3 {
            bytes[Int.random(in: bytes.indices, using: &random)] =
              UInt8.random(in: 0...255, using: &random)
          }
        default:
          bytes = (0..<bytes.count).map { _ in UInt8.random(in: 0...255, using: &random) }
          bytes[0] = 1
        }
        do { _ = try HistoryBlobReader.runs(bytes) } catch { refused += 1 }
      }
    }
    #expect(refused > 1000, "seed \(Self.seed)")
  }

  @Test func `PS-11 an error says where the bytes are wrong and what was seen`() {
    func text(_ bytes: [UInt8]) -> String? {
      do {
        _ = try HistoryBlobReader.runs(bytes)
        return nil
      } catch { return "\(error)" }
    }
    #expect(text([]) == "at byte 0 of it: it ends too early")
    #expect(
      text([2]) == "at byte 1 of it: the form has the version 2, and this version of Oxbow reads 1")
    #expect(text([1, 40]) == "at byte 2 of it: there is no kind 40")
    #expect(
      text([1, 1, 7, 100, 2])
        == "at byte 4 of it: it says that 100 rows follow, and 1 bytes do")
    #expect(
      text([1, 1, 7, 1] + [UInt8](repeating: 255, count: 11))
        == "at byte 14 of it: a number is too long")
    #expect(text([1, 9, 1, 2, 0xC3, 0x28]) == "at byte 3 of it: a text is not in UTF-8")
  }

  @Test func `PS-11 a large save is in parts, each of which is read by itself`() throws {
    var writer = HistoryBlobWriter()
    writer.begin(.update, [7, 1, 8, 1])
    let text = Array(String(repeating: "x", count: 100).utf8)
    for key in 0..<Int64(20_000) {
      writer.row(key)
      writer.number(1)
      text.withUnsafeBytes { writer.text($0) }
    }
    writer.finish()
    let parts = writer.parts
    #expect(parts.count > 5 && parts.allSatisfy { $0.count <= 2 * HistoryTables.partBytes })
    let rows = try parts.flatMap { try HistoryBlobReader.runs($0) }.flatMap(\.rows)
    #expect(rows.map(\.key) == Array(0..<20_000))
  }

  @Test func `PS-11 values above 64 KiB are noted by their size`() throws {
    var writer = HistoryBlobWriter()
    writer.begin(.delete, [7, 1, 8])
    writer.row(1)
    writer.number(3)
    [UInt8](repeating: 65, count: 65_537).withUnsafeBytes { writer.text($0) }
    writer.finish()
    let runs = try writer.parts.flatMap { try HistoryBlobReader.runs($0) }
    #expect(runs[0].rows[0].cells == [.large(65_537)])
  }
}
