internal import ArgumentParser
internal import OxbowAssembly
internal import OxbowContainer
internal import OxbowDocuments

/// The wiring files of a command that looks at one container.
struct WiringFiles: ParsableArguments {
  @Argument(help: "The files that make one container.", completion: .file())
  var files: [String]

  /// The container's graph: with types where this program knows the classes, else as the files say.
  ///
  /// - Throws: `ContainerError` for a file that is not a document.
  func graph() throws -> (graph: ContainerGraph, structuralProblems: Int) {
    let documents = try files.map { try AssemblyDocument(contentsOf: $0) }
    let builder = ContainerBuilder()
    for document in documents { builder.add(document) }
    return (
      builder.check().graph, AssemblyDocument.structuralProblems(in: documents).count
    )
  }

  /// What to say beside a result that was made of faulty files.
  static func hint(_ problems: Int) -> String? {
    guard problems > 0 else { return nil }
    return "the files have \(counted(problems, "problem")): see \(ToolName.current) container check"
  }
}

struct DefinitionResult: Encodable {
  struct Need: Encodable {
    let object: String
    let role: String
    let how: String
    let location: String?
    let defined: Bool
  }

  let name: String
  let className: String?
  let type: String?
  let scope: String
  let scopeMeaning: String
  let sharing: String?
  let lazy: Bool
  let eager: Bool
  let primary: Bool
  let aliases: [String]
  let abstract: Bool
  let proxy: Bool
  let parent: String?
  let summary: String?
  let location: String?
  let needs: [Need]
  let placesByType: [String]

  init(_ definition: DefinitionSummary) {
    name = definition.name.printable
    className = definition.className?.printable
    type = definition.typeName?.printable
    scope = definition.scope.printable
    scopeMeaning = definition.scopeMeaning
    sharing = definition.sharing.map { "\($0)" }
    lazy = definition.isLazy
    eager = definition.isEager
    primary = definition.isPrimary
    aliases = definition.aliases.map(\.printable)
    abstract = definition.isAbstract
    proxy = definition.isProxy
    parent = definition.parent?.printable
    summary = definition.summary?.printable
    location = definition.location?.description.printable
    needs = definition.needs.map { Need($0.target, $0) }
    placesByType = definition.placesByType.map(\.printable)
  }
}

extension DefinitionResult.Need {
  init(_ object: String, _ need: DefinitionSummary.Need) {
    self.init(
      object: object.printable, role: need.role.printable, how: need.how.description,
      location: need.location?.description.printable, defined: need.isDefined)
  }
}
