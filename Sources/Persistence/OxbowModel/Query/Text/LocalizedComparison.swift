internal import Foundation

/// Compares texts by the rules of a language.
package struct LocalizedComparison: Sendable {
  private let locale: Locale
  private let options: String.CompareOptions

  /// The comparison of an order, or `nil` for one that knows no language.
  package init?(_ order: TextOrder) {
    guard order.isLocalized else { return nil }
    locale = order.locale.map { Locale(identifier: $0) } ?? .current
    var options: String.CompareOptions = []
    if order.contains(.caseInsensitive) { options.insert(.caseInsensitive) }
    if order.contains(.diacriticInsensitive) { options.insert(.diacriticInsensitive) }
    if order.contains(.numeric) { options.insert(.numeric) }
    if order.contains(.localizedStandard) { options.formUnion(Self.standard) }
    self.options = options
  }

  /// What `localizedStandardCompare` compares with.
  private static let standard: String.CompareOptions = [
    .caseInsensitive, .numeric, .widthInsensitive, .forcedOrdering,
  ]

  /// The order of two texts.
  package func order(_ a: String, _ b: String) -> ValueOrder {
    switch a.compare(b, options: options, range: nil, locale: locale) {
    case .orderedAscending: .ascending
    case .orderedDescending: .descending
    case .orderedSame: .same
    }
  }
}
