internal import OxbowFoundation
internal import OxbowModel
internal import OxbowRelational

/// The program that draws graphs.
enum Graphviz {
  /// Draws a graph that is written in Graphviz' language.
  ///
  /// - Throws: ``PersistenceError``: `unsupported` where the program is not installed, `ioFailure`
  ///   where it fails.
  static func svg(_ dot: String) throws -> String {
    try WrittenFile.withTemporaryFolder("drawing") { folder in
      let file = folder.appending(path: "drawing.dot").path
      try TextFile.write(dot, to: file)
      return try output(of: "dot -Tsvg \(file.shellWord)")
    }
  }

  private static func output(of command: String) throws(PersistenceError) -> String {
    guard let pipe = popen(command, "r") else { throw failed("it cannot be started") }
    var bytes: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = fread(&block, 1, block.count, pipe), count > 0 {
      bytes += block.prefix(count)
    }
    switch pclose(pipe) {
    case 0: return String(decoding: bytes, as: UTF8.self)
    // The shell's answer for a program that is not there.
    case 127 << 8:
      throw PersistenceError(
        .unsupported,
        "SVG is drawn by Graphviz, whose program 'dot' is not installed; install the package "
          + "'graphviz', or give --format dot and draw it elsewhere")
    case let status: throw failed("it ended with status \(status >> 8)")
    }
  }

  private static func failed(_ reason: String) -> PersistenceError {
    PersistenceError(.ioFailure, "Graphviz' program 'dot' drew nothing: \(reason)")
  }
}
