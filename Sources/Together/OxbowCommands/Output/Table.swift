/// Rows of words in columns, for people.
struct Table {
  private var rows: [[String]] = []

  /// Whether the first row has the names of the columns, and a line below it.
  var hasHead = false

  /// The columns that are aligned at the right.
  var numbers: Set<Int> = []

  mutating func add(_ cells: String...) { add(cells) }

  mutating func add(_ cells: [String]) { rows.append(cells.map(\.oneLine)) }

  /// Adds a row for each text, the first of them behind a title.
  mutating func add(_ title: String, _ texts: [String]) {
    for (index, text) in texts.enumerated() { add(index == 0 ? title : "", text) }
  }

  /// The rows with the columns below each other; `indentation` blanks in front.
  func lines(indentation: Int = 0) -> [String] {
    var widths: [Int] = []
    for row in rows {
      for (column, cell) in row.enumerated() {
        if column == widths.count { widths.append(0) }
        widths[column] = max(widths[column], cell.count)
      }
    }
    var lines = rows.map { row in
      let cells = row.enumerated().map { column, cell in
        let space = String(repeating: " ", count: widths[column] - cell.count)
        return numbers.contains(column) ? space + cell : cell + space
      }
      let line = String(repeating: " ", count: indentation) + cells.joined(separator: "  ")
      return String(line.reversed().drop { $0 == " " }.reversed())
    }
    if hasHead {
      let rule = widths.map { String(repeating: "-", count: $0) }.joined(separator: "  ")
      lines.insert(String(repeating: " ", count: indentation) + rule, at: 1)
    }
    return lines
  }
}

/// Returns "1 row", "2 rows".
func counted(_ count: Int, _ noun: String, _ plural: String? = nil) -> String {
  count == 1 ? "1 \(noun)" : "\(count) \(plural ?? noun + "s")"
}

/// Returns the beginning of a hash, enough to distinguish models.
func short(_ hash: String?) -> String { hash.map { String($0.prefix(12)) } ?? "none" }
