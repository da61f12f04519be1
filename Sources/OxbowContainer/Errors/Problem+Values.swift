package import OxbowDocuments

extension ContainerError.Problem {
  package static func noCollection(
    place: String, typeName: String, at location: SourceLocation?
  ) -> Self {
    Self(
      .invalidDefinition, "\(place) takes no collection", at: location,
      seen: "a collection for a \(typeName)",
      expected: "a property that is an Array, a ContiguousArray or a Set",
      nextStep: "set one reference or value, or change the type of the property")
  }

  package static func noDictionary(
    place: String, typeName: String, at location: SourceLocation?
  ) -> Self {
    Self(
      .invalidDefinition, "\(place) takes no dictionary", at: location,
      seen: "keys and values for a \(typeName)",
      expected: "a property that is a Dictionary with keys of type String",
      nextStep: "set one reference or value, or change the type of the property")
  }

  package static func repeatedKey(
    _ key: String, place: String, at location: SourceLocation?
  ) -> Self {
    Self(
      .invalidDefinition, "\(place) is set twice", at: location,
      seen: "a second entry with the key \"\(key)\"", expected: "each key once",
      nextStep: "remove one of the two")
  }

  package static func wrongTypeName(
    _ name: String, place: String, typeName: String, at location: SourceLocation?
  ) -> Self {
    Self(
      .typeMismatch, "\(place): a \(typeName) is no \(name)", at: location,
      seen: "a value that the file calls a \(name)", expected: "\(typeName)",
      nextStep: "drop the type's name from the file, or correct it")
  }

  // MARK: - Placeholders

  package static func unknownPlaceholder(
    _ key: String, place: String, at location: SourceLocation?, near: [String]
  ) -> Self {
    Self(
      .unknownPlaceholder, "\(place): nothing says what \"${\(key)}\" stands for", at: location,
      seen: "\"${\(key)}\"",
      expected: "a key that was set, a variable of the environment, or a key of a properties file",
      nextStep: "set \"\(key)\", or write a default: ${\(key):…}", nearNames: near)
  }

  package static func placeholderCircle(
    _ keys: [String], place: String, at location: SourceLocation?
  ) -> Self {
    Self(
      .unknownPlaceholder, "\(place): the placeholder \"\(keys.first ?? "")\" needs itself",
      at: location, seen: keys.map { "${\($0)}" }.joined(separator: " → "),
      expected: "values that end in text", nextStep: "change one of the values")
  }

  package static func placeholderLimit(
    isDepth: Bool, _ limit: Int, place: String, at location: SourceLocation?
  ) -> Self {
    Self(
      .unknownPlaceholder,
      "\(place): the placeholders \(isDepth ? "lead to others too often" : "stand for too much text")",
      at: location,
      seen: isDepth
        ? "placeholders in placeholders, or values that lead on, more than \(limit) deep"
        : "more than \(limit) bytes in the place of placeholders",
      expected: isDepth
        ? "at most \(limit) placeholders, each in the key, the default or the value of another"
        : "at most \(limit) bytes for the placeholders of one text",
      nextStep: isDepth ? "write the value itself" : "read so long a text from a file of its own")
  }

  package static func unclosedPlaceholder(
    _ text: String, place: String, at location: SourceLocation?
  ) -> Self {
    Self(
      .unknownPlaceholder, "\(place): a placeholder has no end", at: location,
      seen: "\"\(text)\"", expected: "\"}\" after the key",
      nextStep: "close the placeholder, or write $${ for the text \"${\"")
  }

  package static func unreadableProperties(_ path: String, _ error: any Error) -> Self {
    Self(
      .unreadableDocument, "the properties file \"\(path)\" cannot be read",
      at: SourceLocation(file: path, line: 1, column: 1), seen: "\(error)",
      expected: "a file of lines key=value in UTF-8",
      nextStep: "correct the path, or remove the file from the list", underlying: error)
  }

  package static func invalidPropertyLine(_ line: String, at location: SourceLocation) -> Self {
    Self(
      .unreadableDocument, "a line of the properties file has no key", at: location,
      seen: "\"\(line)\"", expected: "key=value, or a comment that starts with #",
      nextStep: "complete the line or remove it")
  }
}
