extension Int {
  /// The number with its noun: "1 file", "2 files".
  func of(_ noun: String) -> String { self == 1 ? "1 \(noun)" : "\(self) \(noun)s" }
}
