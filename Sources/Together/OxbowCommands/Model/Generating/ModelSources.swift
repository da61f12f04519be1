internal import OxbowDocuments
internal import OxbowModel

struct ModelSources {
  struct File {
    let name: String
    let text: String
  }

  let files: [File]

  /// What the classes cannot say, in sentences.
  let notes: [String]

  let count: Int

  /// Writes the classes of the entities named, or of all.
  ///
  /// - Parameters:
  ///   - model: The model, whose other entities are named.
  ///   - names: The names of the entities; empty for all.
  ///   - access: `public ` or nothing.
  ///   - scalars: Whether numbers have the types of Core Data's classes: an Integer 64 is an
  ///     `Int64`, and an optional number or Boolean that a document marks as a scalar reads as 0 or
  ///     `false` where it has no value.
  ///   - file: The name of one file for all classes; `nil` for one file each.
  /// - Throws: ``PersistenceError`` for an entity that the model does not have.
  init(
    _ model: ManagedObjectModel, entities names: [String], access: String, scalars: Bool,
    file: String?
  ) throws(PersistenceError) {
    let entities = try Self.entities(names, of: model)
    let classes = ClassNames(model)
    let types = AttributeTypes(model, classes, scalars: scalars)
    let dropped = Dropped(model)
    let sources = entities.map {
      EntitySource($0, model, classes, types, dropped, access: access)
    }
    count = sources.count
    let values = Self.composites(of: sources, types, access: access)
    notes =
      classes.notes
      + sources.flatMap { source in source.notes.map { "entity '\(source.entity.name)': \($0)" } }
    guard file == nil else {
      let declarations = sources.map(\.declaration) + values.map(\.declaration)
      files = [File(name: file ?? "", text: Self.text(declarations, access))]
      return
    }
    let classFiles = sources.map { source in
      let name = classes[source.entity.name].filter { $0 != "`" }
      return File(name: "\(name).swift", text: Self.text([source.declaration], access))
    }
    let valueFiles = values.map { value in
      File(name: "\(value.typeName).swift", text: Self.text([value.declaration], access))
    }
    files = (classFiles + valueFiles).sorted { $0.name < $1.name }
  }

  private static func composites(
    of sources: [EntitySource], _ types: AttributeTypes, access: String
  ) -> [CompositeSource] {
    var used: [String: [AttributeDescription]] = [:]
    for attribute in sources.flatMap(\.declared) { attribute.collect(&used) }
    return used.sorted { $0.key < $1.key }.map {
      CompositeSource(name: $0.key, elements: $0.value, types: types, access: access)
    }
  }

  private static func entities(
    _ names: [String], of model: ManagedObjectModel
  ) throws(PersistenceError) -> [EntityDescription] {
    let known = model.entities.map(\.name)
    for name in names where !known.contains(name) {
      throw PersistenceError(
        .unknownEntity, "the model has no entity '\(name)'",
        nearNames: PersistenceError.nearNames(to: name, among: known))
    }
    return names.isEmpty ? model.entities : model.entities.filter { names.contains($0.name) }
  }

  private static func text(_ declarations: [Declaration], _ access: String) -> String {
    // What a public class names is imported publicly, where imports are internal by default.
    let word = "\(access)import"
    let foundation = declarations.contains { $0.needsFoundation } ? "\(word) Foundation\n" : ""
    let imports = "\(foundation)\(word) Oxbow"
    let body = ([imports] + declarations.map(\.text)).joined(separator: "\n\n") + "\n"
    return GeneratedText.marked(body)
  }
}

/// A declaration, and whether it names a type of Foundation.
private struct Declaration {
  let text: String
  let needsFoundation: Bool
}

extension EntitySource {
  fileprivate var declaration: Declaration {
    Declaration(
      text: text(), needsFoundation: entity.attributes.contains { $0.type.isOfFoundation })
  }
}

extension CompositeSource {
  fileprivate var declaration: Declaration {
    Declaration(text: text(), needsFoundation: needsFoundation)
  }
}

/// The head of a file that the tool wrote, by which it knows whether anyone has changed it.
enum GeneratedText {
  private static let head = """
    // swift-format-ignore-file
    // Written by `oxbowctl model generate`. Put code of your own into extensions in other files.
    // Text:
    """

  static func marked(_ body: String) -> String { "\(head) \(digest(body))\n\n\(body)" }

  /// Whether the tool wrote a file that has not been changed since.
  static func isUnchanged(_ text: String) -> Bool {
    guard let end = text.firstRange(of: "\n\n") else { return false }
    return text == marked(String(text[end.upperBound...]))
  }

  private static func digest(_ text: String) -> String {
    String(SHA256.hexadecimalDigits(of: text.utf8).prefix(16))
  }
}
