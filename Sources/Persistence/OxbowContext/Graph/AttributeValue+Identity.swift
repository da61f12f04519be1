internal import OxbowFoundation
internal import OxbowModel

extension AttributeValue {
  /// Whether two values have the same bytes in a store.
  ///
  /// Swift's `==` is wider: it takes texts that look alike for equal, and -0 for 0.
  static func areIdentical(_ a: AttributeValue?, _ b: AttributeValue?) -> Bool {
    switch (a, b) {
    case (.string(let a)?, .string(let b)?): a.utf8.elementsEqual(b.utf8)
    case (.double(let a)?, .double(let b)?): a.bitPattern == b.bitPattern
    case (.date(let a)?, .date(let b)?):
      a.timeIntervalSinceReferenceDate.bitPattern == b.timeIntervalSinceReferenceDate.bitPattern
    case (.url(let a)?, .url(let b)?): a.absoluteString.utf8.elementsEqual(b.absoluteString.utf8)
    default: a == b
    }
  }
}
