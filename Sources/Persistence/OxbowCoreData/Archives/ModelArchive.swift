package import OxbowDocuments

/// A model that is in an archive: a compiled one (`.mom`, and what a store keeps in
/// `Z_MODELCACHE`), or one of Xcode before version 4 (`elements`).
package struct ModelArchive: Sendable {
  /// The model as the `contents` document that says the same.
  package let document: String

  /// What the archive has and the document does not say.
  package let notes: [DocumentNote]

  /// The limits of an archive: 64 megabytes, two million values.
  package static let limits = DocumentLimits(maximumBytes: 64 << 20, maximumElements: 1 << 21)

  /// Whether a file can be an archive: whether it is a binary property list.
  package static func isArchive(_ bytes: [UInt8]) -> Bool { bytes.starts(with: "bplist".utf8) }

  /// Reads the model of an archive, a property list of either form.
  ///
  /// `file` is the name that locations have; their columns are bytes of a binary list.
  ///
  /// - Throws: `DocumentError`, including for an archive of something else.
  package init(
    _ bytes: [UInt8], file: String, limits: DocumentLimits = Self.limits
  ) throws(DocumentError) {
    let root = try KeyedArchive.root(of: bytes, file: file, limits: limits)
    switch try root.className {
    case "NSManagedObjectModel":
      var reader = CompiledModelReader(root)
      try reader.write()
      (document, notes) = (reader.output.document, reader.output.notes)
    case "XDPMModel":
      var reader = OldModelReader(root)
      try reader.write()
      (document, notes) = (reader.output.document, reader.output.notes)
    case let name:
      throw DocumentError(
        message: "the archive contains \(name.map { "an object of class '\($0)'" } ?? "a value")"
          + " and not a model", location: root.location)
    }
  }

  /// Reads the model that a store keeps, from the compressed bytes of `Z_MODELCACHE`.
  ///
  /// - Throws: `DocumentError`.
  package init(compressed bytes: [UInt8], file: String) throws(DocumentError) {
    try self.init(
      Inflate.bytes(of: bytes, name: file, limit: Self.limits.maximumBytes), file: file)
  }

  /// The bytes of `Z_MODELCACHE` for an archive: a raw deflate stream (RFC 1951) of blocks that are
  /// stored as they are.
  package static func compressed(_ archive: [UInt8]) -> [UInt8] {
    let starts = stride(from: 0, to: max(1, archive.count), by: 0xFFFF)
    return starts.flatMap { start -> [UInt8] in
      let block = archive[start..<min(start + 0xFFFF, archive.count)]
      let (low, high) = (UInt8(block.count & 0xFF), UInt8(block.count >> 8))
      let isLast: UInt8 = block.endIndex == archive.count ? 1 : 0
      return [isLast, low, high, ~low, ~high] + block
    }
  }
}
