#if PostgreSQL
  import Foundation
  import Synchronization

  /// A PostgreSQL server of the tests' own, in a temporary folder, reached by a socket there.
  ///
  /// It ends, and its folder goes, a moment after this process has ended.
  package final class TestServer: Sendable {
    /// The server that tests share; `nil` where the machine has none, which is said once and
    /// loudly.
    package static let shared: TestServer? = {
      if let server = TestServer() { return server }
      FileHandle.standardError.write(
        Data(
          """

          ***** Tests of stores on servers: NOT RUN, because no PostgreSQL server was found or started; \
          Scripts/setup installs one, and OXBOW_REQUIRE_POSTGRES=1 makes this a failure *****

          """.utf8))
      return nil
    }()

    package let folder: String
    private static let schemas = Atomic(0)

    package init?() {
      var name = Array("/tmp/oxpg.XXXXXX".utf8CString)
      guard mkdtemp(&name) != nil else { return nil }
      folder = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
      guard Self.run(Self.start, [folder, "\(getpid())"]) else { return nil }
    }

    /// How clients reach it.
    package var connection: String { "host=\(folder) port=5432 user=oxbow dbname=postgres" }

    /// The name of a schema that no other test has.
    package func newSchema() -> String {
      "test \(Self.schemas.add(1, ordering: .relaxed).newValue)"
    }

    /// What the server has written of itself.
    package var log: String {
      (try? String(contentsOf: URL(filePath: folder + "/log"), encoding: .utf8)) ?? ""
    }

    /// Ends the server as a crash would, and starts it again.
    package func crash() {
      _ = Self.run(
        Self.control + "as kill -9 $(head -1 $1/data/postmaster.pid); sleep 0.3", [folder])
    }
    package func restart() -> Bool {
      // What the crash has left behind ends in its own time.
      let attempts =
        "for i in $(seq 40); do if start \"$1\"; then exit 0; fi; sleep 0.3; done; exit 1"
      return Self.run(Self.control + attempts, [folder])
    }

    /// Runs SQL as another program would, and returns what it gives.
    @discardableResult
    package func sql(_ text: String) -> String {
      let file = "\(folder)/\(UUID().uuidString)"
      let script = "psql -X -q -A -t -h $1 -U oxbow -d postgres -f - <<<$2 >$3"
      _ = Self.run(script, [folder, text, file])
      let answer = (try? String(contentsOf: URL(filePath: file), encoding: .utf8)) ?? ""
      return answer.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    private static func run(_ script: String, _ arguments: [String]) -> Bool {
      // `Process` would wait for the server, which inherits what it watches.
      let words =
        ["bash", "-c", "exec </dev/null >/dev/null 2>&1; " + script, "server"] + arguments
      let copies = words.map { strdup($0) } + [nil]
      defer { for copy in copies { free(copy) } }
      var process: pid_t = 0
      guard posix_spawn(&process, "/bin/bash", nil, nil, copies, environ) == 0 else { return false }
      var status: Int32 = 0
      while waitpid(process, &status, 0) == -1 && errno == EINTR {}
      return status == 0
    }

    /// Finds the programs; the server refuses to run as root.
    private static let control = """
      set -u
      bin=$(ls -d /usr/lib/postgresql/*/bin /usr/local/pgsql/bin 2>/dev/null | sort -V | tail -n 1)
      [ -x "$bin/initdb" ] || bin=$(dirname "$(command -v initdb || echo /none/initdb)")
      [ -x "$bin/initdb" ] || exit 1
      as() {
        if [ "$(id -u)" = 0 ]; then
          setpriv --reuid=nobody --regid="$(id -g nobody)" --clear-groups "$@"
        else "$@"; fi
      }
      start() { as "$bin/pg_ctl" -D "$1/data" -l "$1/log" -w start; }
      cd "$1"

      """

    private static let start =
      control + """
        chmod 755 "$1"
        if [ "$(id -u)" = 0 ]; then chown nobody "$1"; fi
        as "$bin/initdb" -D "$1/data" -A trust -N -U oxbow --locale=C --encoding=UTF8 || exit 1
        as tee -a "$1/data/postgresql.conf" <<E
        listen_addresses = ''
        unix_socket_directories = '$1'
        fsync = off
        synchronous_commit = on
        full_page_writes = off
        shared_buffers = 32MB
        max_connections = 200
        autovacuum = off
        deadlock_timeout = 100ms
        E
        start "$1" || exit 1
        setsid bash -c '
          while kill -0 "$1" 2>/dev/null; do sleep 1; done
          kill -9 $(head -n 1 "$2/data/postmaster.pid"); sleep 0.3; rm -rf "$2"
        ' watch "$2" "$1" </dev/null >/dev/null 2>&1 &
        exit 0
        """
  }
#endif
