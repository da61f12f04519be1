internal import OxbowFoundation
public import OxbowModel

/// A migrations folder: all steps of a store's model, in the order of their numbers.
public struct MigrationSequence: Sendable {
  /// The path of the folder.
  public let folder: String

  /// The steps, sorted by number.
  public let files: [MigrationFile]

  /// The models that the model steps leave behind, by hash.
  public let models: [String: ManagedObjectModel]

  /// Reads a folder.
  ///
  /// Files with other extensions than `.xml` and `.sql` are not looked at, but for `oxbow.sum`,
  /// which is verified when it is there.
  ///
  /// - Throws: ``PersistenceError`` with code `migrationFile`, with every problem at once.
  public init(folder: String) throws(PersistenceError) {
    try self.init(folder: folder, verifiesSum: true)
  }

  init(folder: String, verifiesSum: Bool) throws(PersistenceError) {
    let folder = folder.count > 1 && folder.hasSuffix("/") ? String(folder.dropLast()) : folder
    let names = try Self.names(in: folder)
    var problems: [PersistenceError] = []
    var files: [MigrationFile] = []
    for name in names where MigrationFileName.isStep(name) {
      do throws(PersistenceError) {
        files.append(try MigrationFile(name, folder: folder))
      } catch {
        problems.append(error)
      }
    }
    files.sort { $0.number < $1.number }
    self.folder = folder
    self.files = files
    models = Dictionary(
      files.compactMap { file in
        guard case .model(let model) = file.content, let hash = file.modelAfter else { return nil }
        return (hash, model)
      }, uniquingKeysWith: { _, last in last })
    if problems.isEmpty {
      problems += chainProblems()
      if verifiesSum, names.contains(SumFile.name) {
        problems += try SumFile(folder: folder).problems(files)
      }
    }
    guard problems.isEmpty else {
      throw .collecting(
        .migrationFile, "the migrations in '\(folder)' have \(problems.count) problems", problems)
    }
  }

  /// The hash of the model that the last step leaves behind; `nil` when no step says it.
  public var lastModel: String? { files.compactMap(\.modelAfter).last }

  /// The places of the line that have a model: behind the steps at these indexes, -1 for the place
  /// before the first.
  func places(of hash: String) -> [Int] {
    var model = files.first { $0.modelBefore != nil }?.modelBefore
    var places = model == hash ? [-1] : []
    for (index, file) in files.enumerated() {
      model = file.modelAfter ?? model
      if model == hash { places.append(index) }
    }
    return places
  }

  /// The number that a new file gets.
  public var nextID: String {
    let next = (files.last?.number ?? 0) + 1
    let digits = String(next)
    return String(repeating: "0", count: max(0, (files.last?.id.count ?? 4) - digits.count))
      + digits
  }

  private static func names(in folder: String) throws(PersistenceError) -> [String] {
    do {
      return try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    } catch {
      var isFolder = false
      let exists = FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder)
      let fault = exists ? (isFolder ? "cannot be read" : "is not a folder") : "does not exist"
      throw .migrationFile("the migrations folder '\(folder)' \(fault)")
    }
  }
}

// MARK: - The chain

extension MigrationSequence {
  /// The files that were to go when steps were put together: whatever did it was ended.
  private var leftovers: [PersistenceError] {
    guard let squashed = files.last(where: \.isSquashed) else { return [] }
    return files.filter { $0.number <= squashed.number && $0.path != squashed.path }.map {
      .migrationFile(
        "'\($0.fileName)' in '\(folder)' is one of the steps that '\(squashed.fileName)' replaces; "
          + "remove it")
    }
  }

  private func chainProblems() -> [PersistenceError] {
    guard leftovers.isEmpty else { return leftovers }
    var problems: [PersistenceError] = []
    var model: String?
    var last: MigrationFile?
    for file in files {
      if let last, last.number == file.number {
        problems.append(
          .migrationFile(
            "'\(last.fileName)' and '\(file.fileName)' in '\(folder)' have the same number; "
              + "renumber the one that was not applied anywhere yet"))
      }
      problems += [startProblem(file, model, after: last)].compactMap(\.self)
      model = file.modelAfter ?? model
      last = file
    }
    return problems
  }

  /// A step that says that it starts from another model than the steps before leave behind.
  private func startProblem(
    _ file: MigrationFile, _ model: String?, after last: MigrationFile?
  ) -> PersistenceError? {
    guard let before = file.modelBefore else { return nil }
    if before.isEmpty {
      guard let last else { return nil }
      return .migrationFile(
        "'\(file.fileName)' in '\(folder)' says that there is no store before it "
          + "(from=\"-\"), but it comes after '\(last.fileName)'")
    }
    guard let model, model != before else { return nil }
    return .migrationFile(
      "'\(file.fileName)' in '\(folder)' starts from the model \(before.prefix(12))…, but the "
        + "steps before it leave \(model.prefix(12))… behind; write the step again with "
        + "'oxbowctl migrate new'")
  }
}
