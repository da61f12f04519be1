internal import OxbowDocuments

/// An element of a model document that is to be written, with everything below it.
struct ModelElement: Sendable, Hashable {
  struct Attribute: Sendable, Hashable {
    let name: String
    var value: String
  }

  let name: String
  var attributes: [Attribute] = []
  var children: [ModelElement] = []

  /// The character data directly below; empty when it is the white space of markup.
  var text = ""

  /// An element with the attributes that have a value.
  init(
    _ name: String, _ attributes: KeyValuePairs<String, String?> = [:],
    _ children: [ModelElement] = []
  ) {
    self.name = name
    for case (let name, let value?) in attributes {
      self.attributes.append(Attribute(name: name, value: value))
    }
    self.children = children
  }

  init(_ element: XMLElement) {
    name = element.name
    attributes = element.attributes.map { Attribute(name: $0.name, value: $0.value) }
    children = element.children.map(ModelElement.init)
    text = element.isTextBlank ? "" : element.text
  }

  /// The value of an attribute; `nil` removes it.
  subscript(_ name: String) -> String? {
    get { attributes.first { $0.name == name }?.value }
    set {
      guard let index = attributes.firstIndex(where: { $0.name == name }) else {
        if let newValue { attributes.append(Attribute(name: name, value: newValue)) }
        return
      }
      if let newValue {
        attributes[index].value = newValue
      } else {
        attributes.remove(at: index)
      }
    }
  }

  mutating func add(_ name: String, _ flag: Bool) {
    if flag { self[name] = "YES" }
  }
}

extension ModelElement {
  func write(to writer: inout XMLWriter) throws(DocumentError) {
    let attributes = XMLWriter.Attributes(attributes.map { ($0.name, $0.value) })
    guard !children.isEmpty else {
      if text.isEmpty { return try writer.empty(name, attributes) }
      return try writer.element(name, attributes, text: text)
    }
    try writer.start(name, attributes)
    if !text.isEmpty { try writer.text(text) }
    for child in children { try child.write(to: &writer) }
    writer.end()
  }
}
