/// How the texts of a definition are read where a truth value is wanted.
package enum BooleanRule: Sendable {
  /// By the conversion of the builder.
  case plain
  /// As `-[NSString boolValue]` reads them: the first character says it, after blanks, a sign and
  /// zeros.
  case firstCharacter

  /// The text that the conversion reads, of one that is to be a value of a type.
  ///
  /// A text that means nothing is left as it is: Foundation takes it for false, and it is a slip.
  func text(_ text: String, for type: any Any.Type) -> String {
    guard self == .firstCharacter, ((type as? any OptionalType.Type)?.wrapped ?? type) == Bool.self
    else { return text }
    var rest = text.drop(while: \.isWhitespace)
    if let sign = rest.first, "+-".contains(sign) { rest.removeFirst() }
    let digits = rest.drop { $0 == "0" }
    switch digits.first {
    case "Y", "y", "T", "t", "1", "2", "3", "4", "5", "6", "7", "8", "9": return "true"
    case "N", "n", "F", "f": return "false"
    default: return digits.startIndex > rest.startIndex ? "false" : text
    }
  }
}
