internal import OxbowFoundation
package import OxbowModel

/// What a number means where a date is wanted.
package enum NumericDates: String, Hashable, Sendable, CaseIterable {
  /// Seconds since 1970, as GRDB reads them.
  case unix
  /// Milliseconds since 1970.
  case milliseconds
  /// Seconds since 2001, as Core Data writes them.
  case reference
  /// Days as SQLite's `julianday()` counts them.
  case julian

  package func seconds(_ number: Double) -> Double {
    switch self {
    case .unix: number - Self.epoch
    case .milliseconds: number / 1000 - Self.epoch
    case .reference: number
    case .julian: (number - 2_451_910.5) * 86_400
    }
  }

  /// 2001-01-01T00:00:00Z in seconds since 1970.
  fileprivate static let epoch = 978_307_200.0
}

/// Reads values that another tool wrote as values of attributes.
///
/// A value is read as what it must mean, or not at all: nothing is rounded, cut or guessed.
package struct ForeignValues: Hashable, Sendable {
  package var dates: NumericDates

  package init(dates: NumericDates = .unix) { self.dates = dates }

  /// Returns a value as the column of an attribute keeps it, or `nil` when it is not of the type.
  package func value(_ value: SQLValue, as type: AttributeType) -> SQLValue? {
    guard value != .null else { return .null }
    return attributeValue(value, type).flatMap { SQLiteCodecs().codec(of: type)?.encode($0) }
  }

  private func attributeValue(_ value: SQLValue, _ type: AttributeType) -> AttributeValue? {
    switch type {
    case .integer16, .integer32, .integer64: whole(value).map { .integer($0) }
    case .boolean: truth(value).map { .boolean($0) }
    case .double: real(value).map { .double($0) }
    case .float: real(value).flatMap { isSingle($0) ? .double($0) : nil }
    case .date: date(value).map { .date(Date(timeIntervalSinceReferenceDate: $0)) }
    case .string: text(value).map { .string($0) }
    case .decimal: text(value).flatMap { AttributeValue(text: $0, type: .decimal) }
    case .uri: plainText(value).flatMap { AttributeValue(text: $0, type: .uri) }
    case .uuid: uuid(value).map { .uuid($0) }
    case .binaryData: bytes(value).map { .data(Data($0)) }
    case .transformable: if case .blob(let bytes) = value { .data(Data(bytes)) } else { nil }
    case .undefined, .composite, .objectID: nil
    }
  }
}

// MARK: - Numbers and texts

extension ForeignValues {
  private func whole(_ value: SQLValue) -> Int64? {
    switch value {
    case .integer(let number): number
    case .real(let number): Int64(exactly: number)
    case .text(let text): Int64(text)
    case .blob, .null: nil
    }
  }

  private func truth(_ value: SQLValue) -> Bool? {
    if case .text(let text) = value {
      switch text.lowercased() {
      case "true", "1": return true
      case "false", "0": return false
      default: return nil
      }
    }
    switch whole(value) {
    case 0: return false
    case 1: return true
    default: return nil
    }
  }

  private func real(_ value: SQLValue) -> Double? {
    switch value {
    case .integer(let number): Double(exactly: number)
    case .real(let number): number
    case .text(let text): Double(text).flatMap { $0.isFinite ? $0 : nil }
    case .blob, .null: nil
    }
  }

  private func isSingle(_ number: Double) -> Bool {
    number.isInfinite || number.magnitude <= Double(Float.greatestFiniteMagnitude)
  }

  private func plainText(_ value: SQLValue) -> String? {
    if case .text(let text) = value { text } else { nil }
  }

  private func text(_ value: SQLValue) -> String? {
    switch value {
    case .text(let text): text
    case .integer(let number): "\(number)"
    case .real(let number): number.isFinite ? "\(number)" : nil
    case .blob, .null: nil
    }
  }

  private func bytes(_ value: SQLValue) -> [UInt8]? {
    switch value {
    case .blob(let bytes): bytes
    case .text(let text): Array(text.utf8)
    case .integer, .real, .null: nil
    }
  }

  private func uuid(_ value: SQLValue) -> UUID? {
    switch value {
    case .blob(let bytes):
      guard case .uuid(let uuid) = ColumnCodec.uuidBlob.decode(.blob(bytes)) else { return nil }
      return uuid
    case .text(let text):
      guard text.utf8.count == 32, text.allSatisfy(\.isHexDigit) else {
        return UUID(uuidString: text)
      }
      var parts: [Substring] = []
      var rest = text[...]
      for count in [8, 4, 4, 4, 12] {
        parts.append(rest.prefix(count))
        rest = rest.dropFirst(count)
      }
      return UUID(uuidString: parts.joined(separator: "-"))
    case .integer, .real, .null: return nil
    }
  }
}

// MARK: - Dates

extension ForeignValues {
  /// Seconds since 2001.
  private func date(_ value: SQLValue) -> Double? {
    switch value {
    case .integer(let number): Double(exactly: number).map(dates.seconds)
    case .real(let number): number.isFinite ? dates.seconds(number) : nil
    case .text(let text): DateText(text)?.seconds
    case .blob, .null: nil
    }
  }
}

/// A moment as SQLite and GRDB write it: `2024-02-29`, `2024-02-29 12:30`, `2024-02-29
/// 12:30:15.250`, with a `T` in between, with `Z` or `+02:00` behind; without these in UTC.
private struct DateText {
  private var rest: Substring.UTF8View

  /// Seconds since 2001-01-01T00:00:00Z.
  private(set) var seconds = 0.0

  init?(_ text: String) {
    rest = text[...].utf8
    guard let day = readDay() else { return nil }
    let isDay = rest.isEmpty
    guard isDay || skip(" ") || skip("T"),
      let time = isDay ? (whole: 0, fraction: 0) : readTime(),
      let zone = readZone(), rest.isEmpty
    else { return nil }
    // Whole numbers first: the fraction keeps its digits.
    seconds = Double(day * 86_400 + time.whole - zone) - NumericDates.epoch + time.fraction
  }

  private mutating func skip(_ character: Character) -> Bool {
    guard let byte = character.asciiValue, rest.first == byte else { return false }
    rest.removeFirst()
    return true
  }

  /// Reads digits, exactly as many.
  private mutating func number(_ count: Int, _ range: ClosedRange<Int>) -> Int? {
    guard rest.count >= count else { return nil }
    var result = 0
    for _ in 0..<count {
      let byte = rest.removeFirst()
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
      result = result * 10 + Int(byte - UInt8(ascii: "0"))
    }
    return range.contains(result) ? result : nil
  }

  /// Days since 1970.
  private mutating func readDay() -> Int? {
    guard let year = number(4, 0...9999), skip("-"), let month = number(2, 1...12), skip("-"),
      let day = number(2, 1...Self.days(in: month, of: year))
    else { return nil }
    // The year begins with March, so that the day that comes and goes is the last one.
    let march = month > 2 ? year : year - 1
    let era = (march >= 0 ? march : march - 399) / 400
    let yearOfEra = march - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  private static func days(in month: Int, of year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  private mutating func readTime() -> (whole: Int, fraction: Double)? {
    guard let hour = number(2, 0...23), skip(":"), let minute = number(2, 0...59) else {
      return nil
    }
    let whole = hour * 3600 + minute * 60
    guard skip(":") else { return (whole, 0) }
    guard let second = number(2, 0...59) else { return nil }
    guard skip(".") else { return (whole + second, 0) }
    let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    guard !digits.isEmpty, let fraction = Double("0." + String(Substring(digits))) else {
      return nil
    }
    rest = rest.dropFirst(digits.count)
    return (whole + second, fraction)
  }

  /// Seconds that the time is ahead of UTC.
  private mutating func readZone() -> Int? {
    if rest.isEmpty || skip("Z") { return 0 }
    let isAhead = skip("+")
    guard isAhead || skip("-"), let hours = number(2, 0...15) else { return nil }
    _ = skip(":")
    guard let minutes = number(2, 0...59) else { return nil }
    return (isAhead ? 1 : -1) * (hours * 3600 + minutes * 60)
  }
}
