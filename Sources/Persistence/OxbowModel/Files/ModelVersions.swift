internal import OxbowDocuments
internal import OxbowFoundation

/// The versions of a model document (`.xcdatamodeld`).
public struct ModelVersions: Hashable, Sendable {
  /// One version of a model.
  public struct Version: Hashable, Sendable {
    /// The version's name, without `.xcdatamodel`.
    public let name: String

    /// The path of its folder.
    public let path: String
  }

  /// All versions, sorted by name.
  public let all: [Version]

  /// The version that is to be used.
  public let current: Version

  /// Lists the versions of a model: of an `.xcdatamodeld` folder, or the only one of an
  /// `.xcdatamodel` folder or of a `contents` file.
  ///
  /// - Throws: ``PersistenceError`` with code `invalidModel`.
  public init(of path: String) throws(PersistenceError) {
    let path = ModelPath.trimmed(path)
    guard path.hasSuffix(".xcdatamodeld") else {
      current = Version(name: ModelPath.versionName(of: path), path: path)
      all = [current]
      return
    }
    all = try Self.list(of: path)
    current = try Self.current(of: path, among: all)
  }

  /// The versions of an `.xcdatamodeld` folder, sorted by name.
  static func list(of path: String) throws(PersistenceError) -> [Version] {
    try ModelPath.names(in: path).filter { $0.hasSuffix(".xcdatamodel") }
      .map { Version(name: ModelPath.versionName(of: $0), path: "\(path)/\($0)") }
      .sorted { $0.name < $1.name }
  }

  private static func current(
    of path: String, among versions: [Version]
  ) throws(PersistenceError) -> Version {
    guard let first = versions.first else {
      throw PersistenceError(
        .invalidModel, "the model '\(path)' has no version: it contains no .xcdatamodel folder")
    }
    if let marked = try marked(in: "\(path)/.xccurrentversion", among: versions) { return marked }
    guard versions.count > 1 else { return first }
    throw PersistenceError(
      .invalidModel,
      "the model '\(path)' has \(versions.count) versions and no .xccurrentversion that says"
        + " which one is current; give the path of one of them",
      details: [.init(label: "versions", text: versions.map(\.name).joined(separator: ", "))])
  }

  /// The version that a mark names, or `nil` when there is no mark or an empty one.
  static func marked(
    in file: String, among versions: [Version]
  ) throws(PersistenceError) -> Version? {
    guard FileManager.default.fileExists(atPath: file) else { return nil }
    let key = "_XCCurrentVersionName"
    return try PersistenceError.ofModel { () throws(DocumentError) in
      let list = try PropertyListDocument.parse(contentsOf: file)
      guard let value = list.entry(key)?.value else { return nil }
      guard let name = value.text else {
        throw DocumentError(message: "the key \"\(key)\" has no text", location: value.location)
      }
      if let found = versions.first(where: { $0.path.hasSuffix("/\(name)") }) { return found }
      let hint = didYouMean(name, among: versions.map { "\($0.name).xcdatamodel" })
      throw DocumentError(
        message: "the current version \"\(name)\" does not exist\(hint)", location: value.location)
    }
  }
}

enum ModelPath {
  static func trimmed(_ path: String) -> String {
    var path = path
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    return path
  }

  /// The name of the version at a path: of the folder itself, or of the one around `contents`.
  static func versionName(of path: String) -> String {
    var parts = path.split(separator: "/")
    if parts.count > 1, parts.last == "contents" { parts.removeLast() }
    guard let name = parts.last else { return path }
    return name.hasSuffix(".xcdatamodel") ? String(name.dropLast(12)) : String(name)
  }

  static func names(in folder: String) throws(PersistenceError) -> [String] {
    do {
      return try FileManager.default.contentsOfDirectory(atPath: folder)
    } catch {
      guard FileManager.default.fileExists(atPath: folder) else {
        throw PersistenceError(.invalidModel, "the model '\(folder)' does not exist")
      }
      throw PersistenceError(.invalidModel, "the folder '\(folder)' cannot be read")
    }
  }
}

extension PersistenceError {
  /// Runs `body`; a document that cannot be read or written is a problem of the model.
  static func ofModel<Value>(
    _ failure: String? = nil, _ body: () throws(DocumentError) -> Value
  ) throws(PersistenceError) -> Value {
    do throws(DocumentError) {
      return try body()
    } catch {
      let failure = failure.map { "\($0): " } ?? ""
      throw PersistenceError(.invalidModel, failure + error.message, at: error.location)
    }
  }

  static let unwritten = "the model cannot be written"
}
