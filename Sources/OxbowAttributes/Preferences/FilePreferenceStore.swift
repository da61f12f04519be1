#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif
internal import OxbowPlatform

/// A store in a file of JSON: one object, with a member for each key.
///
/// The file is read by the first use, and written as a whole by each change, so that it is never
/// half written. Members of other programs in the same file are kept; of two processes that change
/// the file at the same moment the later one counts.
public final class FilePreferenceStore: PreferenceStore {
  private struct State {
    var values: [String: JSONValue]?
  }

  private let path: String
  private let state = Lock(State())

  /// A store in a file, which need not exist.
  ///
  /// - Parameter path: The path of the file; its folder is made when it is needed.
  public init(path: String) { self.path = path }

  /// The text of a value; nil when there is none.
  ///
  /// - Throws: What keeps the file from being read, when it exists.
  public func text(forKey key: String) throws -> String? {
    let value = try state.withLock { state in
      let values = try state.values ?? read()
      state.values = values
      return values[key]
    }
    return try value.map { try PreferenceText.text(of: $0) }
  }

  /// Stores the text of a value, or removes the value when the text is nil.
  ///
  /// - Throws: What keeps the file from being written.
  public func setText(_ text: String?, forKey key: String) throws {
    let value: JSONValue? = try text.map { try PreferenceText.value(of: $0) }
    try state.withLock { state in
      // Read anew, for what another process has written meanwhile.
      var values = try read()
      values[key] = value
      try write(values)
      state.values = values
    }
  }

  /// Forgets what was read: the next use reads the file.
  public func reload() { state.withLock { $0.values = nil } }

  private func read() throws -> [String: JSONValue] {
    guard FileManager.default.fileExists(atPath: path) else { return [:] }
    let data = try Data(contentsOf: URL(filePath: path))
    return try JSONDecoder().decode([String: JSONValue].self, from: data)
  }

  private func write(_ values: [String: JSONValue]) throws {
    let url = URL(filePath: path)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    try encoder.encode(values).write(to: url, options: .atomic)
  }
}

extension FilePreferenceStore {
  /// The program's own file, `preferences.json` in a folder with the program's name in the user's
  /// folder for configurations: `$XDG_CONFIG_HOME`, or `~/.config`.
  public static let ofProgram = FilePreferenceStore(
    path: path(
      ofProgram: CommandLine.arguments.first ?? "", ProcessInfo.processInfo.environment,
      home: FileManager.default.homeDirectoryForCurrentUser.path))

  static func path(
    ofProgram program: String, _ environment: [String: String], home: String
  ) -> String {
    let name = program.split(separator: "/").last.map(String.init) ?? "program"
    let folder = environment["XDG_CONFIG_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
    return "\(folder ?? home + "/.config")/\(name)/preferences.json"
  }
}
