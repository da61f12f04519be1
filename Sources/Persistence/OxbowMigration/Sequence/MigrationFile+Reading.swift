internal import OxbowDocuments
internal import OxbowFoundation
internal import OxbowModel
internal import OxbowRelational

extension MigrationFile {
  init(_ file: String, folder: String) throws(PersistenceError) {
    let parts = try MigrationFileName(file, folder: folder)
    path = "\(folder)/\(file)"
    (id, number, name) = (parts.id, parts.number, parts.name)
    try Self.requireRegular(path)
    let bytes = try Self.reading { () throws(DocumentError) in
      try DocumentFile.bytes(of: "\(folder)/\(file)")
    }
    checksum = Checksum(of: bytes)
    switch parts.format {
    case .model:
      let step = try ModelStepFile(bytes, file: path)
      (modelBefore, modelAfter, allowsLoss) = (step.before, step.after, step.allowsLoss)
      content = .model(step.model)
      (isSquashed, allowances) = (step.isSquashed, step.allowances)
    case .sql:
      let script = try ScriptFile(bytes, file: path)
      (modelBefore, modelAfter, allowsLoss) = (nil, script.model, true)
      content = .script(up: script.up, down: script.down)
      (isSquashed, allowances) = (false, script.allowances)
    case .code:
      let stub = try CodeFile(bytes, file: path)
      (modelBefore, modelAfter, allowsLoss) = (nil, stub.model, true)
      content = .code(stub.stub)
      (isSquashed, allowances) = (false, [])
    }
  }

  /// Refuses what is not a file: reading a pipe would wait for ever.
  private static func requireRegular(_ path: String) throws(PersistenceError) {
    let resolved = URL(filePath: path).resolvingSymlinksInPath().path
    let kind = try? FileManager.default.attributesOfItem(atPath: resolved)[.type]
    guard let kind = kind as? FileAttributeType, kind != .typeRegular else { return }
    throw .migrationFile("'\(path)' is not a regular file")
  }

  static func reading<Value>(
    _ body: () throws(DocumentError) -> Value
  ) throws(PersistenceError) -> Value {
    do throws(DocumentError) {
      return try body()
    } catch {
      throw .migrationFile(error.message, at: error.location)
    }
  }

  /// A model hash as files write it: 64 hexadecimal digits.
  static func isHash(_ text: some StringProtocol) -> Bool {
    text.utf8.count == 64
      && text.utf8.allSatisfy {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
          || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
      }
  }
}

/// A model step: `<migration from="…" to="…">` around the whole model that it leaves behind.
struct ModelStepFile {
  let before: String
  let after: String
  let allowsLoss: Bool
  let allowances: [LintAllowance]
  let isSquashed: Bool
  let model: ManagedObjectModel

  init(_ bytes: [UInt8], file: String) throws(PersistenceError) {
    let root = try XMLElement.root(
      "migration", of: "a model step", bytes, file: file,
      attributes: ["from", "to", "loss", "allows", "squashes"])
    let from = try Self.hash("from", of: root)
    before = from == "-" ? "" : from
    after = try Self.hash("to", of: root)
    allowsLoss = try Self.consent(root)
    allowances =
      try root.attribute("allows").map { attribute throws(PersistenceError) in
        try LintAllowance.all(attribute.value, line: nil, at: attribute.location)
      } ?? []
    isSquashed = root.attribute("squashes") != nil
    guard !isSquashed || before.isEmpty else {
      throw .migrationFile(
        "a step that puts others together makes a store: its \"from\" is \"-\"", at: root.location)
    }
    guard let element = root.children.first(where: { $0.name == "model" }) else {
      throw .migrationFile(
        "the model step has no element \"model\": the model that it leaves behind",
        at: root.location)
    }
    model = try Self.model(element, after, at: root)
  }

  private static func hash(_ name: String, of root: XMLElement) throws(PersistenceError) -> String {
    guard let attribute = root.attribute(name) else {
      throw .migrationFile("element \"migration\" has no \"\(name)\"", at: root.location)
    }
    guard MigrationFile.isHash(attribute.value) || attribute.value == "-" && name == "from" else {
      throw .migrationFile(
        "\"\(attribute.value)\" of \"\(name)\" is not a model hash (64 hexadecimal digits)",
        at: attribute.location)
    }
    return attribute.value
  }

  /// Misspelled consent is not consent, and would be noticed only when a store refuses the step.
  private static func consent(_ root: XMLElement) throws(PersistenceError) -> Bool {
    guard let attribute = root.attribute("loss") else { return false }
    guard attribute.value == "allowed" else {
      throw .migrationFile(
        "\"\(attribute.value)\" of \"loss\" is not \"allowed\"; take the attribute out where "
          + "nothing may be lost", at: attribute.location)
    }
    return true
  }

  private static func model(
    _ element: XMLElement, _ hash: String, at root: XMLElement
  ) throws(PersistenceError) -> ManagedObjectModel {
    let model: ManagedObjectModel
    do throws(PersistenceError) {
      model = try ModelDocument(element: element, versionName: "").model
      try model.validate()
    } catch {
      throw PersistenceError(
        .migrationFile, "the model of the step cannot be used", at: element.location,
        problems: error.problems.isEmpty ? [error] : error.problems)
    }
    guard model.versionHash == hash else {
      throw .migrationFile(
        "the step says that it leaves the model \(hash) behind, but the hash of its model is "
          + model.versionHash + "; steps are not edited: restore the text, for example from "
          + "version control, and write changes as another step with 'migrate new'",
        at: root.attribute("to")?.location)
    }
    return model
  }
}

/// The stub of a code step, so that any program knows where in the folder's order it comes.
struct CodeFile {
  let stub: MigrationFile.CodeStub
  let model: String?

  init(_ bytes: [UInt8], file: String) throws(PersistenceError) {
    let root = try XMLElement.root(
      "code", of: "a code step", bytes, file: file,
      attributes: ["name", "version", "run", "model"])
    func value(_ name: String) throws(PersistenceError) -> String {
      guard let value = root.attribute(name)?.value, !value.isEmpty else {
        throw .migrationFile("element \"code\" has no \"\(name)\"", at: root.location)
      }
      return value
    }
    stub = MigrationFile.CodeStub(
      name: try value("name"), version: try value("version"), run: try value("run"))
    let model = try value("model")
    guard model == "unchanged" || MigrationFile.isHash(model) else {
      throw .migrationFile(
        "\"\(model)\" of \"model\" is neither \"unchanged\" nor a model hash",
        at: root.attribute("model")?.location)
    }
    self.model = model == "unchanged" ? nil : model
  }
}

extension XMLElement {
  /// Reads a document whose root has this name, and no attributes but these.
  fileprivate static func root(
    _ name: String, of step: String, _ bytes: [UInt8], file: String, attributes: [String]
  ) throws(PersistenceError) -> XMLElement {
    let root = try MigrationFile.reading { () throws(DocumentError) in
      try XMLDocument.parse(bytes, file: file)
    }
    guard root.name == name else {
      throw .migrationFile(
        "element \"\(root.name)\" is not \(step); its root is \"\(name)\"", at: root.location)
    }
    try root.requireAttributes(attributes)
    return root
  }

  /// Refuses other attributes: a misspelled one would silently say nothing.
  private func requireAttributes(_ known: [String]) throws(PersistenceError) {
    for attribute in attributes where !known.contains(attribute.name) {
      let hint = didYouMean(attribute.name, among: known)
      throw .migrationFile(
        "element \"\(name)\" has no attribute \"\(attribute.name)\""
          + (hint.isEmpty ? "; it has \(PersistenceError.listed(known))" : hint),
        at: attribute.location)
    }
  }
}
