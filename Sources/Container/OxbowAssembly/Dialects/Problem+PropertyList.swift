internal import OxbowContainer
internal import OxbowDocuments

extension ContainerError.Problem {
  static func noDictionary(_ root: PropertyListValue) -> Self {
    Self(
      .unexpectedMarkup, "the property list is not a dictionary", at: root.location,
      seen: root.elementName, expected: "a dictionary with the key \"objects\"",
      nextStep: "put the definitions into such a dictionary")
  }

  static func noObjects(_ root: PropertyListValue, keys: [String]) -> Self {
    let first = quoted(keys.prefix(5))
    let shown = keys.count > 5 ? "\(first) and \(keys.count - 5) more" : first
    return Self(
      .unexpectedMarkup, "the property list defines no objects", at: root.location,
      seen: keys.isEmpty ? "an empty dictionary" : "a dictionary with \(shown)",
      expected: "a dictionary with the key \"objects\"",
      nextStep: "put the definitions under this key, or load another file",
      nearNames: keys.flatMap { OxbowDocuments.nearNames(to: $0, among: ["objects"]) })
  }

  static func unknownKey(_ entry: PropertyListValue.Entry, of what: String, known: [String]) -> Self
  {
    Self(
      .unexpectedMarkup, "key \"\(entry.key)\" means nothing in \(what)", at: entry.location,
      seen: "key \"\(entry.key)\"",
      expected: known.isEmpty
        ? "no keys" : "one of " + quoted(known),
      nextStep: "correct or remove the key",
      nearNames: OxbowDocuments.nearNames(to: entry.key, among: Set(known)))
  }

  static func emptyKey(_ entry: PropertyListValue.Entry) -> Self {
    Self(
      .unexpectedMarkup, "a key is empty", at: entry.location, seen: "an empty key",
      expected: "a name", nextStep: "write the name")
  }

  static func missingKey(_ key: String, of what: String) -> Self {
    Self(
      .unexpectedMarkup, "\(what) lacks \"\(key)\"", seen: "no key \"\(key)\"",
      expected: "the key \"\(key)\"", nextStep: "add it")
  }

  static func wrongKind(_ entry: PropertyListValue.Entry, expected: String) -> Self {
    Self(
      .unexpectedMarkup, "the value of \"\(entry.key)\" is of the wrong kind",
      at: entry.location, seen: entry.value.shown, expected: expected,
      nextStep: "correct the value")
  }

  static func wrongKind(_ value: PropertyListValue, key: String, expected: String) -> Self {
    Self(
      .unexpectedMarkup, "an element of \"\(key)\" is of the wrong kind",
      at: value.location, seen: value.shown, expected: expected,
      nextStep: "correct the element")
  }

  static func notOneForm(_ what: String, seen: [String], known: [String]) -> Self {
    Self(
      .unexpectedMarkup, "\(what) is set to a dictionary that does not say what it is",
      seen: seen.isEmpty
        ? "an empty dictionary"
        : "a dictionary with " + quoted(seen),
      expected: "exactly one of " + quoted(known),
      nextStep: "write {ref: name} for an object, or {map: {…}} for a dictionary of values",
      nearNames: seen.flatMap { OxbowDocuments.nearNames(to: $0, among: known) })
  }

  static func lazyAndEager(_ entry: PropertyListValue.Entry, _ what: String) -> Self {
    Self(
      .unexpectedMarkup, "\(what) is both lazy and eager", at: entry.location,
      seen: "\"lazy\" and \"eager\"", expected: "at most one of the two",
      nextStep: "remove one of the two")
  }

  static func factoryWithoutMethod(
    _ entry: PropertyListValue.Entry, _ what: String, factory: String
  ) -> Self {
    Self(
      .unexpectedMarkup, "\(what) names a factory and no method of it", at: entry.location,
      seen: "factory \"\(factory)\" and no \"initializer\"",
      expected: "an \"initializer\" that names the method",
      nextStep: "add it, or remove \"factory\"")
  }
}

extension PropertyListValue {
  /// The value for messages.
  fileprivate var shown: String { text.map { "string \"\($0.prefix(40))\"" } ?? elementName }

  /// The name of the element of a property list.
  fileprivate var elementName: String {
    switch content {
    case .dictionary: "dict"
    case .array: "array"
    case .text: "string"
    case .scalar(.integer): "integer"
    case .scalar(.real): "real"
    case .boolean(let value): value ? "true" : "false"
    case .scalar(.date): "date"
    case .scalar(.data): "data"
    case .scalar(.reference): "reference"
    case .null: "null"
    }
  }
}
