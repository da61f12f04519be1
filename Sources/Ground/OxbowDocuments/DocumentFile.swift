internal import OxbowFoundation

/// Reading the bytes of a document within its size limit.
package enum DocumentFile {
  /// Returns the bytes of a file, without ever reading more than the limit and one block.
  package static func bytes(
    of path: String, limits: DocumentLimits = .default
  ) throws(DocumentError) -> [UInt8] {
    guard let file = fopen(path, "rb") else { throw unreadable(path, errno) }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = fread(&block, 1, block.count, file)
      bytes.append(contentsOf: block[..<count])
      if count < block.count {
        if ferror(file) != 0 { throw unreadable(path, errno) }
        return bytes
      }
      if bytes.count > limits.maximumBytes { throw tooLarge(path, limits) }
    }
  }

  /// Returns the first bytes of a file; fewer if it is shorter, none if it cannot be read.
  package static func beginning(of path: String, count: Int) -> [UInt8] {
    guard let file = fopen(path, "rb") else { return [] }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: count)
    let read = fread(&bytes, 1, count, file)
    return Array(bytes[..<read])
  }

  /// Refuses a document with too many bytes.
  static func check(_ count: Int, of file: String, _ limits: DocumentLimits) throws(DocumentError) {
    guard count <= limits.maximumBytes else { throw tooLarge(file, limits) }
    guard count <= most else {
      throw DocumentError(
        message: "\"\(file)\" is larger than \(most) bytes, the most that any document can have",
        location: nil)
    }
  }

  /// The largest document whose offsets fit their numbers in a tree.
  private static let most = Int(Int32.max)

  private static func tooLarge(_ file: String, _ limits: DocumentLimits) -> DocumentError {
    DocumentError(
      message: "\"\(file)\" is larger than \(limits.maximumBytes) bytes, the limit for a document;"
        + " raise DocumentLimits.maximumBytes to read it",
      location: nil)
  }

  static func unreadable(_ path: String, _ code: Int32) -> DocumentError {
    DocumentError(message: "cannot read \"\(path)\": \(reason(code))", location: nil)
  }

  static func unwritable(_ path: String, _ code: Int32) -> DocumentError {
    DocumentError(message: "cannot write \"\(path)\": \(reason(code))", location: nil)
  }

  private static func reason(_ code: Int32) -> String {
    strerror(code).map { String(cString: $0) } ?? "error \(code)"
  }
}
