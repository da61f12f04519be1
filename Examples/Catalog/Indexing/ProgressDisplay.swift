import Foundation

/// Shows how far an index run is: a bar that is drawn again and again on a terminal, a line now and
/// then elsewhere.
final class ProgressDisplay {
  private let isTerminal: Bool
  private let isQuiet: Bool
  private let interval: TimeInterval
  private let now: () -> Date
  private let write: (String) -> Void
  private(set) var nextUpdate: Date

  private static let width = 24

  init(
    isTerminal: Bool = StandardError.isTerminal, isQuiet: Bool = false,
    now: @escaping () -> Date = { Date() },
    write: @escaping (String) -> Void = StandardError.write
  ) {
    self.isTerminal = isTerminal
    self.isQuiet = isQuiet
    self.now = now
    self.write = write
    interval = isTerminal ? 0.1 : 5
    nextUpdate = now().addingTimeInterval(interval)
  }

  /// Shows a moment of the run, unless the last one was shown just before.
  func show(_ moment: IndexProgress.Snapshot, isWalking: Bool) {
    let time = now()
    guard time >= nextUpdate else { return }
    nextUpdate = time.addingTimeInterval(interval)
    guard !isQuiet else { return }
    write(isTerminal ? "\r\u{1B}[K" + bar(moment, isWalking) : text(moment, isWalking) + "\n")
  }

  /// Removes the bar from the terminal.
  func clear() {
    if isTerminal, !isQuiet { write("\r\u{1B}[K") }
  }

  private func bar(_ moment: IndexProgress.Snapshot, _ isWalking: Bool) -> String {
    let share = Double(moment.foldersDone) / Double(max(moment.foldersFound, 1))
    let filled = min(Self.width, Int(share * Double(Self.width)))
    let bar =
      String(repeating: "#", count: filled) + String(repeating: "-", count: Self.width - filled)
    return "[\(bar)] " + text(moment, isWalking)
  }

  private func text(_ moment: IndexProgress.Snapshot, _ isWalking: Bool) -> String {
    let files = "\(moment.tally.files.present) files, \(ByteCount(moment.tally.bytes))"
    let folders = "\(moment.foldersDone) of \(moment.foldersFound) folders"
    return isWalking ? "\(folders) found so far, \(files)" : "\(folders), \(files)"
  }
}
