public import OxbowDocuments
internal import OxbowFoundation
internal import OxbowPlatform

/// Reads node files: property lists and JSON, with `include file="…"` and `${name}`.
///
/// A file is a dictionary with the dictionary `Node`. A text in it with
/// `include file="other.plist" replace="name: girl" attributes="center: {0, 0}"` is replaced by the
/// node of the other file: there, and in the files that it includes, `${name}` is `girl`, and
/// `center` overrides the node's own. Paths are relative to the file that names them and cannot
/// leave the folders. Files are cached until they change on the disk.
///
/// It may be used on any thread.
public final class NodeFiles: Sendable {
  /// The folders that files may name.
  public let folders: NodeFolders
  /// The limits for a file, and for a file together with all that it includes.
  public let limits: DocumentLimits
  /// Whether a placeholder without a value is an error; otherwise it stays as it is.
  public let isStrict: Bool

  private let cache = Lock<[String: (stamp: FileStamp, value: NodeValue)]>([:])

  /// Creates a reader.
  public init(_ folders: NodeFolders, limits: DocumentLimits = .default, isStrict: Bool = false) {
    self.folders = folders
    self.limits = limits
    self.isStrict = isStrict
  }

  /// Creates a reader of the files in one folder.
  public convenience init(root: String, isStrict: Bool = false) {
    self.init(NodeFolders(root: root), isStrict: isStrict)
  }

  /// Reads a file, whose path is relative to the root, and what it includes.
  ///
  /// - Throws: ``NodeError`` with the location of the problem.
  public func load(
    _ file: String, replacing variables: [String: String] = [:]
  ) throws(NodeError) -> NodeFile {
    try load(path: path(of: file, at: nil), variables, at: nil)
  }

  /// Returns the file in the root with a name and the extension of a node file.
  func file(named name: String) throws(NodeError) -> String {
    let files = NodeFileFormat.allCases.map { "\(name).\($0.rawValue)" }
    var near: [String] = []
    for file in files {
      let path = try path(of: file, at: nil)
      if access(path, F_OK) == 0 { return file }
      near += neighbours(of: path).filter { !near.contains($0) }
    }
    throw NodeError(
      .unreadableFile, "there is no \(files.joined(separator: ", ")) in \(folders.root)",
      nearNames: near)
  }

  /// Returns the absolute path of a file whose path is relative to the root.
  func path(of file: String, at location: SourceLocation?) throws(NodeError) -> String {
    try folders.path(of: file, from: NodeFolders.absolute(folders.root), at: location)
  }

  func load(
    path: String, _ variables: [String: String], at location: SourceLocation?
  ) throws(NodeError) -> NodeFile {
    var reader = NodeExpansion(files: self)
    let (node, version) = try reader.file(path, NodeVariables(values: variables), at: location)
    return NodeFile(path: path, version: version, node: node, notes: reader.notes)
  }

  // MARK: - One file

  /// The values of a file as they are written.
  func raw(_ path: String, at location: SourceLocation?) throws(NodeError) -> NodeValue {
    let format = try NodeFileFormat(of: path, at: location)
    let stamp = FileStamp(of: path)
    if let stamp, let kept = cache.withLock({ $0[path] }), kept.stamp == stamp { return kept.value }
    let value: NodeValue
    do throws(DocumentError) {
      value = try format.parse(
        DocumentFile.bytes(of: path, limits: limits), file: path, limits: limits)
    } catch {
      let place = error.location ?? location
      throw NodeError(.unreadableFile, error.message, at: place, nearNames: neighbours(of: path))
    }
    if let stamp, stamp.isSettled { cache.withLock { $0[path] = (stamp, value) } }
    return value
  }

  /// The files in the folder whose names may have been meant.
  private func neighbours(of path: String) -> [String] {
    guard access(path, F_OK) != 0, let folder = opendir(folder(of: path)) else { return [] }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder), names.count < 10_000 {
      names.append(
        withUnsafePointer(to: &entry.pointee.d_name) { pointer in
          pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        })
    }
    let name = path.split(separator: "/").last.map(String.init) ?? ""
    return nearNames(to: name, among: names.filter { $0 != name })
  }
}

/// A node file with everything that it includes.
public struct NodeFile: Sendable {
  /// The path of the file.
  public let path: String
  /// The version that the file states, in its node or beside it.
  public let version: String?
  /// The node, with includes and variables replaced.
  public let node: NodeValue
  /// Notes about the file: parts of includes that were left out.
  public let notes: [DocumentNote]
}
