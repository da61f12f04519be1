public import OxbowDocuments
internal import OxbowFoundation
internal import OxbowPlatform

/// Reads node files: property lists and JSON, with `include file="…"` and `${name}`.
///
/// A file is a dictionary with the dictionary `Node`. A text in it that has
/// `include file="other.plist" replace="name: girl" attributes="center: {0, 0}"` stands for the
/// node of the other file: there `${name}` is `girl`, also in the files that it includes, and
/// `center` takes the place of the node's own. Paths begin at the file that names them and stay
/// inside of the folders. Files are kept until they change on the disk.
///
/// Any thread may read.
public final class NodeFiles: Sendable {
  /// The folders that files may name.
  public let folders: NodeFolders
  /// What files may cost; also what one file with all that it includes may.
  public let limits: DocumentLimits
  /// Whether a placeholder without a value is an error; otherwise it stays as it is.
  public let isStrict: Bool

  private struct Stamp: Equatable {
    let seconds: Int
    let nanoseconds: Int
    let size: Int
    let number: UInt64
  }

  private let cache = Lock<[String: (stamp: Stamp, value: NodeValue)]>([:])

  /// Creates a reader.
  ///
  /// - Parameters:
  ///   - folders: The folders that files may name.
  ///   - limits: What files may cost.
  ///   - isStrict: Whether a placeholder without a value is an error.
  public init(_ folders: NodeFolders, limits: DocumentLimits = .default, isStrict: Bool = false) {
    self.folders = folders
    self.limits = limits
    self.isStrict = isStrict
  }

  /// Creates a reader of the files in one folder.
  ///
  /// - Parameters:
  ///   - root: The folder.
  ///   - isStrict: Whether a placeholder without a value is an error.
  public convenience init(root: String, isStrict: Bool = false) {
    self.init(NodeFolders(root: root), isStrict: isStrict)
  }

  /// Reads a file and what it includes.
  ///
  /// - Parameters:
  ///   - file: Its path from the root.
  ///   - variables: What `${name}` stands for.
  /// - Returns: The file.
  /// - Throws: ``NodeError`` with the place of what is wrong.
  public func load(
    _ file: String, replacing variables: [String: String] = [:]
  ) throws(NodeError) -> NodeFile {
    try load(path: path(of: file, at: nil), variables, at: nil)
  }

  /// The file of the root that has a name with the extension of a node file.
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

  /// The absolute path of a file that is named from the root.
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

  /// The values of a file as they stand there.
  func raw(_ path: String, at location: SourceLocation?) throws(NodeError) -> NodeValue {
    let format = try NodeFileFormat(of: path, at: location)
    let stamp = Self.stamp(path)
    if let stamp, let kept = cache.withLock({ $0[path] }), kept.stamp == stamp { return kept.value }
    let value: NodeValue
    do throws(DocumentError) {
      value = try format.parse(
        DocumentFile.bytes(of: path, limits: limits), file: path, limits: limits)
    } catch {
      let place = error.location ?? location
      throw NodeError(.unreadableFile, error.message, at: place, nearNames: neighbours(of: path))
    }
    if let stamp { cache.withLock { $0[path] = (stamp, value) } }
    return value
  }

  /// The files of a folder whose names a typo may have meant.
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

  private static func stamp(_ path: String) -> Stamp? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    #if canImport(Darwin)
      let time = status.st_mtimespec
    #else
      let time = status.st_mtim
    #endif
    return Stamp(
      seconds: time.tv_sec, nanoseconds: time.tv_nsec, size: Int(status.st_size),
      number: UInt64(status.st_ino))
  }
}
