internal import OxbowDocuments
internal import OxbowFoundation
internal import OxbowPlatform

/// A store in a file of JSON: one object, with a member for each key.
///
/// The file is written as a whole by each change, so that it is never half written, and read again
/// where it has changed. Threads, stores over the same file and processes take turns: a change
/// loses no other key, and ``update(forKey:_:)`` loses nothing of the same key. They wait for the
/// lock of a file beside it, `.NAME.lock`, which stays. Members of other programs are kept.
public final class FilePreferenceStore: PreferenceStore {
  private struct State {
    var values: [String: JSONValue] = [:]

    /// Which content of the file these are, or `nil` when they have to be read.
    var stamp: FileStamp?
  }

  private let path: String
  private let state = Lock(State())

  /// The files that the running call changes.
  @TaskLocal private static var updating: Set<String> = []

  /// A store in a file, which need not exist.
  ///
  /// - Parameter path: The path of the file; its folder is made when it is needed.
  public init(path: String) { self.path = path }

  /// The text of a value; nil when there is none.
  ///
  /// - Throws: What keeps the file from being read, when it exists.
  public func text(forKey key: String) throws -> String? {
    let value = try state.withLock { state in
      try Self.refresh(&state, path)
      return state.values[key]
    }
    return value.map(PreferenceText.text)
  }

  /// Stores the text of a value, or removes the value when the text is nil.
  ///
  /// - Throws: What keeps the file from being written.
  public func setText(_ text: String?, forKey key: String) throws {
    try update(forKey: key) { _ in text }
  }

  /// Changes the text of a value while no other thread or process changes the file.
  ///
  /// - Throws: What keeps the file from being read or written, and what `change` throws; nothing
  ///   has changed then. `change` may read the file, and not change it.
  public func update(forKey key: String, _ change: (String?) throws -> String?) throws {
    try makeFolder()
    let file = pathWithoutLinks(path)
    guard !Self.updating.contains(file) else { throw NestedUpdate(path: path) }
    try FileLock.hold(Self.lock(of: file)) {
      var values = try Self.read(file)
      let text = try Self.$updating.withValue(Self.updating.union([file])) {
        try change(values[key].map(PreferenceText.text))
      }
      values[key] = try text.map(PreferenceText.value)
      try Self.write(values, to: file)
    }
  }

  private static func refresh(_ state: inout State, _ path: String) throws {
    // Before it is read, so that a change meanwhile is seen by the next use.
    let stamp = FileStamp(of: path)
    if let stamp, stamp == state.stamp { return }
    state.stamp = nil
    state.values = stamp == nil ? [:] : try read(path)
    state.stamp = stamp.flatMap { $0.isSettled ? $0 : nil }
  }

  private static func read(_ path: String) throws -> [String: JSONValue] {
    guard FileStamp(of: path) != nil else { return [:] }
    let limits = PreferenceText.limitsOfFile
    let root = try JSONReader.parse(
      DocumentFile.bytes(of: path, limits: limits), file: path, limits: limits)
    guard case .dictionary(let entries) = root.content else {
      throw DocumentError(
        message: "preferences are one object of JSON, not \(root.seen)", location: root.location)
    }
    return Dictionary(uniqueKeysWithValues: entries.map { ($0.key, $0.value) })
  }

  private static func write(_ values: [String: JSONValue], to path: String) throws {
    var json = JSONWriter(isIndented: true)
    json.beginObject()
    for (key, value) in values.sorted(by: { $0.key < $1.key }) {
      json.key(key)
      json.value(value)
    }
    json.endObject()
    try Data(json.bytes).write(to: URL(filePath: path), options: .atomic)
  }

  private func makeFolder() throws {
    try FileManager.default.createDirectory(
      at: URL(filePath: path).deletingLastPathComponent(), withIntermediateDirectories: true)
  }

  private static func lock(of file: String) -> String {
    let name = file.split(separator: "/").last ?? ""
    return "\(file.dropLast(name.count)).\(name).lock"
  }
}

/// A change inside of a change of the same file, which would wait for itself.
private struct NestedUpdate: Error, CustomStringConvertible {
  let path: String

  var description: String {
    "a preference in '\(path)' was to be changed by the closure that changes another one in the same "
      + "file; change them one after the other"
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
