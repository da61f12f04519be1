import OxbowModel

/// What becomes of a value whose attribute gets another type, as the documentation says.
enum Retyping {
  /// The value in the new type, as SQLite's `quote` writes it; `nil` where no migration converts.
  static func expected(_ value: String, from old: AttributeType, to new: AttributeType) -> String? {
    if value == "NULL" { return value }
    switch (form(old), form(new)) {
    case let (was, now) where was == now: return value
    case ("whole", "real"): return "\(value).0"
    case ("whole", "String"), ("whole", "Decimal"): return "'\(value)'"
    case ("UUID", "String"): return hyphenated(value)
    default: return nil
    }
  }

  /// How a type is kept.
  private static func form(_ type: AttributeType) -> String {
    switch type {
    case .integer16, .integer32, .integer64: "whole"
    case .double, .float: "real"
    case .binaryData, .transformable: "bytes"
    default: type.rawValue
    }
  }

  /// `X'001122…'` in groups of 8, 4, 4, 4 and 12 digits.
  private static func hyphenated(_ blob: String) -> String {
    var digits = blob.dropFirst(2).dropLast()
    let groups = [8, 4, 4, 4, 12].map { count in
      defer { digits = digits.dropFirst(count) }
      return String(digits.prefix(count))
    }
    return "'\(groups.joined(separator: "-"))'"
  }
}
