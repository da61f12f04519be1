/// The beginnings of a document's lines, which turn offsets into lines and columns.
struct XMLLines: Sendable {
  let file: String
  private var starts: [Int32]

  /// Finds the lines of a document whose first line begins after a byte order mark.
  init(of bytes: XMLBytes, from beginning: Int, file: String) {
    self.file = file
    starts = [Int32(beginning)]
    var offset = beginning
    while let end = Self.endOfLine(in: bytes, from: offset) {
      offset = end
      starts.append(Int32(end))
    }
  }

  /// The location of an offset in a line that `advance(_:to:)` found.
  func location(of offset: Int32, line: Int32) -> SourceLocation {
    let column = Int(offset - starts[Int(line)]) + 1
    return SourceLocation(file: file, line: Int(line) + 1, column: column)
  }

  func location(of offset: Int32) -> SourceLocation {
    var (low, high) = (0, starts.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if starts[middle] <= offset { low = middle } else { high = middle }
    }
    return location(of: offset, line: Int32(low))
  }

  /// Moves a line, counted from 0, to that of a later offset.
  @inline(__always) func advance(_ line: inout Int32, to offset: Int32) {
    while Int(line) + 1 < starts.count, starts[Int(line) + 1] <= offset { line += 1 }
  }

  /// The offset after the next end of a line: "\n", "\r\n" or "\r".
  private static func endOfLine(in bytes: XMLBytes, from start: Int) -> Int? {
    var offset = start
    while true {
      offset += bytes.plainCount(at: offset, below: 0x0E, allowsAboveASCII: true)
      guard offset < bytes.count else { return nil }
      let byte = bytes[offset]
      offset += 1
      if byte == Ascii.newline { return offset }
      if byte == Ascii.carriageReturn, offset == bytes.count || bytes[offset] != Ascii.newline {
        return offset
      }
    }
  }
}
