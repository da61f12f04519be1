internal import ArgumentParser
internal import OxbowAssembly
internal import OxbowContainer
internal import OxbowDocuments

struct ContainerCheckCommand: ToolCommand {
  static let words = "container check"
  static let configuration = help(
    abstract: "Reports everything that is wrong with wiring files. Runs no constructor.",
    discussion: """
      Classes are those of this program. oxbowctl has Oxbow's own factories only: check the files \
      of a program with --structure-only, or with a tool of the program's own, whose main.swift \
      calls OxbowTool.main(). Objects that the program defines in code are named by --defined. \
      Exit code 2 when something is wrong, 1 when a file cannot be opened.
      """)

  @Argument(help: "The files that make one container.")
  var files: [String]
  @Flag(
    name: .customLong("structure-only"),
    help: "Check markup, names and references, and no classes.")
  var structureOnly = false
  @Option(
    parsing: .upToNextOption,
    help: ArgumentHelp(
      "Names of objects that code defines and the files refer to.", valueName: "name"))
  var defined: [String] = []
  @OptionGroup var output: OutputOptions

  func result(_ console: Console) throws -> ContainerCheckResult {
    var result = ContainerCheckResult(files: files.count, structureOnly: structureOnly)
    var documents: [AssemblyDocument] = []
    for file in files {
      do {
        documents.append(try AssemblyDocument(contentsOf: file))
      } catch let error as ContainerError where error.problems.contains(where: \.isInDocument) {
        result.problems += error.problems.map(ContainerCheckResult.Problem.init)
      }
    }
    result.definitions = documents.map(\.definitions.count).reduce(0, +)
    guard structureOnly else { return check(documents, &result) }
    result.add(
      AssemblyDocument.structuralProblems(in: documents, defined: Set(defined)),
      notes: documents.flatMap(\.notes))
    return result
  }

  private func check(
    _ documents: [AssemblyDocument], _ result: inout ContainerCheckResult
  ) -> ContainerCheckResult {
    let builder = ContainerBuilder()
    for document in documents { builder.add(document) }
    builder.elsewhere = Set(defined)
    let report = builder.check()
    let isStranger = !builder.knowsClasses
    result.add(
      report.problems.map { isStranger ? $0.withoutClasses : $0 }, notes: report.notes)
    return result
  }
}

extension ContainerBuilder {
  /// Whether this program has classes of its own, and not Oxbow's only.
  fileprivate var knowsClasses: Bool {
    classes.all.contains { !$0.qualifiedName.hasPrefix("Oxbow") }
  }
}

extension ContainerError.Problem {
  /// Whether a document says what is wrong, and it is not just missing.
  fileprivate var isInDocument: Bool { (underlying as? DocumentError)?.location != nil }

  /// The problem as a tool says it that has no classes of any program.
  fileprivate var withoutClasses: Self {
    guard code == .unknownClass, !seen.hasPrefix("neither") else { return self }
    var problem = self
    problem.expected = "a class of this tool, which has Oxbow's own only"
    problem.nextStep =
      "check the file with --structure-only, or with a tool of its program: OxbowTool.main()"
    return problem
  }
}

struct ContainerCheckResult: ToolResult {
  struct Problem: Encodable {
    let code: String
    let message: String
    let location: String?
    let seen: String
    let expected: String
    let nextStep: String
    let nearNames: [String]
    let requestedBy: [String]

    init(_ problem: ContainerError.Problem) {
      code = problem.code.rawValue
      message = problem.message.printable
      location = problem.location?.description.printable
      seen = problem.seen.printable
      expected = problem.expected.printable
      nextStep = problem.nextStep.printable
      nearNames = problem.nearNames.map(\.printable)
      requestedBy = problem.requestedBy.map(\.printable)
    }

    fileprivate var lines: [String] {
      var lines = [(location.map { "\($0): " } ?? "") + "error: \(message)"]
      lines += ["  seen: \(seen)", "  expected: \(expected)"]
      if !nearNames.isEmpty {
        lines.append("  did you mean: \(nearNames.map { "\"\($0)\"" }.joined(separator: ", "))?")
      }
      if !requestedBy.isEmpty {
        lines.append("  requested by: \(requestedBy.joined(separator: " → "))")
      }
      return lines + ["  next: \(nextStep)"]
    }
  }

  struct Note: Encodable {
    let text: String
    let location: String?
  }

  let files: Int
  let structureOnly: Bool
  var definitions = 0
  var problems: [Problem] = []
  var notes: [Note] = []

  init(files: Int, structureOnly: Bool) {
    self.files = files
    self.structureOnly = structureOnly
  }

  mutating func add(_ problems: [ContainerError.Problem], notes: [ContainerError.Note]) {
    self.problems += problems.map(Problem.init)
    self.notes += notes.map { Note(text: $0.text, location: $0.location?.description) }
  }

  var lines: [String] {
    let whole = "\(counted(definitions, "definition")) in \(counted(files, "file"))"
    let verdict =
      problems.isEmpty
      ? "valid" + (structureOnly ? " in structure" : "") + ": \(whole)"
      : "not valid: \(counted(problems.count, "problem")), \(whole)"
    return problems.flatMap(\.lines)
      + notes.map { ($0.location.map { "\($0): " } ?? "") + "note: \($0.text)" } + [verdict]
  }

  var exitCode: Int32 { problems.isEmpty ? 0 : 2 }
}
