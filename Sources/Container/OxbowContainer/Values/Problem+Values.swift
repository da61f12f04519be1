internal import OxbowDocuments

extension ContainerError.Problem {
  static func noCollection(site: String, typeName: String) -> Self {
    Self(
      .invalidDefinition, "\(site) takes no collection", seen: "a collection for a \(typeName)",
      expected: "a property that is an Array, a ContiguousArray or a Set",
      nextStep: "set one reference or value, or change the type of the property")
  }

  static func noDictionary(site: String, typeName: String) -> Self {
    Self(
      .invalidDefinition, "\(site) takes no dictionary", seen: "keys and values for a \(typeName)",
      expected: "a property that is a Dictionary with keys of type String",
      nextStep: "set one reference or value, or change the type of the property")
  }

  static func noNil(site: String, typeName: String) -> Self {
    Self(
      .typeMismatch, "\(site) cannot be nil", seen: "nil for a \(typeName)",
      expected: "a property or parameter whose type is optional",
      nextStep: "set it to something, leave it out, or declare it as \(typeName)?")
  }

  package static func repeatedKey(_ key: String, site: String) -> Self {
    Self(
      .invalidDefinition, "\(site) is set twice", seen: "a second entry with the key \"\(key)\"",
      expected: "each key once", nextStep: "remove one of the two")
  }

  static func wrongTypeName(_ name: String, site: String, typeName: String) -> Self {
    Self(
      .typeMismatch, "\(site): \(withArticle(typeName)) is not \(withArticle(name))",
      seen: "a value that the file calls a \(name)", expected: "\(typeName)",
      nextStep: "drop the type's name from the file, or correct it")
  }

  // MARK: - Placeholders

  static func unknownPlaceholder(_ key: String, site: String, near: [String]) -> Self {
    Self(
      .unknownPlaceholder, "\(site): the value of \"${\(key)}\" is not known",
      seen: "\"${\(key)}\"",
      expected: "a key that was set, a variable of the environment, or a key of a properties file",
      nextStep: "set \"\(key)\", or write a default: ${\(key):…}", nearNames: near)
  }

  static func unfitPlaceholder(_ key: String, _ source: String, site: String) -> Self {
    Self(
      .unknownPlaceholder, "\(site): the value of \"${\(key)}\" is not a text",
      seen: "a list or bytes, in \(source)", expected: "a text, a number, or true or false",
      nextStep: "configure a single value for \"\(key)\"")
  }

  static func placeholderCircle(_ keys: [String], site: String) -> Self {
    Self(
      .unknownPlaceholder, "\(site): the placeholder \"\(keys.first ?? "")\" needs itself",
      seen: keys.map { "${\($0)}" }.joined(separator: " → "), expected: "values that end in text",
      nextStep: "change one of the values")
  }

  static func placeholderLimit(deepest limit: Int, site: String) -> Self {
    Self(
      .unknownPlaceholder, "\(site): the placeholders lead to others too often",
      seen: "placeholders in placeholders, or values that lead on, more than \(limit) deep",
      expected:
        "at most \(limit) placeholders, each in the key, the default or the value of another",
      nextStep: "write the value itself")
  }

  static func placeholderLimit(longest limit: Int, site: String) -> Self {
    Self(
      .unknownPlaceholder, "\(site): the placeholders make too much text",
      seen: "more than \(limit) bytes in the place of placeholders",
      expected: "at most \(limit) bytes for the placeholders of one text",
      nextStep: "read so long a text from a file of its own")
  }

  package static func unclosedPlaceholder(_ text: String, site: String) -> Self {
    Self(
      .unknownPlaceholder, "\(site): a placeholder has no end", seen: "\"\(text)\"",
      expected: "\"}\" after the key",
      nextStep: "close the placeholder, or write $${ for the text \"${\"")
  }

  /// Why the placeholders of a text have no value.
  static func placeholder(
    _ failure: PlaceholderText.Failure, in text: String, site: String, _ placeholders: Placeholders
  ) -> Self {
    switch failure {
    case .unknownKey(let key):
      .unknownPlaceholder(key, site: site, near: placeholders.nearNames(to: key))
    case .unfit(let key, let source): .unfitPlaceholder(key, source, site: site)
    case .circle(let keys): .placeholderCircle(keys, site: site)
    case .unclosed: .unclosedPlaceholder(text, site: site)
    case .tooDeep: .placeholderLimit(deepest: PlaceholderText.deepest, site: site)
    case .tooLong: .placeholderLimit(longest: PlaceholderText.longest, site: site)
    }
  }

  /// Why a text is not converted; `mask` is what is shown in its place.
  static func conversion(
    _ failure: ValueConverters.Failure, of text: String, mask: String?, site: String,
    typeName: String
  ) -> Self {
    switch failure {
    case .noConverter: .noConverter(site: site, typeName: typeName)
    case .notConvertible(let expected):
      // A reason and near names tell of the text, too.
      .valueNotConvertible(
        mask ?? text, site: site, typeName: typeName,
        expected: mask == nil ? expected.description : expected.values,
        near: mask == nil ? expected.near : [])
    }
  }

  static func secretName(_ text: String, site: String) -> Self {
    Self(
      .invalidDefinition, "\(site): a secret cannot be a name", seen: "\"\(text)\"",
      expected: "a name that may be shown",
      nextStep: "use a placeholder that is not marked as secret, or write the name")
  }

  package static func unreadableProperties(_ path: String, _ error: any Error) -> Self {
    Self(
      .unreadableDocument, "the properties file \"\(path)\" cannot be read",
      at: SourceLocation(file: path, line: 1, column: 1), seen: "\(error)",
      expected: "a file of lines key=value in UTF-8",
      nextStep: "correct the path, or remove the file from the list", underlying: error)
  }

  /// The line is not quoted: it may be a secret.
  static var invalidPropertyLine: Self {
    Self(
      .unreadableDocument, "a line of the properties file has no key",
      seen: "a line without '=', or with nothing before it",
      expected: "key=value, or a comment that starts with #",
      nextStep: "complete the line or remove it")
  }
}
