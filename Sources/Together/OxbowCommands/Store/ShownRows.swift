internal import OxbowDocuments
internal import OxbowFoundation
internal import OxbowModel
internal import OxbowRelational
internal import OxbowRuntime

/// The rows of a question in the forms that `store fetch` writes.
struct ShownRows {
  let names: [String]
  let types: [AttributeType]
  let rows: ColumnRows

  /// So many rows are written at once.
  private static let pageSize = 500

  var count: Int { rows.count }

  private func values(_ row: Int) -> ArraySlice<FetchValue> {
    rows.values[row * rows.width..<row * rows.width + names.count]
  }

  /// Writes each row in a form, a page at a time.
  ///
  /// - Returns: Whether the reader took all of them.
  func write(_ console: Console, _ form: (Int) -> [UInt8]) throws -> Bool {
    for start in stride(from: 0, to: count, by: Self.pageSize) {
      let page = (start..<min(start + Self.pageSize, count)).flatMap(form)
      guard try console.write(data: page) else { return false }
    }
    return true
  }

  /// A row as a line of JSON.
  func json(_ row: Int) -> [UInt8] {
    var writer = JSONWriter(isSpaced: true)
    writer.beginObject()
    for (name, value) in zip(names, values(row)) {
      writer.key(name)
      switch value {
      case .null: writer.literal("null")
      case .object(let id): writer.text(id.coreDataURI)
      case .attribute(let value): writer.value(value)
      }
    }
    writer.endObject()
    return writer.take() + "\n".utf8
  }
}

// MARK: - CSV

extension ShownRows {
  /// The names of the columns as a record.
  var csvHead: [UInt8] { Self.record(names.map(\.csvField)) }

  /// A row as a record.
  func csv(_ row: Int) -> [UInt8] {
    Self.record(
      values(row).map { value in
        switch value {
        case .null: ""
        case .object(let id): id.coreDataURI.csvField
        case .attribute(.data(let data)): data.base64EncodedString().csvField
        case .attribute(let value): value.plainText.csvField
        }
      })
  }

  private static func record(_ fields: [String]) -> [UInt8] {
    Array((fields.joined(separator: ",") + "\r\n").utf8)
  }
}

extension String {
  /// The text as a field of CSV; quotes distinguish an empty text from no value.
  fileprivate var csvField: String {
    let isPlain = !isEmpty && utf8.allSatisfy { !Array("\",\r\n".utf8).contains($0) }
    return isPlain ? self : enclosed(self, in: "\"")
  }
}

// MARK: - Tables

extension ShownRows {
  /// The rows below their names, numbers at the right.
  ///
  /// - Returns: The table, and how many values were cut.
  func table(cuttingAt width: Int) -> (table: Table, cut: Int) {
    var table = Table()
    table.hasHead = true
    table.numbers = Set(types.indices.filter { types[$0].isNumber })
    table.add(names)
    var cut = 0
    for row in 0..<count {
      table.add(
        values(row).map { value in
          let cell = Self.cell(value)
          guard width > 0, cell.count > width else { return cell }
          cut += 1
          return cell.prefix(width) + "…"
        })
    }
    return (table, cut)
  }

  private static func cell(_ value: FetchValue) -> String {
    switch value {
    case .null: "–"
    case .object(let id): "\(id.entityName)/p\(id.key)"
    case .attribute(.data(let data)): counted(data.count, "byte")
    case .attribute(let value): value.plainText.escaped.oneLine
    }
  }
}

extension String {
  /// The text with its line breaks and tabs as escapes.
  fileprivate var escaped: String {
    replacing("\r\n", with: "\\r\\n").replacing("\n", with: "\\n").replacing("\r", with: "\\r")
      .replacing("\t", with: "\\t")
  }
}

extension AttributeValue {
  /// The value without quotes, exactly.
  fileprivate var plainText: String {
    switch self {
    case .string(let text): text
    case .url(let url): url.absoluteString
    case .date(let date): date.exactText ?? "\(date.timeIntervalSinceReferenceDate)"
    default: description
    }
  }
}

extension AttributeType {
  fileprivate var isNumber: Bool {
    switch self {
    case .integer16, .integer32, .integer64, .double, .float, .decimal: true
    default: false
    }
  }
}
