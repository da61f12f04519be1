internal import OxbowModel

/// The name of a migration file: `0001_initial.xml`.
struct MigrationFileName {
  let id: String
  let number: Int
  let name: String
  let format: Format

  enum Format {
    case model, sql, code
  }

  private static let extensions: [(String, Format)] = [
    (".code.xml", .code), (".xml", .model), (".sql", .sql),
  ]

  static func isStep(_ file: String) -> Bool {
    !file.hasPrefix(".") && extensions.contains { file.lowercased().hasSuffix($0.0) }
  }

  init(_ file: String, folder: String) throws(PersistenceError) {
    guard let (suffix, format) = Self.extensions.first(where: { file.hasSuffix($0.0) }) else {
      throw .migrationFile(
        "the extension of '\(file)' in '\(folder)' is not in lower case; rename the file, or take "
          + "it out of the folder")
    }
    let stem = file.dropLast(suffix.count)
    let digits = stem.prefix { $0.isASCII && $0.isNumber }
    let rest = stem.dropFirst(digits.count)
    guard digits.count >= 4, let number = Int(digits), 0 < number, number < .max, rest.first == "_",
      Self.isName(rest.dropFirst())
    else {
      throw .migrationFile(
        "the name of '\(file)' in '\(folder)' is not that of a migration; write four digits, "
          + "\"_\" and a name of letters, digits, \"-\" and \"_\": 0001_initial\(suffix)")
    }
    (id, self.number, name) = (String(digits), number, String(rest.dropFirst()))
    self.format = format
  }

  /// Whether a text can be the name of a migration.
  static func isName(_ text: some StringProtocol) -> Bool {
    !text.isEmpty
      && text.allSatisfy { $0 == "-" || $0 == "_" || $0.isASCII && ($0.isLetter || $0.isNumber) }
  }
}
