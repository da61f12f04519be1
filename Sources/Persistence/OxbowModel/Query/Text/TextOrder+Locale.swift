// The orders of languages have no keys that sort by bytes; two texts are compared, by the same
// function in the store and in memory.

public import OxbowFoundation

extension TextOrder {
  /// The order of a language; together with the other options.
  ///
  /// ```swift
  /// context.fetch(Book.self, sortedBy: [
  ///   .ascending(\.title, comparing: [.localized(in: Locale(identifier: "sv_SE")), .numeric])
  /// ])
  /// ```
  public static func localized(in locale: Locale) -> TextOrder {
    TextOrder(rawValue: localized.rawValue, locale: locale.identifier)
  }

  /// The order of a file list in a language.
  public static func localizedStandard(in locale: Locale) -> TextOrder {
    TextOrder(rawValue: localizedStandard.rawValue, locale: locale.identifier)
  }

  /// Whether texts compare by the rules of a language, and not by keys.
  package var isLocalized: Bool { !isDisjoint(with: [.localized, .localizedStandard]) }

  /// The locale by which a language compares, that of the process if it names none; `nil` for an
  /// order that knows no language.
  package var language: String? {
    isLocalized ? locale ?? Locale.current.identifier : nil
  }

  /// The name of the collation in statements: `oxbow_text_8_sv_SE`.
  package var collation: String {
    Self.collationPrefix + "\(rawValue)" + (locale.map { "_" + $0 } ?? "")
  }

  package init?(collation: String) {
    guard collation.hasPrefix(Self.collationPrefix) else { return nil }
    let parts = collation.dropFirst(Self.collationPrefix.count)
      .split(separator: "_", maxSplits: 1)
    guard let number = parts.first.flatMap({ UInt8($0) }) else { return nil }
    self.init(rawValue: number, locale: parts.count > 1 ? String(parts[1]) : nil)
  }

  /// Refuses the order of a language without the trait `Languages`, and a locale whose identifier
  /// Foundation cannot take: it ends the process for one that is not ASCII.
  package func requireLocale() throws(PersistenceError) {
    #if !Languages
      if isLocalized {
        throw .withoutLanguages("texts cannot be sorted by the rules of a language")
      }
    #endif
    guard let locale, !locale.utf8.allSatisfy({ $0 > 32 && $0 < 127 }) else { return }
    throw PersistenceError(
      .invalidPredicate,
      "'\(locale)' is not an identifier of a locale, so texts cannot be ordered by it; it looks like "
        + "'sv_SE'")
  }

  private static let collationPrefix = "oxbow_text_"
}
