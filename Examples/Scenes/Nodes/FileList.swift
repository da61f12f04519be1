import Foundation
import Oxbow
import OxbowNodes

/// `FileList`: the files of the store, of which as many are read as are seen.
///
/// Posts `file.selected` when another file is selected, and `files.starred` when a star was saved.
@Component final class FileList: ViewNode, Drawable {
  private let shelf: FileShelf
  private var order = FileOrder.name
  private var count = 0
  private var top = 0
  private var selected = 0
  private var rows: [FileRow] = []

  init(shelf: FileShelf) {
    self.shelf = shelf
    super.init()
  }

  override class var functions: [NodeFunction] {
    super.functions + [
      .function("load", of: FileList.self) { list in { try list.load() } },
      .function("moveBy:", of: FileList.self) { list in
        { (distance: Int) in try list.select(list.selected + distance) }
      },
      .function("turn:", of: FileList.self) { list in
        { (pages: Int) in try list.select(list.selected + pages * list.rowsSeen) }
      },
      .function("first", of: FileList.self) { list in { try list.select(0) } },
      .function("last", of: FileList.self) { list in { try list.select(list.count - 1) } },
      .function("sort", of: FileList.self) { list in { try list.sort() } },
      .function("star", of: FileList.self) { list in { try list.star() } },
    ]
  }

  func draw(on canvas: inout Canvas) {
    let place = count == 0 ? "no files" : "\(selected + 1) of \(count)"
    canvas.fill("Files by \(order.rawValue), \(place)", y: 0, .bold)
    for (index, row) in rows.enumerated() {
      let line = " \(row.isStarred ? "*" : " ") \(row.name)"
      canvas.fill(line, y: index + 1, top + index == selected ? .reversed : .plain)
    }
  }

  // MARK: - Reading

  /// How many files there is room for, below the title.
  private var rowsSeen: Int { max(1, Int(frame.size.height) - 1) }

  /// Reads what is seen, and tells which file is selected.
  private func load() throws {
    count = try shelf.count()
    selected = max(0, min(selected, count - 1))
    top = max(0, min(top, selected, count - rowsSeen), selected - rowsSeen + 1)
    rows = try shelf.rows(order, offset: top, limit: rowsSeen)
    try tell()
  }

  private func select(_ number: Int) throws {
    selected = max(0, min(number, count - 1))
    if (top..<top + rows.count).contains(selected) { try tell() } else { try load() }
  }

  private func sort() throws {
    order = order.next
    selected = 0
    try load()
  }

  private func star() throws {
    guard let row = selectedRow else { return }
    try shelf.toggleStar(row.id)
    try load()
    try post("files.starred")
  }

  private var selectedRow: FileRow? {
    rows.indices.contains(selected - top) ? rows[selected - top] : nil
  }

  private func tell() throws { try post("file.selected", info: selectedRow?.info ?? [:]) }
}

extension FileRow {
  /// The row as what a notification brings along.
  fileprivate var info: NodeValue {
    [
      "name": text(name), "folder": text(folder), "kind": text(kind),
      "size": text("\(size) \(size == 1 ? "byte" : "bytes")"),
      "changed": text(modified.formatted(.iso8601)), "labels": text(labels.joined(separator: ", ")),
    ]
  }

  private func text(_ text: String) -> NodeValue { NodeValue(.text(text)) }
}
