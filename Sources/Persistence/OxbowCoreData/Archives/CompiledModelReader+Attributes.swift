internal import OxbowDocuments
internal import OxbowFoundation

extension CompiledModelReader {
  mutating func writeAttribute(
    _ attribute: ArchivedObject, _ name: String, _ subject: String
  ) throws(DocumentError) {
    noteUnknown(attribute, subject)
    let number = try attribute.integer("NSAttributeType") ?? 0
    let type = CoreDataNumbers.types[number]
    if type == nil, number != 0 {
      throw attribute.error("\(subject) has the unknown type \(number)")
    }
    let flags = try flags(of: attribute, subject)
    let derivation = try derivation(of: attribute, subject)
    let (defaultText, bytes) = try defaultValue(of: attribute, number, subject)
    try output.start(
      "attribute",
      [
        "name": name, "optional": try attribute.flag("NSIsOptional").flag,
        "transient": try attribute.flag("NSIsTransient").flag, "attributeType": type,
        number == 900 ? "defaultDateTimeInterval" : "defaultValueString": defaultText,
        "valueTransformerName": try attribute.text("NSValueTransformerName"),
        "customClassName": try customClass(of: attribute, number),
        "allowsExternalBinaryDataStorage": (flags & 4 != 0).flag,
        "preserveAfterDeletion": (flags & 16 != 0).flag, "derived": derivation == nil ? nil : "YES",
        "derivationExpression": derivation,
        "indexed": try attribute.flag("NSIsIndexed").flag,
        "elementID": try attribute.renamingIdentifier(of: name),
        "versionHashModifier": try attribute.text("NSVersionHashModifier"),
      ], and: try rules(of: attribute, number, subject))
    try output.userInfo(try userInfo(of: attribute, subject) + bytes)
    output.end()
  }

  private mutating func flags(
    of attribute: ArchivedObject, _ subject: String
  ) throws(DocumentError) -> Int {
    let flags = try attribute.integer("NSFlagsKey") ?? 0
    if flags & ~20 != 0 {
      output.note("\(subject) has flags that are not known: \(flags & ~20)", at: attribute.location)
    }
    return flags
  }

  private mutating func derivation(
    of attribute: ArchivedObject, _ subject: String
  ) throws(DocumentError) -> String? {
    guard try attribute.className == "NSDerivedAttributeDescription" else { return nil }
    guard let expression = try attribute["NSDerivationExpression"],
      let text = try ArchivedPredicate.expressionText(expression)
    else {
      throw attribute.error("the expression of the derived \(subject) is missing, or is not known")
    }
    return text
  }

  /// The class of a transformable value, where the app says one.
  private func customClass(
    of attribute: ArchivedObject, _ number: Int
  ) throws(DocumentError) -> String? {
    number == 1800 ? try attribute.text("NSAttributeValueClassName") : nil
  }

  /// The default as text, or as the entry of the user info that bytes have.
  private mutating func defaultValue(
    of attribute: ArchivedObject, _ number: Int, _ subject: String
  ) throws(DocumentError) -> (String?, [(key: String, value: String)]) {
    guard let value = try attribute["NSDefaultValue"] else { return (nil, []) }
    if number == 1000 || number == 1800, let bytes = try value.bytes {
      return (nil, [("oxbow.defaultValue", Data(bytes).base64EncodedString())])
    }
    if let text = try value.documentText(type: number) { return (text, []) }
    let name = try value.className.map { "an object of class '\($0)'" } ?? "not a value"
    output.note("the default value of \(subject) is not read: it is \(name)", at: value.location)
    return (nil, [])
  }

  // MARK: - Rules

  /// The rules that documents have as attributes; any other is a note.
  private mutating func rules(
    of attribute: ArchivedObject, _ number: Int, _ subject: String
  ) throws(DocumentError) -> [(String, String)] {
    var rules: [(String, String)] = []
    for predicate in try attribute.members("NSValidationPredicates") {
      for part in try ArchivedPredicate.conjuncts(predicate) {
        if let rule = try ArchivedPredicate.rule(part, type: number),
          !rules.contains(where: { $0.0 == rule.0 })
        {
          rules.append(rule)
          continue
        }
        let text = try ArchivedPredicate.text(part).map { ": \($0)" } ?? ""
        output.note("a rule of \(subject) is not used\(text)", at: part.location)
      }
    }
    return rules
  }
}

// MARK: - Values

extension ArchivedObject {
  /// The value as documents write it for an attribute of a type; `nil` for an object that is not a
  /// value.
  func documentText(type: Int) throws(DocumentError) -> String? {
    switch value.content {
    case .boolean(let truth): return type == 800 ? truth ? "YES" : "NO" : truth ? "1" : "0"
    case .scalar(.integer(let number)):
      return type == 800 ? number == 0 ? "NO" : "YES" : "\(number)"
    case .scalar(.real(let number)): return type == 800 ? number == 0 ? "NO" : "YES" : "\(number)"
    case .scalar(.date(let seconds)): return "\(seconds)"
    case .scalar, .null, .array: return nil
    case .text(let text): return text
    case .dictionary:
      if let text { return text }
      return try objectText
    }
  }

  private var objectText: String? {
    get throws(DocumentError) {
      switch try className {
      case "NSDate":
        if case .scalar(.real(let seconds))? = value.entry("NS.time")?.value.content {
          return "\(seconds)"
        }
        return try integer("NS.time").map { "\($0)" }
      case "NSDecimalNumber", "NSDecimalNumberPlaceholder": return try decimalText
      case "NSUUID": return try self["NS.uuidbytes"]?.bytes.flatMap(UUID.init(bytes:))?.uuidString
      case "NSURL": return try text("NS.relative")
      default: return nil
      }
    }
  }

  /// Up to eight groups of 16 bits, the lowest first, and a power of ten.
  private var decimalText: String? {
    get throws(DocumentError) {
      guard let bytes = try self["NS.mantissa"]?.bytes, bytes.count == 16 else { return nil }
      let isLittle = try integer("NS.mantissa.bo") != 2
      let count = try integer("NS.length") ?? 8
      let isNegative = try flag("NS.negative")
      guard count > 0 else { return isNegative ? nil : "0" }
      var mantissa: UInt128 = 0
      for group in stride(from: 14, through: 0, by: -2) where group / 2 < count {
        let (low, high) = isLittle ? (group, group + 1) : (group + 1, group)
        mantissa = mantissa << 16 | UInt128(bytes[high]) << 8 | UInt128(bytes[low])
      }
      let exponent = try integer("NS.exponent") ?? 0
      return (isNegative ? "-" : "") + "\(mantissa)" + (exponent == 0 ? "" : "e\(exponent)")
    }
  }

  var bytes: [UInt8]? {
    get throws(DocumentError) {
      if case .scalar(.data(let bytes)) = value.content { return bytes }
      guard case .scalar(.data(let bytes))? = try self["NS.data"]?.value.content else { return nil }
      return bytes
    }
  }
}

extension UUID {
  fileprivate init?(bytes: [UInt8]) {
    guard bytes.count == 16 else { return nil }
    self = bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
  }
}
