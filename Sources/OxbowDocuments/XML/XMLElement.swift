/// An element of a document with everything below it.
package struct XMLElement: Sendable {
  /// The name as written, prefix included.
  package let name: String

  /// The attributes in the order of the document.
  package let attributes: [XMLAttribute]

  /// The elements directly below, in the order of the document.
  package internal(set) var children: [XMLElement] = []

  /// The character data directly below, concatenated, with its white space.
  package internal(set) var text = ""

  /// The place of the `<` of the start tag.
  package let location: SourceLocation

  /// Creates an element.
  package init(
    name: String, attributes: [XMLAttribute], children: [XMLElement] = [], text: String = "",
    location: SourceLocation
  ) {
    self.name = name
    self.attributes = attributes
    self.children = children
    self.text = text
    self.location = location
  }

  /// Whether the text is nothing but the white space of markup: indentation, as a rule.
  package var isTextBlank: Bool { text.utf8.allSatisfy(Ascii.isSpace) }

  /// Returns the value of the attribute of a name, or `nil`.
  package func value(_ name: String) -> String? {
    for number in attributes.indices where attributes[number].name == name {
      return attributes[number].value
    }
    return nil
  }

  /// Adds an element after the ones directly below.
  package mutating func append(_ child: XMLElement) { children.append(child) }

  /// Returns the attribute of a name, or `nil`.
  package func attribute(_ name: String) -> XMLAttribute? {
    attributes.first { $0.name == name }
  }
}

/// An attribute of an element.
package struct XMLAttribute: Hashable, Sendable {
  /// The name as written, prefix included.
  package let name: String

  /// The value with its references resolved.
  package let value: String

  /// The place of the first byte of the name.
  package let location: SourceLocation
}
