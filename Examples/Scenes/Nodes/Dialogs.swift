import OxbowNodes
import Synchronization

/// Shows alerts in front of everything, and takes the keys as long as there is one.
///
/// It presents alerts and is, as the `eventHandler` of the window, what runs around its events.
final class Dialogs: AlertPresenting, NodeEventHandling {
  /// What is shown, and what is done with the answer.
  struct Dialog: Sendable {
    let text: String
    let buttons: [NodeAlert.Button]
    let answer: @Sendable (String) -> Void
  }

  private let open = Mutex<[Dialog]>([])

  /// What is seen: one at a time.
  var current: Dialog? { open.withLock { $0.first } }

  func present(_ alert: NodeAlert, answer: @escaping @Sendable (String) -> Void) {
    let text = [alert.title, alert.message].compactMap { $0 }.joined(separator: "\n")
    show(Dialog(text: text, buttons: alert.buttons, answer: answer))
  }

  /// Shows what went wrong.
  func show(_ error: NodeError) {
    show(Dialog(text: "\(cause(of: error))\n\nPress any key.", buttons: [], answer: { _ in }))
  }

  private func show(_ dialog: Dialog) { open.withLock { $0.append(dialog) } }

  /// Enter chooses the first button, any other key the last one.
  func handle(_ event: NodeEvent, of node: Node, next: () throws -> Bool) throws -> Bool {
    guard event.name.hasPrefix("key."), event.name != "key.ctrl-c",
      let dialog = open.withLock({ $0.isEmpty ? nil : $0.removeFirst() })
    else { return try next() }
    let buttons = dialog.buttons
    if let button = event.name == "key.enter" ? buttons.first : buttons.last {
      dialog.answer(button.event)
    }
    return true
  }
}

extension Canvas {
  /// Draws a dialog in the middle of an area.
  mutating func draw(_ dialog: Dialogs.Dialog, in outer: CellRect) {
    let room = max(1, outer.width - 4)
    var lines = dialog.text.split(separator: "\n", omittingEmptySubsequences: false)
      .flatMap { Self.pieces(of: $0, room) }
    if !dialog.buttons.isEmpty {
      lines += ["", dialog.buttons.map { "[ \($0.title) ]" }.joined(separator: "  ")]
    }
    let width = (lines.map(\.cellCount).max() ?? 0) + 4
    area = CellRect(
      x: (outer.width - width) / 2, y: max(0, (outer.height - lines.count - 2) / 2), width: width,
      height: lines.count + 2)
    clip = area.intersection(outer)
    for (y, line) in ([""] + lines + [""]).enumerated() { fill("  " + line, y: y, .reversed) }
  }

  /// A line in pieces for which there is room.
  private static func pieces(of line: Substring, _ room: Int) -> [String] {
    var pieces = [""]
    for character in line {
      if (pieces.last ?? "").cellCount + character.cellCount > room { pieces.append("") }
      pieces[pieces.count - 1].append(character)
    }
    return pieces
  }
}
