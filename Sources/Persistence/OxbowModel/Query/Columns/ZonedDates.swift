internal import OxbowFoundation

/// The parts of dates in a time zone; both executors use it.
///
/// A time zone is asked for its offset once a day: if it is the same at both ends of a day, it is
/// assumed to be the same between them.
package final class ZonedDates {
  /// The identifier of the time zone that is always there.
  package static let utc = "GMT"

  private let zone: TimeZone?

  /// The offset of days that were asked for; `nil` for a day in which it changes.
  private var offsets: [Int64: Int64?] = [:]

  package init?(zone identifier: String) {
    if identifier == Self.utc || identifier == "UTC" {
      zone = nil
    } else {
      guard let zone = TimeZone(identifier: identifier) else { return nil }
      self.zone = zone
    }
  }

  private static let secondsInDay: Int64 = 86_400

  /// From 1970-01-01 to 2001-01-01, in seconds.
  private static let referenceOffset: Int64 = 978_307_200

  /// Dates further away than this have no parts: about 300,000 years.
  private static let limit = 1e13

  /// A part of a date in seconds since 2001-01-01T00:00:00Z; `nil` for one beyond all calendars.
  package func part(_ part: DatePart, of seconds: Double) -> Int64? {
    guard seconds.magnitude < Self.limit else { return nil }
    let utc = Int64(seconds.rounded(.down)) + Self.referenceOffset
    let local = utc + offset(at: utc)
    let day = Self.day(of: local)
    switch part {
    case .hour: return (local - day * Self.secondsInDay) / 3600
    // The first of January 1970 was a Thursday.
    case .weekday: return ((day + 4) % 7 + 7) % 7 + 1
    case .year: return Self.date(ofDay: day).year
    case .month: return Self.date(ofDay: day).month
    case .day: return Self.date(ofDay: day).day
    }
  }

  /// The day that seconds are in, counted from 1970-01-01.
  private static func day(of seconds: Int64) -> Int64 {
    seconds >= 0
      ? seconds / secondsInDay : (seconds - (secondsInDay - 1)) / secondsInDay
  }

  private func offset(at seconds: Int64) -> Int64 {
    guard let zone else { return 0 }
    let day = Self.day(of: seconds)
    if let known = offsets[day] { return known ?? Self.offset(of: zone, at: seconds) }
    let start = Self.offset(of: zone, at: day * Self.secondsInDay)
    let end = Self.offset(of: zone, at: (day + 1) * Self.secondsInDay)
    offsets[day] = .some(start == end ? start : nil)
    return start == end ? start : Self.offset(of: zone, at: seconds)
  }

  private static func offset(of zone: TimeZone, at seconds: Int64) -> Int64 {
    let date = Date(timeIntervalSinceReferenceDate: Double(seconds - referenceOffset))
    return Int64(zone.secondsFromGMT(for: date))
  }

  /// Year, month and day of a day that is counted from 1970-01-01.
  ///
  /// Years begin in March here, so that the leap day is the last of a year; any 400 years have the
  /// same number of days.
  private static func date(ofDay number: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let shifted = number + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    return (year, month, dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
  }
}
