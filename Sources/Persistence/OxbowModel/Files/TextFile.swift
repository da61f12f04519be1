package import OxbowFoundation

/// Writes files and folders; what fails says why the system refused it.
package enum TextFile {
  /// Writes a file whole, or leaves what is at its path.
  package static func write(_ text: String, to path: String) throws(PersistenceError) {
    do {
      try Data(text.utf8).write(to: URL(filePath: path), options: .atomic)
    } catch {
      throw PersistenceError(.ioFailure, "'\(path)' cannot be written" + reason(error))
    }
  }

  /// Makes a folder; with its parents, one that exists already is left as it is.
  package static func makeFolder(
    _ path: String, withParents: Bool = true, attributes: [FileAttributeKey: Any]? = nil
  ) throws(PersistenceError) {
    do {
      try FileManager.default.createDirectory(
        atPath: path, withIntermediateDirectories: withParents, attributes: attributes)
    } catch {
      throw PersistenceError(.ioFailure, "the folder '\(path)' cannot be made" + reason(error))
    }
  }

  /// The system's reason for an error, after a colon; empty if it gives none.
  private static func reason(_ error: any Error) -> String {
    let system = (error as? CocoaError)?.userInfo["NSUnderlyingError"] as? POSIXError
    guard let number = (error as? POSIXError ?? system)?.code.rawValue else { return "" }
    return strerror(number).map { ": " + String(cString: $0) } ?? ""
  }
}
