internal import OxbowCoreData
internal import OxbowDocuments
internal import OxbowFoundation

/// How a model compares with the version hashes that a store of Core Data has.
package struct CoreDataComparison: Sendable {
  /// The entities with equal hashes.
  package var equal: [String] = []

  /// The entities with other hashes.
  package var different: [String] = []

  /// The entities whose hashes cannot be computed.
  package var unknown: [String] = []

  package var onlyInModel: [String] = []
  package var onlyInStore: [String] = []

  /// Whether the model is that of the store, as far as hashes say.
  package var fits: Bool { differences == 0 }

  var differences: Int { different.count + onlyInModel.count + onlyInStore.count }

  package init(_ hashes: CoreDataHashes, stored: [String: [UInt8]]) {
    let names = Set(hashes.values.keys).union(hashes.unknown)
    for name in names.union(stored.keys).sorted() {
      switch (hashes.values[name], stored[name]) {
      case (let computed?, let hash?) where computed == hash: equal.append(name)
      case (_?, _?): different.append(name)
      case (nil, _?) where names.contains(name): unknown.append(name)
      case (nil, _?): onlyInStore.append(name)
      default: onlyInModel.append(name)
      }
    }
  }

  /// What differs, in words.
  package var texts: [String] {
    [
      ("differ", different), ("only in the model", onlyInModel), ("only in the store", onlyInStore),
    ].filter { !$0.1.isEmpty }.map { "\($0.0): \($0.1.joined(separator: ", "))" }
  }
}

extension ModelDocument {
  /// A version of a model, with what distinguishes it from others.
  package typealias Fitting = (document: ModelDocument, comparison: CoreDataComparison)

  /// The version of the model at `path` that a store was written for, by the version hashes that
  /// the store has, by entity.
  ///
  /// Of several with the same hashes, which differ in what no store depends on, it is the current
  /// one or the first. Of several whose hashes are partly unknown, it is one that says what the
  /// model in the store says, if the store keeps that.
  ///
  /// - Throws: ``PersistenceError`` with code `modelMismatch`, which says what differs in the
  ///   nearest version, or which versions it may be; `invalidModel` if no version can be read.
  package static func version(
    of path: String, fitting stored: [String: [UInt8]],
    kept: @autoclosure () -> ManagedObjectModel? = nil
  ) throws(PersistenceError) -> Fitting {
    let versions = try ModelVersions.list(at: path)
    var candidates: [Fitting] = []
    var failure: PersistenceError?
    for version in versions {
      do throws(PersistenceError) {
        let document = try ModelDocument(contentsOf: version.path)
        let hashes = try CoreDataHashes(of: document, recorded: document.recordedHashes())
        candidates.append((document, CoreDataComparison(hashes, stored: stored)))
      } catch { failure = error }
    }
    let current = try? ModelVersions(of: path).current.name
    let fitting = candidates.filter { $0.comparison.fits }
    let known = fitting.filter(\.comparison.unknown.isEmpty)
    func preferred(_ list: [Fitting]) -> Fitting? {
      list.first { $0.document.versionName == current } ?? list.first
    }
    if let found = preferred(known) { return found }
    if let found = preferred(fitting) {
      func equals(_ model: ManagedObjectModel) -> (Fitting) -> Bool {
        { $0.document.model.isRead(like: model) }
      }
      if fitting.allSatisfy(equals(found.document.model)) { return found }
      if let found = kept().flatMap({ preferred(fitting.filter(equals($0))) }) { return found }
      throw .ambiguous(path, fitting.map(\.document.versionName), found.comparison.unknown)
    }
    guard
      let nearest = candidates.min(by: { $0.comparison.differences < $1.comparison.differences })
    else { throw failure ?? PersistenceError(.invalidModel, "the model '\(path)' has no version") }
    throw .unfitting(path, nearest, count: candidates.count)
  }

  /// The hashes that a folder of compiled models has for this version; none for another document.
  package func recordedHashes() throws(PersistenceError) -> [String: [UInt8]] {
    guard path.hasSuffix(".mom"), let end = path.lastIndex(of: "/"),
      let info = try VersionInfo.inFolder(String(path[..<end]))
    else { return [:] }
    return info.hashes[versionName] ?? [:]
  }
}

extension VersionInfo {
  /// What a folder of compiled models says of its versions, if it does.
  static func inFolder(_ folder: String) throws(PersistenceError) -> VersionInfo? {
    let file = "\(folder)/VersionInfo.plist"
    guard FileManager.default.fileExists(atPath: file) else { return nil }
    return try PersistenceError.ofModel { () throws(DocumentError) in
      try VersionInfo(DocumentFile.bytes(of: file), file: file)
    }
  }
}

extension PersistenceError {
  fileprivate static func ambiguous(
    _ path: String, _ versions: [String], _ unknown: [String]
  ) -> PersistenceError {
    PersistenceError(
      .modelMismatch,
      "the store may have been written for any of these versions of '\(path)': "
        + "\(listed(versions)); the version hashes of \(listed(unknown)) cannot be computed, and "
        + "all others are equal; give the path of one version, or the model as Xcode compiled it (a "
        + ".momd folder)")
  }

  fileprivate static func unfitting(
    _ path: String, _ nearest: ModelDocument.Fitting, count: Int
  ) -> PersistenceError {
    let versions =
      count == 1 ? "the model '\(path)' is not" : "none of the \(count) versions of '\(path)' is"
    return PersistenceError(
      .modelMismatch,
      "\(versions) the one that the store was written for: the version hashes of its entities are "
        + "others; give the version of the app that wrote the store",
      details: [
        Detail(label: "nearest version", text: nearest.document.versionName)
      ] + nearest.comparison.texts.map { Detail(label: "entities", text: $0) })
  }
}
