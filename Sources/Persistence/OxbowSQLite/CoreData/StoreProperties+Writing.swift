internal import OxbowCoreData
internal import OxbowDocuments
internal import OxbowFoundation

extension StoreProperties {
  /// A value of a program, in the form of a property list; dates in seconds since 2001.
  enum OwnValue: Sendable {
    case text(String)
    case integer(Int64)
    case real(Double)
    case boolean(Bool)
    case date(Double)
    case data([UInt8])
    /// What Core Data keeps of a model.
    case texts([String])
    case hashes([String: [UInt8]])
  }

  /// Whether a key is one of Core Data's.
  static func isReserved(_ key: String) -> Bool {
    ["NSStore", "NSPersistence", "_NS"].contains(where: key.hasPrefix)
  }

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
    var container = encoder.singleValueContainer()
    switch self {
    case .own(.text(let text)): try container.encode(text)
    case .own(.integer(let number)): try container.encode(number)
    case .own(.real(let number)): try container.encode(number)
    case .own(.boolean(let truth)): try container.encode(truth)
    case .own(.date(let seconds)):
      try container.encode(Date(timeIntervalSinceReferenceDate: seconds))
    case .own(.data(let bytes)): try container.encode(Data(bytes))
    case .own(.texts(let texts)): try container.encode(texts)
    case .own(.hashes(let hashes)): try container.encode(hashes.mapValues { Data($0) })
    case .former(let value): try Self.encode(value, &container)
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
