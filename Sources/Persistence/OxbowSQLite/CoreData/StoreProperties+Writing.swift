internal import OxbowCoreData
internal import OxbowDocuments
internal import OxbowFoundation

extension StoreProperties {
  /// The binary property list that has other values of a program, and everything else as it was.
  ///
  /// - Throws: `DocumentError` for bytes that are not a dictionary; what the encoder throws.
  static func changing(
    _ bytes: [UInt8], _ values: [(key: String, value: OwnValue?)], file: String
  ) throws -> [UInt8] {
    let list = try PropertyListDocument.parse(
      anyForm: bytes, file: file, limits: ModelArchive.limits)
    guard case .dictionary(let entries) = list.content else {
      throw DocumentError(message: "the metadata are not a dictionary", location: list.location)
    }
    let former = entries.map { ($0.key, WrittenValue.former($0.value)) }
    var all = Dictionary(former) { first, _ in first }
    for (key, value) in values { all[key] = value.map { .own($0) } }
    let encoder = PropertyListEncoder()
    encoder.outputFormat = .binary
    return Array(try encoder.encode(all))
  }
}

/// A value as the encoder of property lists takes it.
private enum WrittenValue: Encodable {
  case former(PropertyListValue)
  case own(StoreProperties.OwnValue)

  func encode(to encoder: any Encoder) throws {
    switch self {
    case .own(let value): try value.encode(to: encoder)
    case .former(let value):
      var container = encoder.singleValueContainer()
      try Self.encode(value, &container)
    }
  }

  private static func encode(
    _ value: PropertyListValue, _ container: inout any SingleValueEncodingContainer
  ) throws {
    switch value.content {
    case .text(let text): try container.encode(text)
    case .boolean(let truth): try container.encode(truth)
    case .array(let values): try container.encode(values.map { former($0) })
    case .dictionary(let entries):
      try container.encode(
        Dictionary(entries.map { ($0.key, former($0.value)) }) { first, _ in first })
    case .scalar(let scalar): try encode(scalar, value, &container)
    default: throw unknown(value)
    }
  }

  private static func encode(
    _ scalar: PropertyListScalar, _ value: PropertyListValue,
    _ container: inout any SingleValueEncodingContainer
  ) throws {
    switch scalar {
    case .integer(let number):
      guard let number = Int64(exactly: number) else { throw unknown(value) }
      try container.encode(number)
    case .real(let number): try container.encode(number)
    case .date(let seconds): try container.encode(Date(timeIntervalSinceReferenceDate: seconds))
    case .data(let bytes): try container.encode(Data(bytes))
    default: throw unknown(value)
    }
  }

  private static func unknown(_ value: PropertyListValue) -> DocumentError {
    DocumentError(
      message:
        "the metadata have a value of a kind that cannot be written again, so nothing in them is "
        + "changed", location: value.location)
  }
}
