import OxbowModel
import OxbowRelational
import Testing

@Suite struct ForeignValuesTests {
  private static let day = 86_400.0

  @Test(arguments: [
    ("2001-01-01", 0.0), ("2001-01-02 00:00", day), ("2001-01-01 00:00:01", 1),
    ("2001-01-01T00:00:00.250", 0.25), ("2001-01-01 01:00:00+01:00", 0),
    ("2001-01-01T00:00:00Z", 0), ("2000-12-31 23:30:00-0030", 0), ("2000-12-31", -day),
    ("2000-02-29", -307 * day), ("1970-01-01 00:00:00.000", -978_307_200),
    ("0001-01-01", -730_485 * day), ("0000-02-29", -(730_485 + 307) * day),
  ])
  func `texts of dates are moments`(text: String, seconds: Double) {
    #expect(ForeignValues().value(.text(text), as: .date) == .real(seconds))
  }

  @Test(arguments: [
    "", "now", "2001", "2001-1-1", "2001-13-01", "2001-00-10", "2001-02-29", "1900-02-29",
    "2001-01-32", "2001-01-01 ", "2001-01-01 24:00", "2001-01-01 10", "2001-01-01 10:60",
    "2001-01-01 10:00:60", "2001-01-01 10:00:00.", "2001-01-01 10:00:00 UTC", "01.01.2001",
    "2001-01-01 10:00:00+1", "2001-01-01 10:00:00+25:00", "2001-01-01\u{661}",
  ])
  func `what is not a date is none`(text: String) {
    #expect(ForeignValues().value(.text(text), as: .date) == nil)
  }

  @Test func `numbers are dates as somebody says`() {
    func date(_ dates: NumericDates, _ value: SQLValue) -> SQLValue? {
      ForeignValues(dates: dates).value(value, as: .date)
    }
    #expect(date(.unix, .integer(978_307_201)) == .real(1))
    #expect(date(.unix, .real(978_307_200.5)) == .real(0.5))
    #expect(date(.milliseconds, .integer(978_307_201_500)) == .real(1.5))
    #expect(date(.reference, .integer(60)) == .real(60))
    #expect(date(.julian, .real(2_451_911.5)) == .real(86_400))
    #expect(date(.unix, .real(.infinity)) == nil)
    #expect(date(.unix, .blob([1])) == nil)
  }

  @Test(arguments: [
    (AttributeType.integer16, SQLValue.integer(32_767), SQLValue.integer(32_767)),
    (.integer32, .real(5), .integer(5)), (.integer64, .text("-9"), .integer(-9)),
    (.boolean, .integer(1), .integer(1)), (.boolean, .text("FALSE"), .integer(0)),
    (.boolean, .real(0), .integer(0)), (.double, .integer(3), .real(3)),
    (.double, .text("1e3"), .real(1000)), (.float, .real(0.5), .real(0.5)),
    (.string, .text("é"), .text("é")), (.string, .integer(5), .text("5")),
    (.decimal, .real(12.5), .text("12.5")), (.decimal, .integer(7), .text("7")),
    (.decimal, .text("0.10"), .text("0.1")), (.uri, .text("https://a.b"), .text("https://a.b")),
    (.binaryData, .text("ab"), .blob([97, 98])), (.transformable, .blob([1]), .blob([1])),
    (.uuid, .text("00112233445566778899aabbccddeeff"), uuid),
    (.uuid, .text("00112233-4455-6677-8899-AABBCCDDEEFF"), uuid), (.uuid, uuid, uuid),
    (.string, .null, .null),
  ])
  func `values become what the column keeps`(type: AttributeType, value: SQLValue, kept: SQLValue) {
    #expect(ForeignValues().value(value, as: type) == kept)
  }

  private static let uuid = SQLValue.blob([
    0, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88, 0x99, 0xAA, 0xBB, 0xCC, 0xDD, 0xEE, 0xFF,
  ])

  @Test(arguments: [
    (AttributeType.integer16, SQLValue.integer(32_768)), (.integer32, .real(0.5)),
    (.integer64, .text("5 ")), (.integer64, .blob([1])), (.boolean, .integer(2)),
    (.boolean, .text("maybe")), (.double, .integer(.max)), (.double, .text("inf")),
    (.float, .real(1e300)), (.string, .blob([97])), (.decimal, .text("1,5")),
    (.decimal, .real(.infinity)), (.uri, .integer(1)), (.binaryData, .integer(1)),
    (.transformable, .text("x")), (.uuid, .text("0011")), (.uuid, .blob([1])),
    (.uuid, .text("0011223344556677889900112233445g")),
  ])
  func `nothing is rounded, cut or guessed`(type: AttributeType, value: SQLValue) {
    #expect(ForeignValues().value(value, as: type) == nil)
  }
}
