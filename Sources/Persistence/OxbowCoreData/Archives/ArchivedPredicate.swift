internal import OxbowDocuments

/// The format text of predicates and expressions that are in an archive.
///
/// A model's document has conditions as text, so one reader understands both. What has no text
/// (blocks, functions of the app) has `nil`.
enum ArchivedPredicate {
  /// How deep a condition may be; its parser has the same limit.
  private static let deepest = 100

  static func text(
    _ predicate: ArchivedObject, depth: Int = 0
  ) throws(DocumentError) -> String? {
    guard depth < deepest else { throw predicate.error("a condition is nested too deep") }
    switch try predicate.className {
    case "NSTruePredicate": return "TRUEPREDICATE"
    case "NSFalsePredicate": return "FALSEPREDICATE"
    case "NSComparisonPredicate": return try comparison(predicate, depth)
    case "NSCompoundPredicate": return try compound(predicate, depth)
    default: return nil
    }
  }

  private static func compound(
    _ predicate: ArchivedObject, _ depth: Int
  ) throws(DocumentError) -> String? {
    var parts: [String] = []
    for part in try predicate.members("NSSubpredicates") {
      guard let text = try text(part, depth: depth + 1) else { return nil }
      parts.append("(\(text))")
    }
    switch try predicate.integer("NSCompoundPredicateType") ?? 0 {
    case 0: return parts.count == 1 ? "NOT \(parts[0])" : nil
    case 1: return parts.isEmpty ? "TRUEPREDICATE" : parts.joined(separator: " AND ")
    case 2: return parts.isEmpty ? "FALSEPREDICATE" : parts.joined(separator: " OR ")
    default: return nil
    }
  }

  private static let operators = [
    0: "<", 1: "<=", 2: ">", 3: ">=", 4: "==", 5: "!=", 6: "MATCHES", 7: "LIKE", 8: "BEGINSWITH",
    9: "ENDSWITH", 10: "IN", 99: "CONTAINS", 100: "BETWEEN",
  ]

  private static func comparison(
    _ predicate: ArchivedObject, _ depth: Int
  ) throws(DocumentError) -> String? {
    guard let sign = try predicate["NSPredicateOperator"],
      let name = operators[try sign.integer("NSOperatorType") ?? -1],
      let left = try predicate["NSLeftExpression"], let right = try predicate["NSRightExpression"],
      let a = try expressionText(left, depth: depth + 1),
      let b = try expressionText(right, depth: depth + 1)
    else { return nil }
    let options = try sign.integer("NSOptions")
    let flags = try sign.integer("NSFlags") ?? options ?? 0
    // 1 without case, 2 without marks, 4 byte by byte, 8 by language.
    guard (0...4).contains(flags) || flags == 8 else { return nil }
    let letters = ["", "c", "d", "cd", "n"]
    let brackets = flags == 0 ? "" : "[\(flags == 8 ? "l" : letters[flags])]"
    let quantifiers = ["", "ALL ", "ANY "]
    let modifier = try sign.integer("NSModifier") ?? 0
    guard quantifiers.indices.contains(modifier) else { return nil }
    return "\(quantifiers[modifier])\(a) \(name)\(brackets) \(b)"
  }
}

// MARK: - Expressions

extension ArchivedPredicate {
  static func expressionText(
    _ expression: ArchivedObject, depth: Int = 0
  ) throws(DocumentError) -> String? {
    guard depth < deepest else { throw expression.error("a condition is nested too deep") }
    switch try expression.className {
    case "NSSelfExpression": return "SELF"
    case "NSConstantValueExpression": return try constant(expression)
    case "NSVariableExpression": return try expression.text("NSVariable").map { "$\($0)" }
    case "NSKeyPathSpecifierExpression": return try expression.text("NSKeyPath").flatMap(path)
    case "NSKeyPathExpression": return try keyPath(expression, depth)
    case "NSAggregateExpression":
      guard let members = try expression["NSCollection"]?.members,
        let texts = try texts(members, depth)
      else { return nil }
      return "{\(texts.joined(separator: ", "))}"
    case "NSFunctionExpression": return try function(expression, depth)
    case "NSSubqueryExpression": return try subquery(expression, depth)
    default: return nil
    }
  }

  private static func texts(
    _ expressions: [ArchivedObject], _ depth: Int
  ) throws(DocumentError) -> [String]? {
    var texts: [String] = []
    for expression in expressions {
      guard let text = try expressionText(expression, depth: depth + 1) else { return nil }
      texts.append(text)
    }
    return texts
  }

  /// A path of the object itself, or of a variable.
  private static func keyPath(
    _ expression: ArchivedObject, _ depth: Int
  ) throws(DocumentError) -> String? {
    guard let argument = try expression.members("NSArguments").first,
      let path = try expressionText(argument, depth: depth + 1),
      let owner = try expression["NSOperand"]
    else { return nil }
    if try owner.className == "NSSelfExpression" { return path }
    return try expressionText(owner, depth: depth + 1).map { "\($0).\(path)" }
  }

  /// The path with the words of the format text's grammar marked as names.
  private static func path(_ text: String) -> String? {
    let names = text.split(separator: ".", omittingEmptySubsequences: false)
    guard !names.contains("") else { return nil }
    return names.map { reserved.contains($0.uppercased()) ? "#\($0)" : String($0) }
      .joined(separator: ".")
  }

  private static let reserved: Set<String> = [
    "AND", "OR", "NOT", "ANY", "ALL", "SOME", "NONE", "IN", "BETWEEN", "LIKE", "MATCHES",
    "CONTAINS", "BEGINSWITH", "ENDSWITH", "NULL", "NIL", "TRUE", "FALSE", "YES", "NO",
    "TRUEPREDICATE", "FALSEPREDICATE", "SUBQUERY", "TERNARY", "CAST", "FUNCTION",
  ]

  private static func constant(_ expression: ArchivedObject) throws(DocumentError) -> String? {
    guard let value = try expression["NSConstantValue"] else { return "nil" }
    if let text = value.text { return quoted(text) }
    if let members = try value.members {
      let texts = try members.map { (member) throws(DocumentError) in try literal(member) }
      return texts.contains(nil)
        ? nil : "{\(texts.compactMap { $0 }.joined(separator: ", "))}"
    }
    return try literal(value)
  }

  private static func literal(_ value: ArchivedObject) throws(DocumentError) -> String? {
    if let text = value.text { return quoted(text) }
    if case .boolean(let truth) = value.value.content { return truth ? "TRUE" : "FALSE" }
    guard let text = try value.documentText(type: 0) else { return nil }
    switch try value.className {
    case nil: return text
    case "NSDate": return "date(\(text))"
    case "NSUUID": return "uuid(\(quoted(text)))"
    case "NSURL": return "url(\(quoted(text)))"
    default: return "decimal(\(quoted(text)))"
    }
  }

  private static func quoted(_ text: String) -> String {
    // An accent behind a mark makes one character of both.
    text.unicodeScalars.reduce(into: "\"") { result, scalar in
      if scalar == "\\" || scalar == "\"" { result += "\\" }
      result.unicodeScalars.append(scalar)
    } + "\""
  }

  private static let arithmetic = [
    "add:to:": "+", "from:subtract:": "-", "multiply:by:": "*", "divide:by:": "/",
    "modulus:by:": "%",
  ]

  /// A function of the predicates' own; `count` and its kind are written behind a path.
  private static func function(
    _ expression: ArchivedObject, _ depth: Int
  ) throws(DocumentError) -> String? {
    guard let selector = try expression.text("NSSelectorName"),
      let operand = try expression["NSOperand"],
      try operand.text("NSConstantValueClassName") == "_NSPredicateUtilities",
      let arguments = try texts(try expression.members("NSArguments"), depth)
    else { return nil }
    if let sign = arithmetic[selector], arguments.count == 2 {
      return "(\(arguments[0]) \(sign) \(arguments[1]))"
    }
    switch (selector, arguments.count) {
    case ("now", 0): return "now()"
    case ("count:", 1), ("sum:", 1), ("min:", 1), ("max:", 1), ("average:", 1):
      return "\(arguments[0]).@\(selector == "average:" ? "avg" : String(selector.dropLast()))"
    case (_, 1): return "\(selector)(\(arguments[0]))"
    default: return nil
    }
  }

  private static func subquery(
    _ expression: ArchivedObject, _ depth: Int
  ) throws(DocumentError) -> String? {
    guard let members = try expression["NSCollection"],
      let path = try expressionText(members, depth: depth + 1),
      let variable = try expression["NSVariableExpression"],
      let name = try variable.text(orOf: "NSVariable"),
      let predicate = try expression["NSPredicate"],
      let condition = try text(predicate, depth: depth + 1)
    else { return nil }
    return "SUBQUERY(\(path), $\(name), \(condition))"
  }
}

// MARK: - Rules

extension ArchivedPredicate {
  /// The conditions that all have to hold.
  static func conjuncts(
    _ predicate: ArchivedObject, depth: Int = 0
  ) throws(DocumentError) -> [ArchivedObject] {
    guard depth < deepest else { throw predicate.error("a condition is nested too deep") }
    guard try predicate.integer("NSCompoundPredicateType") == 1 else { return [predicate] }
    let parts = try predicate.members("NSSubpredicates")
    return try parts.map { (part) throws(DocumentError) in
      try conjuncts(part, depth: depth + 1)
    }.flatMap { $0 }
  }

  /// The rule of an attribute as a document has it: `SELF >= 0.0`, `length <= 50`,
  /// `SELF MATCHES "…"`; `nil` for any other condition.
  static func rule(
    _ predicate: ArchivedObject, type: Int
  ) throws(DocumentError) -> (String, String)? {
    guard let left = try predicate["NSLeftExpression"],
      let right = try predicate["NSRightExpression"],
      try right.className == "NSConstantValueExpression",
      let value = try right["NSConstantValue"],
      let sign = try predicate["NSPredicateOperator"]?.integer("NSOperatorType"),
      let text = try value.documentText(type: type)
    else { return nil }
    let end = type == 900 ? "DateTimeInterval" : "ValueString"
    switch (try expressionText(left), sign, type == 700) {
    case ("SELF", 6, true): return ("regularExpressionString", text)
    case ("SELF", 3, false), ("length", 3, true): return ("min" + end, text)
    case ("SELF", 1, false), ("length", 1, true): return ("max" + end, text)
    default: return nil
    }
  }
}
