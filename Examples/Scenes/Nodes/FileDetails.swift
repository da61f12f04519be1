import Oxbow
import OxbowNodes

/// `FileDetails`: what is known about the file of the last `file.selected`.
@Component final class FileDetails: ViewNode, Drawable {
  private static let names = ["name", "folder", "size", "changed", "labels"]

  private let shelf: FileShelf
  private var lines: [String] = []

  init(shelf: FileShelf) {
    self.shelf = shelf
    super.init()
    observe("file.selected") { [unowned self] in try show($0.info) }
  }

  private func show(_ file: NodeValue) throws {
    lines = Self.names.compactMap { name in
      guard let text = file[name]?.text, !text.isEmpty else { return nil }
      return name.padding(to: 8) + text
    }
    guard let kind = file["kind"]?.text, let totals = try shelf.totals(ofKind: kind) else { return }
    let count = totals.files == 1 ? "1 file" : "\(totals.files) files"
    lines.append("kind    \(kind.isEmpty ? "(none)" : kind): \(count), \(totals.bytes) bytes")
  }

  func draw(on canvas: inout Canvas) {
    for y in 0..<canvas.area.height { canvas.write("│", y: y) }
    for (y, line) in lines.enumerated() { canvas.write(line, x: 2, y: y) }
  }
}

extension String {
  fileprivate func padding(to count: Int) -> String {
    self + String(repeating: " ", count: max(1, count - self.count))
  }
}
