/// A rectangle of cells.
struct CellRect: Equatable {
  var x: Int
  var y: Int
  var width: Int
  var height: Int

  /// The cells that both have.
  func intersection(_ other: CellRect) -> CellRect {
    let (left, top) = (max(x, other.x), max(y, other.y))
    return CellRect(
      x: left, y: top, width: max(0, min(x + width, other.x + other.width) - left),
      height: max(0, min(y + height, other.y + other.height) - top))
  }
}

/// How text looks; the raw value is what terminals call it.
enum CellStyle: Int {
  case plain = 0
  case bold = 1
  case reversed = 7
}

/// What a terminal shows: a character and a style for each cell.
struct Screen: Equatable {
  private struct Cell: Equatable {
    /// Nil for the second cell of a wide character.
    var character: Character? = " "
    var style = CellStyle.plain
  }

  let width: Int
  let height: Int
  private var cells: [Cell]

  init(_ width: Int, _ height: Int) {
    self.width = max(0, width)
    self.height = max(0, height)
    cells = Array(repeating: Cell(), count: self.width * self.height)
  }

  /// Writes text at a place; what is outside of `clip` is left out.
  mutating func write(_ text: String, x: Int, y: Int, _ style: CellStyle, in clip: CellRect) {
    let clip = clip.intersection(CellRect(x: 0, y: 0, width: width, height: height))
    guard (clip.y..<clip.y + clip.height).contains(y) else { return }
    var x = x
    for character in text {
      let count = character.cellCount
      if x >= clip.x, x + count <= clip.x + clip.width {
        set(Cell(character: character.isPrintable ? character : "?", style: style), x, y)
        if count == 2 { set(Cell(character: nil, style: style), x + 1, y) }
      }
      x += count
    }
  }

  /// Half of a wide character that is written over leaves a blank.
  private mutating func set(_ cell: Cell, _ x: Int, _ y: Int) {
    let index = y * width + x
    let isWide = cells[index].character?.cellCount == 2
    if isWide, x + 1 < width { cells[index + 1].character = " " }
    if cells[index].character == nil, cell.character != nil, x > 0 {
      cells[index - 1].character = " "
    }
    cells[index] = cell
  }

  // MARK: - Differences

  /// What makes a terminal that shows `old` show this; nil for one that shows anything.
  func changes(from old: Screen?) -> String {
    let known = old.flatMap { $0.width == width && $0.height == height ? $0 : nil }
    var text = known == nil ? "\u{1B}[0m\u{1B}[2J" : ""
    for y in 0..<height {
      let row = cells[y * width..<(y + 1) * width]
      let before = known.map { $0.cells[y * width..<(y + 1) * width] }
      guard let span = Self.span(row, before) else { continue }
      text += "\u{1B}[\(y + 1);\(span.lowerBound - y * width + 1)H" + Self.text(row[span])
    }
    return text
  }

  /// The cells from the first to the last that differ.
  private static func span(
    _ row: ArraySlice<Cell>, _ before: ArraySlice<Cell>?
  ) -> ClosedRange<Int>? {
    guard let before else { return row.isEmpty ? nil : row.startIndex...row.endIndex - 1 }
    let different = row.indices.filter { row[$0] != before[$0] }
    guard var first = different.first, let last = different.last else { return nil }
    // A wide character is written from its first cell.
    while row[first].character == nil, first > row.startIndex { first -= 1 }
    return first...last
  }

  private static func text(_ cells: ArraySlice<Cell>) -> String {
    var text = ""
    var style = CellStyle.plain
    for cell in cells {
      if cell.style != style { text += "\u{1B}[0;\(cell.style.rawValue)m" }
      style = cell.style
      if let character = cell.character { text.append(character) }
    }
    return style == .plain ? text : text + "\u{1B}[0m"
  }
}

extension Character {
  /// How many cells a terminal gives it: two for wide ones.
  var cellCount: Int {
    guard let first = unicodeScalars.first?.value, first >= 0x1100 else { return 1 }
    return Self.wide.contains { $0.contains(first) } ? 2 : 1
  }

  /// Whether it is seen, and moves nothing but the cursor behind it.
  var isPrintable: Bool {
    switch unicodeScalars.first?.properties.generalCategory {
    case .control, .format, .surrogate, .lineSeparator, .paragraphSeparator, .nonspacingMark,
      .enclosingMark, nil:
      false
    default: !unicodeScalars.contains { $0.properties.generalCategory == .control }
    }
  }

  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF,
    0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1FAFF, 0x20000...0x3FFFD,
  ]
}

extension String {
  /// How many cells a terminal gives it.
  var cellCount: Int { reduce(0) { $0 + $1.cellCount } }
}
