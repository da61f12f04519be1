internal import OxbowDocuments
internal import OxbowFoundation

extension ModelDocument {
  /// Returns the text of the `contents` file, laid out as Xcode does.
  ///
  /// A document whose model was not changed is written with every element and attribute that was
  /// read, in the same order; comments are not kept. One whose model was changed is written with
  /// the changes and everything else as it was.
  ///
  /// - Throws: ``PersistenceError`` with code `invalidModel` for what no document can say, such as
  ///   bytes as a default value.
  public func contents() throws(PersistenceError) -> String {
    let text = try PersistenceError.ofModel(PersistenceError.unwritten) {
      () throws(DocumentError) in
      var writer = XMLWriter(indentation: 4, isStandalone: true)
      try element().write(to: &writer)
      // Xcode ends its documents without a line break.
      return String(writer.document().dropLast())
    }
    try check(text)
    return text
  }

  private func element() -> ModelElement {
    guard let source else { return Self.new(model) }
    let model = followed
    let before = ModelElement(source.model, style: .xcode)
    let after = ModelElement(model, style: .xcode)
    var element = ModelElement(source.root).updated(from: before, to: after)
    element.followEntities(successors(of: source.model))
    return element
  }

  /// The `model` element of a document that was not read from a file.
  private static func new(_ model: ManagedObjectModel) -> ModelElement {
    var element = ModelElement(model, style: .xcode)
    element["minimumToolsVersion"] = "Automatic"
    element["sourceLanguage"] = "Swift"
    for index in element.children.indices where element.children[index].name == "entity" {
      element.children[index]["syncable"] = "YES"
    }
    return element
  }

  /// The model as it is written: one made of entities alone removes neither templates nor
  /// configurations.
  private var followed: ManagedObjectModel {
    guard let source else { return model }
    let names = Set(model.fetchRequestTemplates.map(\.name))
    let successor = successors(of: source.model)
    let keptTemplates = model.statesTemplates ? [] : source.model.fetchRequestTemplates
    let keptConfigurations = model.statesConfigurations ? [:] : source.model.configurations
    return ManagedObjectModel(
      entities: model.entities, versionIdentifiers: model.versionIdentifiers,
      fetchRequestTemplates: model.fetchRequestTemplates
        + keptTemplates.filter { !names.contains($0.name) },
      configurations: keptConfigurations.merging(model.configurations) { _, new in new }
        .mapValues { $0.compactMap(successor) })
  }

  /// The name that an entity of the model before has now, or `nil` when it is gone.
  private func successors(of before: ManagedObjectModel) -> (String) -> String? {
    let names = Set(before.entities.map(\.name))
    return { name in
      if !names.contains(name) || model.entity(named: name) != nil { return name }
      return model.entities.first { $0.renamingIdentifier == name && !names.contains($0.name) }?
        .name
    }
  }

  /// Refuses to write what would be read as another model.
  private func check(_ text: String) throws(PersistenceError) {
    let read = try ModelDocument(Array(text.utf8), file: path).model
    let model = followed
    if read == model { return }
    let names = Set(model.entities.map(\.name)).union(read.entities.map(\.name)).sorted()
    for name in names {
      guard let wanted = model.entity(named: name), let written = read.entity(named: name),
        let difference = EntityDifference(wanted, written).texts.first
      else { continue }
      throw PersistenceError(
        .invalidModel,
        "entity '\(name)' cannot be written: a document cannot say everything about it",
        details: [.init(label: "model and document", text: difference)])
    }
    if let template = model.fetchRequestTemplates.first(where: {
      !read.fetchRequestTemplates.contains($0)
    }) {
      throw PersistenceError(
        .invalidModel,
        "the fetch request template '\(template.name)' cannot be written: its condition has no format"
          + " text, such as one in SQL; give the model without it")
    }
    throw PersistenceError(
      .invalidModel,
      "the model cannot be written: a document has one version identifier, not"
        + " \(model.versionIdentifiers.count)")
  }
}

// MARK: - Files

extension ModelDocument {
  /// Returns the document under another name of its version.
  public func named(_ versionName: String) -> ModelDocument {
    var copy = self
    copy.versionName = versionName
    return copy
  }

  /// Writes the document: as an `.xcdatamodel` folder when the path names one, as a `contents` file
  /// otherwise.
  ///
  /// Other files in the folder stay as they are.
  ///
  /// - Throws: ``PersistenceError`` with code `invalidModel` when the model cannot be written,
  ///   `ioFailure` when the file cannot.
  public func write(to path: String) throws(PersistenceError) {
    let path = ModelPath.trimmed(path)
    let text = try contents()
    guard path.hasSuffix(".xcdatamodel") else { return try TextFile.write(text, to: path) }
    try TextFile.makeFolder(path)
    try TextFile.write(text, to: "\(path)/contents")
  }
}
