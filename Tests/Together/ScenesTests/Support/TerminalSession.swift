#if os(Linux)
  import Foundation

  /// A program in a pseudo-terminal.
  ///
  /// One task uses it; reading happens on a thread of its own, which ends before a wait returns.
  final class TerminalSession: @unchecked Sendable {
    /// How long to wait before a test fails; nothing takes a part of that.
    private static let patience = Duration.seconds(120)

    private let master: Int32
    private let child: pid_t
    private let original: termios
    private var isMasterOpen = true
    private var status: Int32?
    private(set) var screen: TerminalScreen

    /// Starts a program that was built beside the tests.
    init(
      _ program: String, _ arguments: [String] = [], in folder: String, width: Int, height: Int
    ) throws {
      screen = TerminalScreen(width, height)
      master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
      // What `unlockpt` and `ptsname` do, which the system's module does not export.
      var (locked, number): (Int32, Int32) = (0, 0)
      let (lock, getNumber): (UInt, UInt) = (0x4004_5431, 0x8004_5430)
      guard master >= 0, ioctl(master, lock, &locked) == 0, ioctl(master, getNumber, &number) == 0
      else { throw SessionError("there is no pseudo-terminal") }
      original = Self.settings(master)
      Self.setSize(master, width, height)
      child = try Self.spawn(
        Programs.path(of: program), arguments, in: folder, on: "/dev/pts/\(number)")
    }

    deinit {
      if status == nil {
        kill(child, SIGKILL)
        waitpid(child, nil, 0)
      }
      if isMasterOpen { close(master) }
    }

    /// Starts a program as the leader of a session, whose terminal is the first that it opens.
    private static func spawn(
      _ program: String, _ arguments: [String], in folder: String, on terminal: String
    ) throws -> pid_t {
      var actions = posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
      posix_spawn_file_actions_init(&actions)
      posix_spawnattr_init(&attributes)
      defer {
        posix_spawn_file_actions_destroy(&actions)
        posix_spawnattr_destroy(&attributes)
      }
      posix_spawn_file_actions_addopen(&actions, 0, terminal, O_RDWR, 0)
      posix_spawn_file_actions_adddup2(&actions, 0, 1)
      posix_spawn_file_actions_adddup2(&actions, 0, 2)
      // POSIX_SPAWN_SETSID and POSIX_SPAWN_SETSIGMASK: as a shell would start it.
      posix_spawnattr_setflags(&attributes, 0x80 | 0x08)
      var mask = sigset_t()
      sigemptyset(&mask)
      posix_spawnattr_setsigmask(&attributes, &mask)
      // The shell becomes the program once it is in the folder.
      let shell = ["/bin/sh", "-c", "cd \"$0\" && exec \"$@\"", folder, program] + arguments
      var texts: [UnsafeMutablePointer<CChar>?] = shell.map { strdup($0) } + [nil]
      defer { for text in texts { free(text) } }
      var child = pid_t()
      guard posix_spawn(&child, shell[0], &actions, &attributes, &texts, environ) == 0 else {
        throw SessionError("'\(program)' does not start")
      }
      return child
    }

    // MARK: - What the user does

    func type(_ keys: String) {
      let bytes = Array(keys.utf8)
      _ = bytes.withUnsafeBytes { write(master, $0.baseAddress, $0.count) }
    }

    /// Gives the terminal another size, of which the system tells the program by a signal.
    func resize(_ width: Int, _ height: Int) {
      screen.resize(width, height)
      Self.setSize(master, width, height)
    }

    func send(_ signal: Int32) { kill(child, signal) }

    /// Takes the terminal away.
    func hangUp() {
      close(master)
      isMasterOpen = false
    }

    private static func setSize(_ master: Int32, _ width: Int, _ height: Int) {
      var size = winsize()
      (size.ws_col, size.ws_row) = (UInt16(width), UInt16(height))
      _ = ioctl(master, UInt(TIOCSWINSZ), &size)
    }

    // MARK: - What the user sees

    /// Reads until the screen shows what is awaited.
    @discardableResult
    func waits(
      for what: String, _ isShown: @escaping @Sendable (TerminalScreen) -> Bool
    ) async throws -> TerminalScreen {
      try await onThread { [self] in
        let end = ContinuousClock.now + Self.patience
        while !isShown(screen) {
          guard try readMore(until: end) else {
            throw SessionError("\(what): the program ended: \(screen.printed)\n\(screen.text)")
          }
        }
        return screen
      }
    }

    /// Reads until the program has ended; its exit code, or the signal with a minus.
    func exitCode() async throws -> Int32 {
      try await onThread { [self] in
        let end = ContinuousClock.now + Self.patience
        while isMasterOpen, try readMore(until: end) {}
        var status: Int32 = 0
        waitpid(child, &status, 0)
        self.status = status
        return status & 0x7F == 0 ? (status >> 8) & 0xFF : -(status & 0x7F)
      }
    }

    /// Whether the terminal is as the program found it.
    var isRestored: Bool {
      let settings = Self.settings(master)
      return settings.c_lflag == original.c_lflag && settings.c_iflag == original.c_iflag
        && settings.c_oflag == original.c_oflag && !screen.isAlternate && screen.hasCursor
    }

    /// Those of the terminal, which its other end can ask for as well.
    private static func settings(_ master: Int32) -> termios {
      var settings = termios()
      tcgetattr(master, &settings)
      return settings
    }

    /// Reads what there is, or waits for it; false once the program has ended.
    private func readMore(until end: ContinuousClock.Instant) throws -> Bool {
      var poll = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
      let rest = (end - .now) / .milliseconds(1)
      guard Foundation.poll(&poll, 1, Int32(max(0, rest))) > 0 else {
        throw SessionError("nothing came for \(Self.patience); the screen:\n\(screen.text)")
      }
      var buffer = [UInt8](repeating: 0, count: 65_536)
      let count = read(master, &buffer, buffer.count)
      // With the last program that has it open, reading a terminal fails.
      guard count > 0 else { return false }
      screen.apply(buffer[..<count])
      return true
    }
  }

#endif
