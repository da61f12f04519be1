import FoundationEssentials
import OxbowRelational
import OxbowSQLite
import Testing

@Suite struct DecimalOrderTests {
  @Test func `decimals in texts are ordered by value`() throws {
    let connection = try Connection(
      path: ":memory:", configuration: Connection.Configuration(role: .sole))
    try connection.execute("CREATE TABLE t(v TEXT)")
    let sorted = [
      "-1e3", "-100.5", "-100", "-1", "-0.5", "-0.05", "0", "0.005", "0.05", "0.5", "1", "1.5",
      "2", "10", "99", "100", "1e3", "1234567890123456789012345678901234567.8",
      "1234567890123456789012345678901234567.9", "x",
    ]
    for value in sorted.reversed() {
      try connection.run("INSERT INTO t VALUES (?)", [.text(value)])
    }
    let rows = try connection.rows("SELECT v FROM t ORDER BY v COLLATE oxbow_decimal")
    #expect(rows.map { $0[0] } == sorted.map { .text($0) })
    for (a, b) in [("1.50", "1.5"), ("0", "-0.0"), ("100", "1e2"), ("+7", "7"), ("0.10", "1e-1")] {
      let equal = try connection.integer(
        "SELECT ? COLLATE oxbow_decimal = ?", [.text(a), .text(b)])
      #expect(equal == 1, "\(a) and \(b)")
    }
  }
}
