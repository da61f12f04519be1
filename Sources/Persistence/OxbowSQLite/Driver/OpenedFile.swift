internal import OxbowFoundation

/// The file of a large value, open for reading until the value ends.
struct OpenedFile: ~Copyable {
  let path: String
  let byteCount: Int
  private let descriptor: Int32

  /// Opens a file; `nil` if it does not exist.
  ///
  /// - Throws: ``ExternalFileError`` for what cannot be read, and for a file that does not have the
  ///   expected number of bytes.
  init?(_ path: String, expecting expected: Int? = nil) throws(ExternalFileError) {
    let (descriptor, failure) = System.openFile(path)
    if failure == System.isMissing { return nil }
    guard failure == 0 else { throw ExternalFileError(path, .unreadable(failure)) }
    let size = System.size(of: descriptor)
    guard let size, size == expected ?? size else {
      System.closeFile(descriptor)
      throw ExternalFileError(
        path, expected.map { .damaged(byteCount: size ?? 0, expected: $0) } ?? .missing)
    }
    self.path = path
    byteCount = size
    self.descriptor = descriptor
  }

  deinit { System.closeFile(descriptor) }

  /// Reads all bytes into memory.
  func read(into start: UnsafeMutableRawPointer?) throws(ExternalFileError) {
    let buffer = UnsafeMutableRawBufferPointer(start: start, count: byteCount)
    let failure = System.readFile(descriptor, into: buffer)
    guard failure == 0 else { throw ExternalFileError(path, .unreadable(failure)) }
  }

  /// The bytes, mapped into memory; `nil` if there is not enough room.
  func map() -> Data? { MappedFiles.map(descriptor, count: byteCount) }

  /// A copy of the bytes.
  func bytes() throws(ExternalFileError) -> [UInt8] {
    var failure: ExternalFileError?
    let bytes = [UInt8](unsafeUninitializedCapacity: byteCount) { buffer, count in
      do throws(ExternalFileError) {
        try read(into: buffer.baseAddress)
        count = byteCount
      } catch { failure = error }
    }
    if let failure { throw failure }
    return bytes
  }
}
