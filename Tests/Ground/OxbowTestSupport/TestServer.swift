#if PostgreSQL
  import Foundation
  import Synchronization

  /// A PostgreSQL server of the tests' own, in a temporary folder, reached by a socket there.
  ///
  /// It ends, and its folder is removed, with this object, or a moment after this process.
  package final class TestServer: Sendable {
    /// The server that tests share; `nil` where the machine has none, which is said once and
    /// loudly.
    package static let shared: TestServer? = {
      if let server = TestServer() { return server }
      say(
        "Tests of stores on servers: NOT RUN, because no PostgreSQL server was found or started; "
          + "Scripts/setup installs one, and OXBOW_REQUIRE_POSTGRES=1 makes this a failure")
      return nil
    }()

    /// How a server differs from the shared one.
    package struct Setup: Sendable {
      /// Lines of `postgresql.conf`.
      package var settings: [String] = []

      /// Lines of `pg_hba.conf`, in place of those that trust all.
      package var access: [String] = []

      /// Whether it is reached by TCP, too.
      package var isOnNetwork = false

      /// Whether it has TLS, with a certificate of its own for another host's name.
      package var hasTLS = false

      /// The size of a disk in the folder `disk`.
      package var disk: String?

      /// The language of its messages; English where the machine does not have it.
      package var language: String?

      package init() {}

      fileprivate func environment(_ port: Int) -> [String] {
        let network = isOnNetwork ? ["listen_addresses = '127.0.0.1'"] : []
        // The locale "C" has no language but its own.
        let messages = language.map { _ in ["lc_messages = 'C.UTF-8'"] } ?? []
        var words = [
          "OXBOW_SERVER_SETTINGS="
            + (["port = \(port)"] + network + messages + settings).joined(separator: "\n"),
          "OXBOW_SERVER_ACCESS=" + access.joined(separator: "\n"),
        ]
        if hasTLS { words.append("OXBOW_SERVER_TLS=1") }
        if let disk { words.append("OXBOW_SERVER_DISK=\(disk)") }
        if let language { words.append("LANGUAGE=\(language)") }
        return words
      }
    }

    package let folder: String
    package let port: Int
    private static let schemas = Atomic(0)

    /// Makes a server and starts it; `nil` where that is not possible.
    package convenience init?(_ setup: Setup = Setup()) {
      self.init(setup.isOnNetwork ? Self.freePort() : 5432, setup, "start")
    }

    /// Makes a replica of a server that is on no network.
    package convenience init?(replicaOf primary: TestServer) {
      self.init(primary.port, Setup(), "replica", primary.folder)
    }

    private init?(_ port: Int?, _ setup: Setup, _ command: String, _ arguments: String...) {
      var name = Array("/tmp/oxpg.XXXXXX".utf8CString)
      guard let port, mkdtemp(&name) != nil else { return nil }
      folder = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
      self.port = port
      let words = [command, folder, "\(getpid())"] + arguments
      guard Self.run(Self.script + words, setup.environment(port)) else { return nil }
    }

    deinit { control("remove") }

    /// How clients reach it.
    package var connection: String { "host=\(folder) port=\(port) user=oxbow dbname=postgres" }

    /// The name of a schema that no other test has.
    package func newSchema() -> String {
      "test \(Self.schemas.add(1, ordering: .relaxed).newValue)"
    }

    /// What the server has written of itself.
    package var log: String {
      (try? String(contentsOf: URL(filePath: folder + "/log"), encoding: .utf8)) ?? ""
    }

    /// Says something that must not be overlooked.
    package static func say(_ words: String) {
      FileHandle.standardError.write(Data("\n***** \(words) *****\n\n".utf8))
    }

    private static func freePort() -> Int? {
      let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      defer { close(socket) }
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_addr.s_addr = inet_addr("127.0.0.1")
      var length = socklen_t(MemoryLayout<sockaddr_in>.size)
      let isBound = withUnsafeMutablePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          bind(socket, $0, length) == 0 && getsockname(socket, $0, &length) == 0
        }
      }
      return isBound ? Int(UInt16(bigEndian: address.sin_port)) : nil
    }
  }

  // MARK: - What happens to it

  extension TestServer {
    private static let script = ["bash", PackageFolder.path("Scripts/server")]

    @discardableResult
    private func control(_ command: String) -> Bool { Self.run(Self.script + [command, folder]) }

    /// Ends the server as a crash would; returns when all of it has ended.
    package func crash() { control("crash") }
    package func stop() { control("stop") }
    package func restart() -> Bool { control("restart") }

    /// Makes a primary server of a replica.
    package func promote() -> Bool { control("promote") }

    /// Keeps all of it from running, as a host does that has vanished: nothing is closed.
    package func freeze() { control("freeze") }
    package func thaw() { control("thaw") }

    /// Runs SQL as another program would, and returns what it gives.
    @discardableResult
    package func sql(_ text: String) -> String {
      let file = "\(folder)/\(UUID().uuidString)"
      defer { try? FileManager.default.removeItem(atPath: file) }
      let script = "psql -X -q -A -t -h $0 -p $1 -U oxbow -d postgres -f - <<<$2 >$3"
      _ = Self.run(["bash", "-c", script, folder, "\(port)", text, file])
      let answer = (try? String(contentsOf: URL(filePath: file), encoding: .utf8)) ?? ""
      return answer.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Waits until a query gives something else than `f`, 0 or nothing: on this thread, so that no
    /// other test takes it while this one's threads are at work.
    package func wait(until query: String) {
      while !becomes(query) {}
    }

    /// Whether a query gives something else than `f`, 0 or nothing, now or in the next second; the
    /// server asks itself, since each question from here is a process.
    package func becomes(_ query: String) -> Bool {
      let isThere = "coalesce((\(query))::text, '') NOT IN ('f', 'false', '0', '')"
      let answer = sql(
        """
        DO $wait$ BEGIN
          FOR round IN 1..50 LOOP
            EXIT WHEN \(isThere);
            PERFORM pg_sleep(0.02);
            PERFORM pg_stat_clear_snapshot();
          END LOOP;
        END $wait$;
        SELECT \(isThere);
        """)
      return answer.hasSuffix("t")
    }

    /// Waits until the server has written some words of itself.
    package func wait(untilLogHas words: String) {
      while !log.contains(words) { sql("SELECT pg_sleep(0.05)") }
    }

    private static func run(_ command: [String], _ environment: [String] = []) -> Bool {
      // `Process` would wait for the server, which inherits what it watches.
      let words =
        ["env"] + environment + ["bash", "-c", "exec \"$@\" </dev/null >/dev/null 2>&1", "run"]
        + command
      let copies = words.map { strdup($0) } + [nil]
      defer { for copy in copies { free(copy) } }
      var process: pid_t = 0
      guard posix_spawnp(&process, "env", nil, nil, copies, environ) == 0 else { return false }
      var status: Int32 = 0
      while waitpid(process, &status, 0) == -1 && errno == EINTR {}
      return status == 0
    }
  }

  /// Another program, which holds what its statements lock until it ends.
  package final class OtherProgram {
    private let process = Process()
    private let input = Pipe()

    /// Runs SQL in a transaction that stays open.
    ///
    /// - Throws: `CancellationError` when the server lets it run none.
    package init(_ sql: String, on server: TestServer) throws {
      let done = "\(server.folder)/\(UUID().uuidString)"
      mkfifo(done, 0o600)
      defer { unlink(done) }
      process.executableURL = URL(filePath: "/usr/bin/env")
      process.arguments = [
        "bash", "-c", "psql -X -q -h $0 -p $1 -U oxbow -d postgres; [ ! -p $2 ] || echo end >$2",
        server.folder, "\(server.port)", done,
      ]
      process.standardInput = input
      process.standardOutput = FileHandle.nullDevice
      process.standardError = FileHandle.nullDevice
      try process.run()
      let words = "BEGIN;\n\(sql);\n\\! echo done > '\(done)'\n"
      try? input.fileHandleForWriting.write(contentsOf: Data(words.utf8))
      let answer = try FileHandle(forReadingFrom: URL(filePath: done)).readToEnd()
      guard answer == Data("done\n".utf8) else { throw CancellationError() }
    }

    deinit { end() }

    /// Ends it, and its transaction with nothing changed.
    package func end() {
      try? input.fileHandleForWriting.close()
      process.waitUntilExit()
    }
  }
#endif
