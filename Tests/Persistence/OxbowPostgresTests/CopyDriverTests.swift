#if PostgreSQL
  import Foundation
  import OxbowRelational
  import OxbowTestSupport
  import Testing

  @testable import OxbowPostgres

  /// Rows go to a server and come back by COPY, and the connection survives what goes wrong.
  @Suite(.enabled(if: TestServer.shared != nil), .timeLimit(.minutes(30)))
  struct CopyDriverTests {
    let connection: ServerConnection
    let server: TestServer

    init() throws {
      server = try #require(TestServer.shared)
      connection = try ServerConnection(
        ServerAddress(text: server.connection, connectSeconds: 10), Preparing(true))
    }

    /// Makes a temporary table, in a transaction whose first statement that is.
    private func begin(_ columns: String) throws {
      _ = try connection.run([
        .begin, ServerStatement("CREATE TEMPORARY TABLE t (\(columns)) ON COMMIT DROP"),
      ])
    }

    private func send(_ rows: [[SQLValue]], _ columns: String, _ types: [ServerType]) throws {
      var sender = RowSender(connection, into: "t (\(columns))", types)
      do {
        for row in rows { try sender.append(row) }
        try sender.finish()
      } catch {
        sender.cancel()
        throw error
      }
    }

    private func receive(_ query: String, _ types: [ServerType]) throws -> [[SQLValue?]] {
      var rows: [[SQLValue?]] = []
      var reader = CopiedRows(types)
      try connection.receive("COPY (\(query)) TO STDOUT (FORMAT binary)") { message in
        try reader.read(message) { rows.append($0) }
      }
      return rows
    }

    /// Whether the connection takes statements, after a transaction that has failed or not.
    private func expectUsable() throws {
      _ = try connection.run([.rollback])
      #expect(try connection.run("SELECT 7::int8").integer(0, 0) == 7)
    }

    // MARK: Values

    @Test func `values of every type go to the server and come back`() throws {
      let types: [ServerType] = [
        .boolean, .integer16, .integer32, .integer64, .double, .text, .bytes, .uuid, .numeric,
      ]
      let names = types.indices.map { "c\($0)" }.joined(separator: ", ")
      try begin(zip(types.indices, types).map { "c\($0) \($1.name)" }.joined(separator: ", "))
      let uuid = SQLValue.blob((0..<16).map { UInt8($0) })
      let rows: [[SQLValue]] = [
        [
          .integer(1), .integer(-7), .integer(.init(Int32.min)), .integer(.max), .real(-0.5),
          .text("a\u{0}b\u{1}\u{3}ü\u{10FFFF}"), .blob([0, 255, 1]), uuid, .text("-120000.00345"),
        ],
        types.map { _ in .null },
        [
          .integer(0), .integer(0), .integer(0), .integer(.min), .real(-.infinity), .text(""),
          .blob([]), uuid, .text("0"),
        ],
      ]
      try send(rows, names, types)
      let columns = types.indices.map { types[$0] == .numeric ? "c\($0)::text" : "c\($0)" }
      let found = try receive(
        "SELECT \(columns.joined(separator: ", ")) FROM t ORDER BY ctid", types)
      #expect(found.map { $0.map { $0 ?? .text("unfit") } } == rows)
      try expectUsable()
    }

    @Test func `a decimal number is the one that the server reads from its text`() throws {
      let seed = UInt64.random(in: .min ... .max)
      var random = SeededRandom(seed: seed)
      func digits(_ range: ClosedRange<Int>) -> String {
        (0..<Int.random(in: range, using: &random)).map { _ in
          random.chance(40) ? "0" : "\(Int.random(in: 0...9, using: &random))"
        }.joined()
      }
      var texts = ["0", "-0", "0.000", "1", "10000", "9999.9999", "0.0001", "-0.00001", "1.50"]
      for _ in 0..<500 {
        let fraction = digits(0...20)
        texts.append(
          (random.chance(50) ? "-" : "") + "1" + digits(0...18)
            + (fraction.isEmpty ? "" : "." + fraction))
        texts.append("0." + digits(1...30))
      }
      try begin("n int8, v numeric")
      try send(
        texts.enumerated().map { [.integer(Int64($0)), .text($1)] }, "n, v", [.integer64, .numeric])
      let found = try receive("SELECT v::text FROM t ORDER BY n", [.text]).map { $0[0] }
      let literals = texts.enumerated().map { "(\($0), '\($1)'::numeric)" }
      let expected = try receive(
        "SELECT v::text FROM (VALUES \(literals.joined(separator: ", "))) AS x(n, v) ORDER BY n",
        [.text]
      ).map { $0[0] }
      #expect(found == expected, "seed \(seed)")
    }

    @Test func `rows of many megabytes pass by in several copies`() throws {
      try begin("n int8, v bytea")
      let bytes = [UInt8](repeating: 7, count: 512 << 10)
      try send((0..<70).map { [.integer($0), .blob(bytes)] }, "n, v", [.integer64, .bytes])
      #expect(
        try receive("SELECT count(*), sum(length(v))::int8 FROM t", [.integer64, .integer64])
          == [[.integer(70), .integer(Int64(70 * bytes.count))]])
    }

    @Test func `copies and statements take turns on a connection`() throws {
      try begin("n int8")
      for round in 1...3 {
        try send([[.integer(Int64(round))]], "n", [.integer64])
        #expect(try connection.run("SELECT max(n) FROM t").integer(0, 0) == Int64(round))
        #expect(try receive("SELECT n FROM t", [.integer64]).count == round)
      }
      try send([], "n", [.integer64])
      try expectUsable()
    }

    // MARK: Failures

    @Test func `the server refuses a row in the middle, and the connection goes on`() throws {
      try begin("n int8 CHECK (n <> 5)")
      let error = #expect(throws: ServerFailure.self) {
        try send((0..<100_000).map { [.integer($0)] }, "n", [.integer64])
      }
      #expect(error?.state == "23514")
      #expect(error?.isLost == false)
      try expectUsable()
    }

    @Test func `a copy that the server does not understand is refused with its text`() throws {
      let error = #expect(throws: ServerFailure.self) {
        try receive("SELECT nothing FROM nowhere", [.integer64])
      }
      #expect(error?.state == "42P01")
      #expect(error?.statement?.contains("nowhere") == true)
      try begin("n int8")
      #expect(throws: ServerFailure.self) { try send([[.integer(1)]], "m", [.integer64]) }
      try expectUsable()
    }

    private struct Stop: Error {}

    @Test func `a copy is given up in the middle, and the connection goes on`() throws {
      try begin("n int8")
      var sender = RowSender(connection, into: "t (n)", [.integer64])
      for number in 0..<100_000 { try sender.append([.integer(Int64(number))]) }
      sender.cancel()
      try expectUsable()
      var count = 0
      #expect(throws: Stop.self) {
        try connection.receive(
          "COPY (SELECT generate_series(1, 1000000000)) TO STDOUT (FORMAT binary)"
        ) { _ in
          count += 1
          if count == 1000 { throw Stop() }
        }
      }
      #expect(count == 1000)
      try expectUsable()
    }

    @Test func `a task that is stopped ends a copy that sends nothing`() throws {
      let stop = { true }
      let error = #expect(throws: ServerFailure.self) {
        try connection.receive(
          "COPY (SELECT pg_sleep(600)) TO STDOUT (FORMAT binary)", stoppingWhen: stop
        ) { _ in }
      }
      #expect(error?.isCancelled == true)
      try expectUsable()
    }

    @Test func `a connection that is lost in a copy is not used again`() throws {
      try begin("v bytea")
      var sender = RowSender(connection, into: "t (v)", [.bytes])
      let row = [SQLValue.blob([UInt8](repeating: 7, count: 256 << 10))]
      for _ in 0..<5 { try sender.append(row) }
      server.sql("SELECT pg_terminate_backend(\(connection.processID))")
      let error = #expect(throws: ServerFailure.self) {
        for _ in 0..<200 { try sender.append(row) }
        try sender.finish()
      }
      #expect(error?.isLost == true)
      #expect(!connection.isUsable)
      #expect(throws: ServerFailure.self) { try connection.run("SELECT 1") }
    }

    @Test func `a connection that is lost while rows come is not used again`() throws {
      var count = 0
      let error = #expect(throws: ServerFailure.self) {
        try connection.receive(
          "COPY (SELECT generate_series(1, 1000000000)) TO STDOUT (FORMAT binary)"
        ) { _ in
          count += 1
          if count == 1000 { server.sql("SELECT pg_terminate_backend(\(connection.processID))") }
        }
      }
      #expect(error?.isLost == true)
      #expect(!connection.isUsable)
    }
  }
#endif
