#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension ValueConverters {
  /// Lets text that is JSON become a `Value`.
  ///
  /// - Parameter type: The type of the values.
  public mutating func registerJSON<Value: Decodable & Sendable>(_ type: Value.Type) {
    register(JSONConverter<Value>())
  }
}

private struct JSONConverter<Value: Decodable & Sendable>: TypeConverter {
  var expected: String { "JSON of a \(Value.self)" }

  func convert(_ text: String) throws -> Value? {
    do {
      return try JSONDecoder().decode(Value.self, from: Data(text.utf8))
    } catch let error as DecodingError {
      throw JSONFault(error)
    }
  }
}

/// What a decoder found, in one line.
private struct JSONFault: Error, CustomStringConvertible {
  let description: String

  init(_ error: DecodingError) {
    switch error {
    case .keyNotFound(let key, let context):
      description = "\"\(Self.path(context.codingPath + [key]))\" is missing"
    case .typeMismatch(let type, let context), .valueNotFound(let type, let context):
      description = "\"\(Self.path(context.codingPath))\" is no \(type)"
    case .dataCorrupted(let context): description = context.debugDescription
    @unknown default: description = "it cannot be decoded"
    }
  }

  private static func path(_ keys: [any CodingKey]) -> String {
    keys.map(\.stringValue).joined(separator: ".")
  }
}
