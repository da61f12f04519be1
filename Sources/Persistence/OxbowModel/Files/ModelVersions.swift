internal import OxbowCoreData
internal import OxbowDocuments
internal import OxbowFoundation

/// The versions of a model: of a document (`.xcdatamodeld`), or of a compiled one (`.momd`).
public struct ModelVersions: Hashable, Sendable {
  /// One version of a model.
  public struct Version: Hashable, Sendable {
    /// The version's name, without `.xcdatamodel` or `.mom`.
    public let name: String

    /// The path of its folder or file.
    public let path: String
  }

  /// All versions, sorted by name.
  public let all: [Version]

  /// The version that is to be used.
  public let current: Version

  /// Lists the versions of a model: of an `.xcdatamodeld` or `.momd` folder, or the only one of an
  /// `.xcdatamodel` folder, of a `contents` file or of a `.mom` file.
  ///
  /// - Throws: ``PersistenceError`` with code `invalidModel`.
  public init(of path: String) throws(PersistenceError) {
    let path = ModelPath.trimmed(path)
    all = try Self.list(at: path)
    current =
      all.count == 1 && !ModelPath.isPackage(path) ? all[0] : try Self.current(of: path, among: all)
  }

  /// The versions of a model, whether or not one of them is current.
  static func list(at path: String) throws(PersistenceError) -> [Version] {
    let path = ModelPath.trimmed(path)
    if ModelPath.isPackage(path) { return try list(of: path) }
    return [Version(name: ModelPath.versionName(of: path), path: path)]
  }

  /// The versions of a folder, sorted by name.
  static func list(of path: String) throws(PersistenceError) -> [Version] {
    let ending = ModelPath.ending(ofVersionsIn: path)
    // macOS leaves "._NAME" on file systems of others.
    return try ModelPath.names(in: path).filter { $0.hasSuffix(ending) && !$0.hasPrefix(".") }
      .map { Version(name: ModelPath.versionName(of: $0), path: "\(path)/\($0)") }
      .sorted { $0.name < $1.name }
  }

  private static func current(
    of path: String, among versions: [Version]
  ) throws(PersistenceError) -> Version {
    guard let first = versions.first else {
      throw PersistenceError(
        .invalidModel,
        "the model '\(path)' has no version: it contains no "
          + (path.hasSuffix(".momd") ? ".mom file" : ".xcdatamodel folder"))
    }
    let isCompiled = path.hasSuffix(".momd")
    let marked =
      isCompiled
      ? try recorded(in: path, among: versions)
      : try marked(in: "\(path)/.xccurrentversion", among: versions)
    if let marked { return marked }
    guard versions.count > 1 else { return first }
    throw PersistenceError(
      .invalidModel,
      "the model '\(path)' has \(versions.count) versions and no "
        + (isCompiled ? "VersionInfo.plist" : ".xccurrentversion") + " that says"
        + " which one is current; give the path of one of them",
      details: [.init(label: "versions", text: versions.map(\.name).joined(separator: ", "))])
  }

  /// The version that a folder of compiled models names, or `nil` when it names none.
  private static func recorded(
    in folder: String, among versions: [Version]
  ) throws(PersistenceError) -> Version? {
    guard let name = try VersionInfo.inFolder(folder)?.current else { return nil }
    if let found = versions.first(where: { $0.name == name }) { return found }
    throw PersistenceError(
      .invalidModel,
      "the current version '\(name)' of the model '\(folder)' does not exist",
      nearNames: PersistenceError.nearNames(to: name, among: versions.map(\.name)))
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

  /// The name of the version at a path: of the folder or file itself, or of the folder around
  /// `contents`.
  static func versionName(of path: String) -> String {
    var parts = path.split(separator: "/")
    if parts.count > 1, ["contents", "elements"].contains(parts.last) { parts.removeLast() }
    guard let name = parts.last else { return path }
    for ending in [".xcdatamodel", ".mom"] where name.hasSuffix(ending) {
      return String(name.dropLast(ending.count))
    }
    return String(name)
  }

  /// Whether a path is that of a folder of versions.
  static func isPackage(_ path: String) -> Bool {
    path.hasSuffix(".xcdatamodeld") || path.hasSuffix(".momd")
  }

  static func ending(ofVersionsIn path: String) -> String {
    path.hasSuffix(".momd") ? ".mom" : ".xcdatamodel"
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
