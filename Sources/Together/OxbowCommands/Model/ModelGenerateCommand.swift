internal import ArgumentParser
internal import OxbowModel

struct ModelGenerateCommand: ToolCommand {
  static let words = "model generate"
  static let configuration = help(
    abstract: "Writes the Swift classes of a model's entities.",
    discussion: """
      Writes one file for each class into a folder, one file for all when the name ends with \
      ".swift", and to the standard output without --output. A file that was changed since it was \
      written is kept, unless --force is given. What no class can say is a comment in the source \
      and a note.

      With --scalars numbers have the types that they have in Core Data's classes, so that code \
      which uses those needs no change: Integer 64 is Int64, and an optional number or Boolean \
      with "Use Scalar Type" is not an optional property; nil reads as 0 or false.
      """)

  @OptionGroup var documents: ModelPaths
  @Option(name: .long, parsing: .upToNextOption, help: "The entities; all of them by default.")
  var entity: [String] = []
  @Option(
    name: .customLong("output"), help: "The folder, or the .swift file, to write.",
    completion: .file())
  var target: String?
  @Option(name: .long, help: "The access level of the classes: public or internal.")
  var access = Access.internal
  @Flag(name: .long, help: "Numbers as in Core Data's classes: scalars, and Int64.")
  var scalars = false
  @Flag(name: .long, help: "Write over files that were changed, or that the tool did not write.")
  var force = false
  @OptionGroup var output: OutputOptions

  enum Access: String, ExpressibleByArgument, CaseIterable {
    case `public`, `internal`
  }

  func result(_ console: Console) throws -> ModelGenerateResult {
    let model = try ManagedObjectModel(contentsOf: documents.paths)
    try model.validate()
    let isFile = target.map { $0.hasSuffix(".swift") } ?? true
    let sources = try ModelSources(
      model, entities: entity, access: access == .public ? "public " : "", scalars: scalars,
      file: isFile ? "Model.swift" : nil)
    var result = ModelGenerateResult(classes: sources.count, notes: sources.notes)
    guard let target else {
      result.text = sources.files.map(\.text).joined()
      return result
    }
    let targets = sources.files.map { (isFile ? target : "\(target)/\($0.name)", $0.text) }
    try refuseChanged(targets.map(\.0))
    if !isFile { try TextFile.makeFolder(target) }
    for (path, text) in targets where try WrittenFile.write(text, to: path) {
      result.written.append(path)
    }
    result.unchanged = targets.count - result.written.count
    return result
  }
}

// MARK: - Files

extension ModelGenerateCommand {
  private func refuseChanged(_ paths: [String]) throws(PersistenceError) {
    guard !force else { return }
    var problems: [PersistenceError] = []
    for path in paths {
      guard let text = try WrittenFile.text(of: path), !GeneratedText.isUnchanged(text) else {
        continue
      }
      problems.append(
        PersistenceError(
          .fileChanged,
          "'\(path)' was changed since it was written, or was written by somebody else; move your"
            + " code into an extension in another file, or give --force to write over it"))
    }
    guard problems.isEmpty else {
      throw .collecting(
        .fileChanged, "\(problems.count) files would be lost; nothing was written", problems)
    }
  }
}

struct ModelGenerateResult: ToolResult {
  let classes: Int
  let notes: [String]
  var written: [String] = []
  var unchanged = 0

  /// The source, when it goes to the standard output.
  var text: String?

  var lines: [String] {
    if let text {
      return text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        .map(String.init)
    }
    let rest = unchanged == 0 ? "" : ", \(unchanged) unchanged"
    return written.map { "wrote \($0)" } + [counted(classes, "class", "classes") + rest]
  }

  var hint: String? {
    notes.isEmpty ? nil : notes.map { "note: \($0)" }.joined(separator: "\n")
  }
}
