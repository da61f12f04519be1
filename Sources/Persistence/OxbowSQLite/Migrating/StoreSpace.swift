internal import OxbowFoundation

/// How large a store is, and how much room there is beside it.
package struct StoreSpace: Hashable, Sendable {
  /// The bytes of the file; 0 when there is none.
  package var bytes: Int

  package var logBytes: Int

  /// The bytes that are free for this user on the file system of the store's folder; `nil` when the
  /// system does not say.
  package var freeBytes: Int?

  package init(bytes: Int, logBytes: Int, freeBytes: Int?) {
    (self.bytes, self.logBytes, self.freeBytes) = (bytes, logBytes, freeBytes)
  }

  /// Looks at the store at a path; opens nothing.
  package init(path: String) {
    let path = System.realPath(path)
    bytes = System.size(path) ?? 0
    logBytes = System.size(path + "-wal") ?? 0
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    var status = statvfs()
    guard statvfs(folder, &status) == 0 else { return }
    // A file system without an end says that it has all bytes that there can be.
    let (free, overflows) = UInt64(status.f_bavail)
      .multipliedReportingOverflow(by: UInt64(status.f_frsize))
    freeBytes = overflows ? .max : Int(clamping: free)
  }
}
