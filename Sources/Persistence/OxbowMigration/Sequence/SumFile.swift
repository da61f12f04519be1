internal import OxbowDocuments
internal import OxbowModel
internal import OxbowRelational

/// The file `oxbow.sum`: the checksums of all steps.
///
/// Two branches that both add a step change the same lines of it, so that the version control
/// reports the conflict and not the first store that is migrated.
struct SumFile {
  static let name = "oxbow.sum"

  private let sums: [(checksum: String, file: String)]
  private let folder: String

  init(folder: String) throws(PersistenceError) {
    let path = "\(folder)/\(Self.name)"
    let bytes = try MigrationFile.reading { () throws(DocumentError) in
      try DocumentFile.bytes(of: path)
    }
    var sums: [(String, String)] = []
    for (index, line) in Checksum.lines(bytes).enumerated() where !line.isEmpty {
      let words = String(decoding: line, as: UTF8.self).split(separator: " ")
      guard words.count == 2, MigrationFile.isHash(words[0]) else {
        throw .migrationFile(
          "the line is not a checksum and file name",
          at: SourceLocation(file: path, line: index + 1, column: 1))
      }
      sums.append((String(words[0]), String(words[1])))
    }
    self.sums = sums
    self.folder = folder
  }

  static func text(_ files: [MigrationFile]) -> String {
    files.map { "\($0.checksum)  \($0.fileName)\n" }.joined()
  }

  /// What does not agree with the steps.
  func problems(_ files: [MigrationFile]) -> [PersistenceError] {
    let advice =
      "; when the change is meant, run 'oxbowctl migrate sum --migrations \(folder.shellWord)'"
    let known = Dictionary(sums.map { ($0.file, $0.checksum) }) { first, _ in first }
    var problems: [PersistenceError] = []
    for file in files {
      guard let checksum = known[file.fileName] else {
        problems.append(
          .migrationFile("'\(file.fileName)' is missing in '\(folder)/\(Self.name)'\(advice)"))
        continue
      }
      if checksum != file.checksum.description {
        problems.append(
          .migrationFile(
            "'\(file.fileName)' in '\(folder)' is not the text that '\(Self.name)' has the "
              + "checksum of\(advice)"))
      }
    }
    let names = Set(files.map(\.fileName))
    for sum in sums where !names.contains(sum.file) {
      problems.append(
        .migrationFile(
          "'\(sum.file)' is in '\(folder)/\(Self.name)' and does not exist\(advice)"))
    }
    return problems
  }
}
