package import OxbowDocuments
internal import OxbowFoundation

/// Writes a model as a store and a migration keep it: what a model says and nothing else.
///
/// Reading the result back gives an equal model: entities and properties are sorted by name. What
/// documents of Xcode have beside a model is kept by ``ModelDocument``.
package enum ModelWriter {
  package static func document(_ model: ManagedObjectModel) throws(DocumentError) -> String {
    var writer = XMLWriter()
    try write(model, to: &writer)
    return writer.document()
  }

  /// Returns the text of a `contents` file, for a store to keep.
  package static func text(_ model: ManagedObjectModel) throws(PersistenceError) -> String {
    try PersistenceError.ofModel(PersistenceError.unwritten) { () throws(DocumentError) in
      try document(model)
    }
  }

  package static func write(
    _ model: ManagedObjectModel, to writer: inout XMLWriter
  ) throws(DocumentError) {
    let element = ModelElement(model)
    // A model without entities has always been written with an end tag.
    guard element.children.isEmpty else { return try element.write(to: &writer) }
    try writer.start(element.name, .init(element.attributes.map { ($0.name, $0.value) }))
    writer.end()
  }
}

extension AttributeValue {
  /// The value as model documents write it; `nil` for bytes, which they cannot.
  package var documentText: String? {
    switch self {
    case .integer(let number): "\(number)"
    case .double(let number): "\(number)"
    case .boolean(let truth): truth ? "YES" : "NO"
    case .string(let text): text
    case .date(let date): "\(date.timeIntervalSinceReferenceDate)"
    case .data: nil
    case .uuid(let uuid): uuid.uuidString
    case .url(let url): url.absoluteString
    case .decimal(let number): "\(number)"
    }
  }
}

extension ModelDocument {
  /// Reads a `model` element inside another document.
  package init(element: XMLElement, versionName: String) throws(PersistenceError) {
    try self.init(root: element, file: element.location.file, versionName: versionName)
  }
}
