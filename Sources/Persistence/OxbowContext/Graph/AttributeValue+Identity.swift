internal import OxbowFoundation
internal import OxbowModel

extension AttributeValue {
  /// Whether two values are stored alike.
  ///
  /// Swift's `==` is wider: texts of other bytes are equal when they look alike, and -0 equals 0.
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
