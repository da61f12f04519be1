internal import OxbowDocuments
internal import OxbowFoundation

/// A value is written under the name of its case: `{"integer": 5}`.
///
/// Nothing is lost in JSON: numbers that it does not have and decimal numbers are texts, moments
/// are seconds since 2001.
extension AttributeValue: Codable {
  private enum Kind: String, CodingKey, CaseIterable {
    case integer, double, boolean, string, date, data, uuid, url, decimal
  }

  /// Reads a value as ``encode(to:)`` writes it.
  ///
  /// - Throws: `DecodingError` for what is not a value.
  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: Kind.self)
    guard fields.allKeys.count == 1, let kind = fields.allKeys.first else {
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: decoder.codingPath,
          debugDescription: "a value has one of the names "
            + Kind.allCases.map(\.rawValue).joined(separator: ", ")))
    }
    self = try Self.read(kind, fields)
  }

  private static func read(_ kind: Kind, _ fields: KeyedDecodingContainer<Kind>) throws -> Self {
    switch kind {
    case .integer: .integer(try fields.decode(Int64.self, forKey: kind))
    case .boolean: .boolean(try fields.decode(Bool.self, forKey: kind))
    case .string: .string(try fields.decode(String.self, forKey: kind))
    case .data: .data(try fields.decode(Data.self, forKey: kind))
    case .double: .double(try number(kind, fields))
    case .date: .date(Date(timeIntervalSinceReferenceDate: try number(kind, fields)))
    case .uuid: .uuid(try parsed(kind, fields) { UUID(uuidString: $0) })
    case .url: .url(try parsed(kind, fields) { URL(string: $0) })
    case .decimal: .decimal(try parsed(kind, fields) { ScalarText.decimal($0) })
    }
  }

  private static func parsed<Value>(
    _ kind: Kind, _ fields: KeyedDecodingContainer<Kind>, _ parse: (String) -> Value?
  ) throws -> Value {
    let text = try fields.decode(String.self, forKey: kind)
    guard let value = parse(text) else {
      throw DecodingError.dataCorruptedError(
        forKey: kind, in: fields, debugDescription: "'\(text)' is not a valid \(kind.rawValue)")
    }
    return value
  }

  private static func number(
    _ kind: Kind, _ fields: KeyedDecodingContainer<Kind>
  ) throws -> Double {
    if let number = try? fields.decode(Double.self, forKey: kind) { return number }
    return try parsed(kind, fields) { Double($0) }
  }

  /// Writes the value under the name of its case.
  public func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: Kind.self)
    switch self {
    case .integer(let number): try fields.encode(number, forKey: .integer)
    case .boolean(let truth): try fields.encode(truth, forKey: .boolean)
    case .string(let text): try fields.encode(text, forKey: .string)
    case .data(let data): try fields.encode(data, forKey: .data)
    case .double(let number): try Self.write(number, .double, &fields)
    case .date(let date):
      try Self.write(date.timeIntervalSinceReferenceDate, .date, &fields)
    case .uuid(let uuid): try fields.encode(uuid.uuidString, forKey: .uuid)
    case .url(let url): try fields.encode(url.absoluteString, forKey: .url)
    case .decimal(let number): try fields.encode(number.description, forKey: .decimal)
    }
  }

  // JSON has no infinity, and not every reader keeps the sign of a zero.
  private static func write(
    _ number: Double, _ kind: Kind, _ fields: inout KeyedEncodingContainer<Kind>
  ) throws {
    guard number.isFinite, number != 0 || number.sign == .plus else {
      return try fields.encode(number.description, forKey: kind)
    }
    try fields.encode(number, forKey: kind)
  }
}
