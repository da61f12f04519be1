internal import OxbowFoundation

/// Text with the values of its parameters, in order.
package struct SQLFragment: Hashable, Sendable {
  package var text: String
  package var values: [SQLValue]

  package init(_ text: String = "", _ values: [SQLValue] = []) {
    self.text = text
    self.values = values
  }

  /// A parameter with its value.
  package static func value(_ value: SQLValue) -> SQLFragment { SQLFragment("?", [value]) }

  /// One after the other.
  package static func + (left: SQLFragment, right: SQLFragment) -> SQLFragment {
    SQLFragment(left.text + right.text, left.values + right.values)
  }

  package static func + (left: SQLFragment, right: String) -> SQLFragment {
    SQLFragment(left.text + right, left.values)
  }

  package static func + (left: String, right: SQLFragment) -> SQLFragment {
    SQLFragment(left + right.text, right.values)
  }

  /// `WHERE` with conditions that all have to hold; nothing without any.
  package static func conditions(_ conditions: [SQLFragment]) -> SQLFragment {
    conditions.isEmpty ? SQLFragment() : " WHERE " + .joined(conditions, " AND ")
  }

  /// All of them, with `separator` between.
  package static func joined(_ parts: [SQLFragment], _ separator: String) -> SQLFragment {
    SQLFragment(
      parts.map(\.text).joined(separator: separator), parts.flatMap(\.values))
  }
}

extension String {
  /// Whether the text has another one in it, by bytes.
  ///
  /// Swift's search by characters takes half of the time of a fetch of one row.
  package func mentions(_ part: String) -> Bool {
    withCString { text in part.withCString { strstr(text, $0) != nil } }
  }
}
