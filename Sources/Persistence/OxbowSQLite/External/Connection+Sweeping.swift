internal import OxbowModel
internal import OxbowRelational

// Compaction and the check look at each cell, each row of the table of files, and each name in the
// folder.

extension Connection {
  /// Makes the table of files right, and removes files that neither a cell nor a reader needs; on
  /// the connection that writes.
  func sweepFiles() throws {
    guard let folder = externalFolder, try hasFiles() else { return }
    try settleAbandonedFiles()
    try transaction(.write) { try FileReconciliation(self).apply() }
    settleFiles()
    try removeDiscardedFiles()
    try transaction(.write) {
      let listed = try listedFiles()
      for name in folder.names where listed[name] == nil { folder.remove(name) }
    }
  }

  /// Problems of the files of a store, one sentence each, at most `limit`.
  ///
  /// `names` are the files of the folder from before the transaction: later ones may have no row in
  /// its snapshot.
  func fileFindings(_ names: [String], limit: Int) throws -> [String] {
    guard let folder = externalFolder, try hasFiles() else { return [] }
    let found = try FileReconciliation(self)
    var findings = found.listed.sorted { $0.key < $1.key }.compactMap { name, file -> String? in
      guard !file.isDiscarded else { return nil }
      return folder.problem(of: FileReference(name: name, byteCount: file.byteCount))?.finding
    }
    for (column, references) in found.unlisted.sorted(by: { $0.key.table < $1.key.table }) {
      let problems = references.compactMap { folder.problem(of: $0)?.finding }
      findings += problems
      guard problems.count < references.count else { continue }
      findings.append(
        "\(references.count - problems.count) values of '\(column.column)' in '\(column.table)' are "
          + "in files that '\(FilesTable.table.name)' does not have; compacting adds them")
    }
    let orphans = names.filter {
      found.listed[$0] == nil && !found.referred.contains($0) && folder.has($0)
    }
    if !orphans.isEmpty {
      findings.append(
        "\(orphans.count) files in '\(folder.path)' belong to no value; compacting removes them")
    }
    let unreferred = found.unreferred.count
    if unreferred > 0 {
      findings.append(
        "\(unreferred) files of '\(FilesTable.table.name)' belong to no value; compacting removes them"
      )
    }
    return Array(findings.prefix(limit))
  }
}
