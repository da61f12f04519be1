internal import OxbowDocuments
internal import OxbowFoundation

/// All versions of a model document (`.xcdatamodeld`), to be read, changed and written.
public struct ModelPackage: Sendable {
  /// The versions, sorted by name.
  public var versions: [ModelDocument]

  /// The name of the version that is to be used, without `.xcdatamodel`; `nil` when no file says
  /// so.
  public var currentVersionName: String?

  /// Creates a package of versions, to be written.
  public init(versions: [ModelDocument], currentVersionName: String? = nil) {
    self.versions = versions.sorted { $0.versionName < $1.versionName }
    self.currentVersionName = currentVersionName
  }

  /// Reads every version of an `.xcdatamodeld` folder.
  ///
  /// - Throws: ``PersistenceError`` with the problems of all versions at once.
  public init(contentsOf path: String) throws(PersistenceError) {
    let path = ModelPath.trimmed(path)
    let list = try ModelVersions.list(of: path)
    let marked = try ModelVersions.marked(in: "\(path)/.xccurrentversion", among: list)
    self.init(
      versions: try ModelDocument.read(list.map(\.path)), currentVersionName: marked?.name)
  }

  /// Writes the package: every version, and the file that names the current one.
  ///
  /// What else is in the folder stays as it is, versions that the package does not have included.
  ///
  /// - Throws: ``PersistenceError`` with code `invalidModel` when a version cannot be written or
  ///   the package does not have the current version, `ioFailure` when a file cannot be written.
  public func write(to path: String) throws(PersistenceError) {
    let path = ModelPath.trimmed(path)
    try checkCurrentVersion()
    for version in versions {
      try version.write(to: "\(path)/\(version.versionName).xcdatamodel")
    }
    guard let name = currentVersionName else { return }
    try TextFile.write(try Self.mark("\(name).xcdatamodel"), to: "\(path)/.xccurrentversion")
  }

  private func checkCurrentVersion() throws(PersistenceError) {
    let names = versions.map(\.versionName)
    guard let name = currentVersionName, !names.contains(name) else { return }
    throw PersistenceError(
      .invalidModel, "the current version '\(name)' is not among those of the model",
      nearNames: PersistenceError.nearNames(to: name, among: names))
  }

  /// The property list that names the current version, as Xcode writes it.
  private static func mark(_ name: String) throws(PersistenceError) -> String {
    try PersistenceError.ofModel("the version cannot be named") { () throws(DocumentError) in
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" \
      "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <plist version="1.0">
      <dict>
      \t<key>_XCCurrentVersionName</key>
      \t<string>\(try XMLWriter.escaped(name))</string>
      </dict>
      </plist>

      """
    }
  }
}
