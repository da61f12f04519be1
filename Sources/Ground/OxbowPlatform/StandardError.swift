internal import OxbowFoundation

/// Writes `text` and a line end to standard error, in one piece.
package func writeToStandardError(_ text: String) {
  var bytes = Array((text + "\n").utf8)[...]
  while !bytes.isEmpty {
    let written = bytes.withUnsafeBytes { write(2, $0.baseAddress, $0.count) }
    guard written > 0 else { return }
    bytes = bytes.dropFirst(written)
  }
}
