/// A table as bars, one for each ratio, with what each should be.
struct Chart {
  let title: String
  let table: Table

  private static let width = 760.0
  private static let labelWidth = 330.0
  private static let barHeight = 14.0
  private static let gap = 10.0
  private static let top = 58.0
  private static let colours = ["#1f5fa8", "#8aa9cc", "#5c5c5c"]

  /// The chart as SVG: the same text for the same table.
  var svg: String {
    var y = Self.top
    var body = ""
    for row in table.rows {
      body += drawing(of: row, at: y)
      y += height(of: row) + Self.gap
    }
    let height = y + 8
    return """
      <svg xmlns="http://www.w3.org/2000/svg" role="img" width="\(text(Self.width))" \
      height="\(text(height))" viewBox="0 0 \(text(Self.width)) \(text(height))" \
      font-family="system-ui, sans-serif" font-size="12">
      <title>\(escaped(title))</title>
      <rect width="100%" height="100%" rx="6" fill="#ffffff"/>
      <text x="14" y="22" font-size="14" font-weight="600" fill="#1a1a1a">\(escaped(title))</text>
      \(legend)\(one(to: height))\(body)</svg>

      """
  }

  // MARK: Parts

  /// What the colours and the mark mean.
  private var legend: String {
    var x = 14.0
    var result = ""
    for (index, name) in table.series.enumerated() {
      result += box(x, 34, 10, 10, Self.colours[index % Self.colours.count])
      result += label(x + 15, 43, name)
      x += 35 + Double(name.count) * 7
    }
    guard table.rows.contains(where: { target(of: $0) != nil }) else { return result }
    result += mark(x + 2, 33, 12) + label(x + 10, 43, "target")
    return result
  }

  /// A line where both sides take the same.
  private func one(to height: Double) -> String {
    guard limit > 1, !table.series[0].hasPrefix("Over ") else { return "" }
    let x = text(place(1))
    return "<line x1=\"\(x)\" y1=\"\(text(Self.top - 6))\" x2=\"\(x)\" y2=\"\(text(height - 8))\" "
      + "stroke=\"#b0b0b0\" stroke-dasharray=\"3 3\"/>\n"
  }

  private func drawing(of row: Table.Row, at top: Double) -> String {
    let middle = top + height(of: row) / 2 + 4
    var result = label(Self.labelWidth - 10, middle, row.name, anchor: "end")
    for (index, value) in row.values.enumerated() {
      guard let value else { continue }
      let y = top + Double(index) * Self.barHeight
      let (low, high) = (value.range.lowerBound, value.range.upperBound)
      let end = place((low + high) / 2)
      result += box(
        Self.labelWidth, y, max(end - Self.labelWidth, 1), Self.barHeight - 3,
        Self.colours[index % Self.colours.count])
      if low < high { result += spread(from: low, to: high, y) }
      let place = max(place(high), index == 0 ? mark(of: row) : 0)
      result += label(place + 8, y + Self.barHeight - 4, value.text)
    }
    if let target = target(of: row) { result += mark(place(target), top - 3, Self.barHeight + 3) }
    return result
  }

  private func mark(of row: Table.Row) -> Double { target(of: row).map(place) ?? 0 }

  private func spread(from low: Double, to high: Double, _ y: Double) -> String {
    let middle = text(y + (Self.barHeight - 3) / 2)
    return "<path d=\"M\(text(place(low))) \(middle) H\(text(place(high)))\" stroke=\"#1a1a1a\" "
      + "stroke-width=\"1.5\"/>\n"
  }

  // MARK: Numbers

  private func target(of row: Table.Row) -> Double? {
    row.values.first.flatMap { $0 } == nil ? nil : Table.numbers(in: row.target).first
  }

  private func height(of row: Table.Row) -> Double { Double(row.values.count) * Self.barHeight }

  /// The largest number of the chart.
  private var limit: Double {
    table.rows.flatMap { row in
      row.values.compactMap { $0?.range.upperBound } + [target(of: row) ?? 0]
    }
    .max() ?? 1
  }

  private func place(_ number: Double) -> Double {
    Self.labelWidth + number / limit * (Self.width - Self.labelWidth - 110)
  }

  /// A number with two digits behind the point at most.
  private func text(_ number: Double) -> String {
    let hundredths = Int((number * 100).rounded())
    let fraction = hundredths % 100
    guard fraction != 0 else { return "\(hundredths / 100)" }
    let digits =
      fraction % 10 == 0 ? "\(fraction / 10)" : fraction < 10 ? "0\(fraction)" : "\(fraction)"
    return "\(hundredths / 100).\(digits)"
  }

  // MARK: Elements

  private func box(
    _ x: Double, _ y: Double, _ width: Double, _ height: Double, _ colour: String
  ) -> String {
    "<rect x=\"\(text(x))\" y=\"\(text(y))\" width=\"\(text(width))\" height=\"\(text(height))\" "
      + "fill=\"\(colour)\"/>\n"
  }

  private func mark(_ x: Double, _ y: Double, _ height: Double) -> String {
    "<path d=\"M\(text(x)) \(text(y)) V\(text(y + height))\" stroke=\"#c23b22\" "
      + "stroke-width=\"2.5\"/>\n"
  }

  private func label(
    _ x: Double, _ y: Double, _ words: String, anchor: String = "start"
  ) -> String {
    "<text x=\"\(text(x))\" y=\"\(text(y))\" text-anchor=\"\(anchor)\" fill=\"#1a1a1a\">"
      + "\(escaped(words))</text>\n"
  }

  private func escaped(_ words: String) -> String {
    words.map { character in
      switch character {
      case "&": "&amp;"
      case "<": "&lt;"
      case ">": "&gt;"
      case "`": ""
      default: String(character)
      }
    }.joined()
  }
}
