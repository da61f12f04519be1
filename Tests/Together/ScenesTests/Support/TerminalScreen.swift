/// What a terminal shows after the text that a program wrote to it.
///
/// Knows the sequences that the scenes write; any other one is noted as ``unknown``.
struct TerminalScreen {
  private struct Cell: Equatable {
    /// Nil for the second cell of a wide character.
    var character: Character? = " "
    var style = 0
  }

  private(set) var width: Int
  private(set) var height: Int
  private var cells: [Cell]
  private var column = 0
  private var row = 0
  private var style = 0
  private var pending: [UInt8] = []
  /// Whether the program draws on the other screen.
  private(set) var isAlternate = false
  private(set) var hasCursor = true
  /// The lines that were written to the first screen, with what came before.
  private(set) var printed = ""
  /// The sequences that this terminal does not know.
  private(set) var unknown: [String] = []

  init(_ width: Int, _ height: Int) {
    (self.width, self.height) = (width, height)
    cells = Array(repeating: Cell(), count: width * height)
  }

  /// The lines without blanks at their ends.
  var lines: [String] {
    (0..<height).map { y in
      var line = String(cells[y * width..<(y + 1) * width].compactMap(\.character))
      while line.last == " " { line.removeLast() }
      return line
    }
  }

  var text: String { lines.joined(separator: "\n") }

  /// What is written in reversed colours.
  var reversed: [String] {
    (0..<height).compactMap { y in
      let row = cells[y * width..<(y + 1) * width].filter { $0.style == 7 }
      let text = String(row.compactMap(\.character)).trimmingBlanks
      return text.isEmpty ? nil : text
    }
  }

  mutating func resize(_ width: Int, _ height: Int) {
    (self.width, self.height) = (width, height)
    cells = Array(repeating: Cell(), count: width * height)
  }

  // MARK: - What the program writes

  mutating func apply(_ bytes: some Sequence<UInt8>) {
    pending += bytes
    while let length = next() { pending.removeFirst(length) }
  }

  /// Applies the next character or sequence; how many bytes it has, or nil when some are missing.
  private mutating func next() -> Int? {
    guard let first = pending.first else { return nil }
    if first == 0x1B { return sequence() }
    let length = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
    guard pending.count >= length else { return nil }
    // Marks that belong to a character come with it.
    var end = length
    while end < pending.count, let mark = Self.mark(pending[end...]) { end += mark }
    put(String(decoding: pending[..<end], as: UTF8.self))
    return end
  }

  /// The length of a combining mark (U+0300 to U+036F) that some bytes begin with.
  private static func mark(_ bytes: ArraySlice<UInt8>) -> Int? {
    bytes.first == 0xCC || bytes.first == 0xCD ? 2 : nil
  }

  private mutating func sequence() -> Int? {
    guard pending.count > 2 else { return nil }
    guard let end = pending[2...].firstIndex(where: { (0x40...0x7E).contains($0) }) else {
      return nil
    }
    control(String(decoding: pending[1...end], as: UTF8.self))
    return end + 1
  }

  private mutating func control(_ sequence: String) {
    let numbers = sequence.dropFirst().dropLast().split(separator: ";").compactMap { Int($0) }
    switch sequence {
    case "[?1049h": isAlternate = true
    case "[?1049l": isAlternate = false
    case "[?25l": hasCursor = false
    case "[?25h": hasCursor = true
    case "[2J": resize(width, height)
    case _ where sequence.hasSuffix("m"): style = numbers.last ?? 0
    case _ where sequence.hasSuffix("H") && numbers.count == 2:
      (row, column) = (numbers[0] - 1, numbers[1] - 1)
    default: unknown.append(sequence)
    }
  }

  private mutating func put(_ text: String) {
    guard isAlternate else {
      printed += text
      return
    }
    for character in text {
      // As wide as the characters of East Asia that tests use.
      let isWide = character.unicodeScalars.contains { (0x3000...0x9FFF).contains($0.value) }
      if (0..<height).contains(row), column >= 0, column + (isWide ? 2 : 1) <= width {
        set(Cell(character: character, style: style), column)
        if isWide { set(Cell(character: nil, style: style), column + 1) }
      }
      column += isWide ? 2 : 1
    }
  }

  private mutating func set(_ cell: Cell, _ column: Int) { cells[row * width + column] = cell }
}

extension TerminalScreen {
  /// The lines, each with the styles of its cells.
  var styledLines: [String] {
    zip(0..., lines).map { y, line in
      line + " " + cells[y * width..<(y + 1) * width].map { "\($0.style)" }.joined()
    }
  }
}

extension String {
  var trimmingBlanks: String {
    var rest = self[...]
    while rest.first == " " { rest = rest.dropFirst() }
    while rest.last == " " { rest = rest.dropLast() }
    return String(rest)
  }
}
