internal import OxbowModel

extension TextOrder {
  /// The term of `ORDER BY` for a text: a key of bytes, or a collation where a language compares.
  func term(_ text: String) -> String {
    isLocalized
      ? "\(text) COLLATE \(quoted(collation))" : "oxbow_text_order(\(text), \(rawValue))"
  }
}
