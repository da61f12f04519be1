/// A text whose placeholders are replaced, and how messages show it.
struct ExpandedText {
  private(set) var text: String
  /// The text with marks in place of what the environment says and of secrets.
  var shown: String
  /// Whether a secret is a part of it.
  private(set) var isSecret = false

  init(_ text: String) {
    self.text = text
    shown = text
  }

  /// What messages show in its place; nil where they may quote it.
  var mask: String? { shown != text || isSecret ? shown : nil }

  mutating func append(_ part: Substring) {
    text += part
    shown += part
  }

  mutating func append(_ part: ExpandedText) {
    text += part.text
    shown += part.shown
    isSecret = isSecret || part.isSecret
  }

  /// What is shown of a secret.
  static let secret = "‹secret›"

  /// Makes all of it a secret.
  mutating func hide() {
    shown = Self.secret
    isSecret = true
  }
}

/// How messages show the texts of a plan that they must not quote.
final class HiddenTexts {
  private var shown: [String: String] = [:]

  func add(_ text: ExpandedText) {
    if let mask = text.mask { shown[text.text] = mask }
  }

  /// What is shown in place of a text; nil for one that may be quoted.
  func mask(of text: String) -> String? { shown[text] }
}
