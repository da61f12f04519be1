/// A table of a Markdown file, as far as a chart is concerned.
struct Table {
  /// The columns that are drawn: ratios of the present version.
  let series: [String]
  let rows: [Row]

  struct Row {
    let name: String
    /// What each cell says; `nil` for one without a number.
    let values: [Value?]
    /// What the first column should have, as written: `≤ 1.05`.
    let target: String
  }

  /// A number, or the smallest and the largest of several.
  struct Value {
    let range: ClosedRange<Double>
    let text: String
  }

  /// Reads the lines of a table; `nil` for one without ratios.
  init?(_ lines: [String]) {
    let cells = lines.map(Self.cells)
    guard let header = cells.first, cells.count > 2 else { return nil }
    let drawn = header.indices.dropFirst().filter { Self.isRatio(header[$0]) }
    guard !drawn.isEmpty else { return nil }
    let target = header.firstIndex(of: "Target")
    series = drawn.map { header[$0] }
    rows = cells.dropFirst(2).map { row in
      Row(
        name: row.first ?? "",
        values: drawn.map { $0 < row.count ? Self.value(row[$0]) : nil },
        target: target.flatMap { $0 < row.count ? row[$0] : nil } ?? "")
    }.filter { row in row.values.contains { $0 != nil } }
  }

  private static func isRatio(_ title: String) -> Bool {
    (title.hasPrefix("÷") || title.lowercased().hasPrefix("ratio") || title.hasPrefix("Over "))
      && !title.contains("before")
  }

  private static func cells(_ line: String) -> [String] {
    line.split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast()
      .map { trimmed(String($0)) }
  }

  private static func trimmed(_ text: String) -> String {
    let start = text.drop { $0 == " " }
    return String(start.prefix(start.count - start.reversed().prefix { $0 == " " }.count))
  }

  /// The numbers of a cell: `1.5`, `1.85 – 2.40`, `20 (30 before)`.
  private static func value(_ cell: String) -> Value? {
    let text = trimmed(String(cell.prefix { $0 != "(" }))
    let found = numbers(in: text)
    guard let low = found.min(), let high = found.max() else { return nil }
    return Value(range: low...high, text: text)
  }

  static func numbers(in text: some StringProtocol) -> [Double] {
    text.split { !($0.isASCII && ($0.isNumber || $0 == "." || $0 == ",")) }
      .compactMap { Double(String($0.filter { $0 != "," })) }
  }
}
