extension ClosedRange<Int64> {
  /// The keys that objects have; without the largest number, so that a range of keys has an end.
  package static let objectKeys: Self = 1...(.max - 1)

  /// The condition that a value is not in the range.
  func excludes(_ value: String) -> String {
    "\(value) < \(lowerBound) OR \(value) > \(upperBound)"
  }
}
