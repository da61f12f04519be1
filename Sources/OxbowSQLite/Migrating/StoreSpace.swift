#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// How large a store is, and how much room there is beside it.
package struct StoreSpace: Hashable, Sendable {
  /// The bytes of the file; 0 when there is none.
  package var bytes: Int

  /// The bytes of the write-ahead log beside it.
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
    freeBytes =
      statvfs(folder, &status) == 0
      ? Int(clamping: UInt64(status.f_bavail) &* UInt64(status.f_frsize)) : nil
  }
}
