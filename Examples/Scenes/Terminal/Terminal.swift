import Dispatch
import Foundation
import OxbowNodes

/// What comes from a terminal.
enum TerminalInput: Sendable {
  case key(String)
  case resized
  /// The terminal is gone, or somebody wants the program to end.
  case ended(code: Int32)

  /// The event that it is for the window.
  var event: String {
    switch self {
    case .key(let name): "key.\(name)"
    case .resized: "terminal.resized"
    case .ended: "terminal.ended"
    }
  }

  /// What the event brings along.
  var info: NodeValue {
    guard case .ended(let code) = self else { return [:] }
    return ["code": NodeValue(.integer(Int(code)))]
  }
}

/// The terminal of the program, with all of it to draw on, until it is restored.
final class Terminal {
  private var original = termios()
  private var shown: Screen?
  private var signals: [any DispatchSourceSignal] = []

  init() throws {
    guard tcgetattr(STDIN_FILENO, &original) == 0 else { throw Self.failed("read its settings") }
    var raw = original
    cfmakeraw(&raw)
    guard tcsetattr(STDIN_FILENO, TCSADRAIN, &raw) == 0 else { throw Self.failed("set it up") }
    // The other screen, without a cursor.
    try Self.write("\u{1B}[?1049h\u{1B}[?25l")
  }

  /// Gives the terminal back as it was.
  func restore() {
    for source in signals { source.cancel() }
    try? Self.write("\u{1B}[0m\u{1B}[?25h\u{1B}[?1049l")
    tcsetattr(STDIN_FILENO, TCSADRAIN, &original)
  }

  /// How many cells there are.
  static var size: NodeSize {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0
    else { return NodeSize(width: 80, height: 24) }
    return NodeSize(width: Double(size.ws_col), height: Double(size.ws_row))
  }

  /// Shows a picture; only what differs from the last one is written.
  func show(_ picture: Screen) throws {
    try Self.write(picture.changes(from: shown))
    shown = picture
  }

  // MARK: - Input

  /// Begins to listen: to keys on a thread of its own, and to signals.
  func listen(_ send: @escaping @Sendable (TerminalInput) -> Void) {
    on(SIGWINCH) { send(.resized) }
    for number in [SIGINT, SIGTERM, SIGHUP] { on(number) { send(.ended(code: 128 + number)) } }
    // What changed before somebody listened.
    send(.resized)
    let thread = Thread {
      var parser = KeyParser()
      var buffer = [UInt8](repeating: 0, count: 1024)
      while let count = Self.read(&buffer) {
        for key in parser.keys(buffer[..<count]) { send(.key(key)) }
      }
      send(.ended(code: 128 + SIGHUP))
    }
    thread.name = "keys"
    thread.start()
  }

  private func on(_ number: Int32, _ body: @escaping @Sendable () -> Void) {
    #if canImport(Darwin)
      signal(number, SIG_IGN)
    #endif
    let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
    source.setEventHandler(handler: body)
    source.resume()
    signals.append(source)
  }

  /// How many bytes there were; nil at the end.
  private static func read(_ buffer: inout [UInt8]) -> Int? {
    while true {
      let count = Foundation.read(STDIN_FILENO, &buffer, buffer.count)
      if count > 0 { return count }
      if count == 0 || errno != EINTR { return nil }
    }
  }

  // MARK: - Output

  private static func write(_ text: String) throws {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Foundation.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
      if count >= 0 {
        rest = rest.dropFirst(count)
      } else if errno != EINTR {
        throw failed("write to it")
      }
    }
  }

  private static func failed(_ what: String) -> ScenesError {
    ScenesError(description: "the terminal: cannot \(what): \(String(cString: strerror(errno)))")
  }
}
