internal import OxbowDocuments

/// Writes the `contents` document of a model that is in an archive, with notes of what no document
/// says.
struct ContentsWriter {
  typealias Attributes = KeyValuePairs<String, String?>

  private var writer = XMLWriter(indentation: 4, isStandalone: true)
  private(set) var notes: [DocumentNote] = []

  /// The bytes of all values so far: an archive can share one text among all its objects.
  private var count = 0

  /// The document, once every element is closed.
  var document: String { writer.document() }

  /// Begins an element with the attributes that have a value; `end()` closes it.
  mutating func start(
    _ name: String, _ attributes: Attributes, and more: [(String, String)] = []
  ) throws(DocumentError) {
    try writer.start(name, present(attributes, more))
  }

  mutating func empty(_ name: String, _ attributes: Attributes) throws(DocumentError) {
    try writer.empty(name, present(attributes, []))
  }

  mutating func end() { writer.end() }

  private mutating func present(
    _ attributes: Attributes, _ more: [(String, String)]
  ) throws(DocumentError) -> XMLWriter.Attributes {
    var pairs: [(name: String, value: String)] = []
    for case (let name, let value?) in attributes { pairs.append((name, value)) }
    pairs += more.map { ($0.0, $0.1) }
    count += pairs.reduce(0) { $0 + $1.value.utf8.count }
    guard count <= ModelArchive.limits.maximumBytes else {
      throw DocumentError(
        message: "the archive is damaged: its model would be larger than "
          + "\(ModelArchive.limits.maximumBytes) bytes", location: nil)
    }
    return XMLWriter.Attributes(pairs)
  }

  /// Begins the document.
  mutating func startModel(identifier: String?) throws(DocumentError) {
    try start(
      "model",
      [
        "type": "com.apple.IDECoreDataModeler.DataModel", "documentVersion": "1.0",
        "minimumToolsVersion": "Automatic", "sourceLanguage": "Swift",
        "userDefinedModelVersionIdentifier": identifier,
      ])
  }

  /// Writes lists of names, each an element whose elements have the names as values.
  mutating func lists(
    _ name: String, of element: String, _ item: String, _ lists: [[String]]
  ) throws(DocumentError) {
    guard !lists.isEmpty else { return }
    try start(name, [:])
    for names in lists {
      try start(element, [:])
      for name in names { try empty(item, ["value": name]) }
      end()
    }
    end()
  }

  /// Writes the free pairs of an entity or a property.
  mutating func userInfo(_ pairs: [(key: String, value: String)]) throws(DocumentError) {
    guard !pairs.isEmpty else { return }
    try start("userInfo", [:])
    for (key, value) in pairs { try empty("entry", ["key": key, "value": value]) }
    end()
  }

  mutating func note(_ text: String, at location: SourceLocation) {
    notes.append(DocumentNote(text, at: location))
  }
}

/// What both forms of archives say in numbers.
package enum CoreDataNumbers {
  /// The types of attributes, as documents name them; an undefined type has no name.
  package static let types = [
    100: "Integer 16", 200: "Integer 32", 300: "Integer 64", 400: "Decimal", 500: "Double",
    600: "Float", 700: "String", 800: "Boolean", 900: "Date", 1000: "Binary", 1100: "UUID",
    1200: "URI", 1800: "Transformable", 2000: "Object ID", 2100: "Composite",
  ]

  /// The numbers of the types, by their names.
  package static let numbers = Dictionary(uniqueKeysWithValues: types.map { ($1, $0) })

  static let deleteRules = [0: "No Action", 1: "Nullify", 2: "Cascade", 3: "Deny"]
}

extension Bool {
  /// The flag as documents have it, which leave out what is not so.
  var flag: String? { self ? "YES" : nil }
}
