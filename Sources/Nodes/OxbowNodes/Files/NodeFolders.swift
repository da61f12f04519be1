internal import OxbowDocuments
internal import OxbowFoundation

/// The folders that node files may name; nothing outside them can be read.
public struct NodeFolders: Hashable, Sendable {
  /// The folder of the program's own files, `${app}`, `${main}`, `${mainBundle}`, in which files to
  /// launch are looked up.
  public var root: String
  /// The folder of the user's files: `${docs}`, `${document}`, `${documentDirectory}`.
  public var documents: String?
  /// The folder of files that can be created again: `${caches}`, `${cachesDirectory}`.
  public var caches: String?
  /// The folder of temporary files: `${tmp}`, `${temporaryDirectory}`.
  public var temporary: String?

  /// Creates the folders; a path to one that is nil is an error.
  public init(
    root: String, documents: String? = nil, caches: String? = nil, temporary: String? = nil
  ) {
    self.root = root
    self.documents = documents
    self.caches = caches
    self.temporary = temporary
  }

  /// Returns the folders of a program by the XDG rules: `$XDG_DATA_HOME/NAME`,
  /// `$XDG_CACHE_HOME/NAME` and the temporary folder.
  public static func xdg(
    root: String, program: String,
    environment: [String: String]? = nil
  ) -> NodeFolders {
    let environment = environment ?? ProcessInfo.processInfo.environment
    let home = environment["HOME"] ?? "/"
    return NodeFolders(
      root: root,
      documents: (environment["XDG_DATA_HOME"] ?? home + "/.local/share") + "/" + program,
      caches: (environment["XDG_CACHE_HOME"] ?? home + "/.cache") + "/" + program,
      temporary: environment["TMPDIR"] ?? "/tmp")
  }

  /// The names of each folder in files.
  static let names = [
    ["mainBundle", "main", "app"], ["documentDirectory", "document", "docs"],
    ["cachesDirectory", "caches"], ["temporaryDirectory", "tmp"],
  ]

  private var all: [String?] { [root, documents, caches, temporary] }

  /// Returns the absolute path for a name in a file of `folder`.
  ///
  /// - Throws: `outsideOfRoot` for a path that leads out of the given folders.
  func path(
    of name: String, from folder: String, at location: SourceLocation?
  ) throws(NodeError) -> String {
    guard !name.contains("://") else {
      throw NodeError(
        .outsideOfRoot, "\"\(name)\" is an address; node files are read from folders only",
        at: location)
    }
    if name.hasPrefix("${") { return try prefixed(name, at: location) }
    let start = name.hasPrefix("/") ? "" : folder
    let path = Self.folded(start + "/" + name)
    guard let path, allowed.contains(where: { Self.holds($0, path) }) else {
      throw outside(name, at: location)
    }
    return path
  }

  private func prefixed(_ name: String, at location: SourceLocation?) throws(NodeError) -> String {
    let word = name.dropFirst(2).prefix { $0 != "}" }
    guard let place = Self.names.firstIndex(where: { $0.contains(String(word)) }) else {
      throw NodeError(
        .outsideOfRoot, "\"${\(word)}\" does not name a folder", at: location,
        nearNames: nearNames(to: String(word), among: Self.names.joined()))
    }
    guard let folder = all[place].map(Self.absolute) else {
      throw NodeError(
        .outsideOfRoot, "\"${\(word)}\" is used, but NodeFolders does not have that folder",
        at: location)
    }
    let rest = name.dropFirst(word.count + 3)
    guard let path = Self.folded(folder + "/" + rest), Self.holds(folder, path) else {
      throw outside(name, at: location)
    }
    return path
  }

  /// Refuses a file that is a link out of the folders.
  func checkLinks(_ path: String, at location: SourceLocation?) throws(NodeError) -> String {
    guard let real = resolvedPath(path) else { return path }
    guard allowed.contains(where: { Self.holds(resolvedPath($0) ?? $0, real) }) else {
      throw NodeError(
        .outsideOfRoot,
        "\"\(path)\" is a link to \"\(real)\", outside the folders of node files",
        at: location)
    }
    return real
  }

  private var allowed: [String] { all.compactMap(\.self).map(Self.absolute) }

  private func outside(_ name: String, at location: SourceLocation?) -> NodeError {
    NodeError(
      .outsideOfRoot,
      "\"\(name)\" leads out of the folders of node files: \(allowed.joined(separator: ", "))",
      at: location)
  }
}

extension NodeFolders {
  /// A path without `.`, `..`, `...` (two up) and `....` (three up); nil if it leads above `/`.
  static func folded(_ path: String) -> String? {
    var parts: [Substring] = []
    for part in path.split(separator: "/") {
      guard part.count <= 4, part.allSatisfy({ $0 == "." }) else {
        parts.append(part)
        continue
      }
      guard parts.count >= part.count - 1 else { return nil }
      parts.removeLast(part.count - 1)
    }
    return "/" + parts.joined(separator: "/")
  }

  static func absolute(_ folder: String) -> String {
    let path =
      folder.hasPrefix("/") ? folder : FileManager.default.currentDirectoryPath + "/" + folder
    return folded(path) ?? "/"
  }

  private static func holds(_ folder: String, _ path: String) -> Bool {
    path == folder || path.hasPrefix(folder == "/" ? "/" : folder + "/")
  }
}

func folder(of path: String) -> String {
  path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
}
