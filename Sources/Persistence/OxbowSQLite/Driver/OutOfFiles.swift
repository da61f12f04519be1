/// A file cannot be opened because too many are open.
struct OutOfFiles: Error, Hashable, Sendable {
  let path: String
  private let isOfTheSystem: Bool
  private let limit: UInt64?

  /// - Returns: `nil` where the system's number of the error says something else.
  init?(_ path: String, _ number: Int32) {
    guard System.isOutOfFiles(number) else { return nil }
    self.path = path
    isOfTheSystem = System.isOutOfFilesOfAll(number)
    limit = isOfTheSystem ? nil : System.maximumOpenFiles
  }

  var text: String { "the store '\(path)' \(reason)" }

  /// What is said of the store, or of one of its files.
  var reason: String {
    let whose =
      isOfTheSystem
      ? "all processes of this machine together" : "this process"
    let count = limit.map { " (\($0))" } ?? ""
    return "needs another open file, and \(whose) may not have more\(count): "
      + "close stores and files that are not needed, or raise the limit, as 'ulimit -n' does for a "
      + "process"
  }
}
