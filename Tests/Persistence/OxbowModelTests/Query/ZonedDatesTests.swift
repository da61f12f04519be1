import OxbowModel
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// PF-10: parts of dates in time zones, compared with `Calendar`.
@Suite struct ZonedDatesTests {
  @Test(arguments: [
    "GMT", "Europe/Berlin", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe",
  ])
  func `PF-10: parts are those of the Gregorian calendar`(zone: String) throws {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = try #require(TimeZone(identifier: zone))
    let dates = try #require(ZonedDates(zone: zone))
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<300 {
      let seconds = Double(Int64.random(in: -3_000_000_000...3_000_000_000, using: &generator)) / 2
      let date = Date(timeIntervalSinceReferenceDate: seconds)
      let parts = calendar.dateComponents([.year, .month, .day, .hour, .weekday], from: date)
      let found = DatePart.allCases.map { dates.part($0, of: seconds) }
      let expected = [parts.year, parts.month, parts.day, parts.hour, parts.weekday]
      #expect(found == expected.map { $0.map(Int64.init) }, "\(seconds)")
    }
  }

  @Test func `PF-10: both hours of a change of the clock are right`() throws {
    let dates = try #require(ZonedDates(zone: "Europe/Berlin"))
    // 2024-03-31T00:59:59Z and the second after it.
    #expect(dates.part(.hour, of: 733_539_599) == 1)
    #expect(dates.part(.hour, of: 733_539_600) == 3)
    #expect(ZonedDates(zone: "Europe/Berlim") == nil)
  }
}
