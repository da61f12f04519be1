internal import OxbowContainer
internal import OxbowDocuments

/// The entries of a dictionary with fixed keys.
struct PropertyListFields {
  let entries: [PropertyListValue.Entry]
  /// What the dictionary describes, for messages.
  let what: String

  func take(_ key: String) -> PropertyListValue.Entry? { entries.first { $0.key == key } }

  func location(of key: String) -> SourceLocation? { take(key)?.location }

  func required(
    _ key: String, at location: SourceLocation, _ report: inout MarkupReport
  ) -> PropertyListValue.Entry? {
    if let entry = take(key) { return entry }
    report.report(.missingKey(key, of: what).at(location))
    return nil
  }

  /// A string that is not empty.
  func string(_ key: String, _ report: inout MarkupReport) -> String? {
    guard let entry = take(key) else { return nil }
    if let text = entry.value.text, !text.isEmpty { return text }
    report.report(.wrongKind(entry, expected: "a string that is not empty"))
    return nil
  }

  func boolean(_ key: String, _ report: inout MarkupReport) -> Bool {
    optionalBoolean(key, &report) ?? false
  }

  func optionalBoolean(_ key: String, _ report: inout MarkupReport) -> Bool? {
    guard let entry = take(key) else { return nil }
    if case .boolean(let value) = entry.value.content { return value }
    report.report(.wrongKind(entry, expected: "<true/> or <false/>"))
    return nil
  }
}
