#if Languages
  internal import Foundation

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

    package func order(_ a: String, _ b: String) -> ValueOrder {
      switch a.compare(b, options: options, range: nil, locale: locale) {
      case .orderedAscending: .ascending
      case .orderedDescending: .descending
      case .orderedSame: .same
      }
    }
  }

  /// A regular expression that is compared with whole texts.
  ///
  /// `NSRegularExpression` has no whole match, and the longest of several matches is not the first,
  /// so the expression is put between anchors.
  final class RegularExpression: Sendable {
    private let expression: NSRegularExpression

    private init(_ pattern: String, _ options: TextOptions) throws(PersistenceError) {
      let flags: NSRegularExpression.Options =
        options.contains(.caseInsensitive) ? .caseInsensitive : []
      let pattern = TextFolding.folded(pattern, options.intersection(.diacriticInsensitive))
      do {
        // By itself first: `a)|(b` has a meaning only between the parentheses of the anchors.
        // Foundation refuses an empty one.
        if !pattern.isEmpty { _ = try NSRegularExpression(pattern: pattern, options: flags) }
        expression = try Self.anchored(pattern, flags)
      } catch {
        throw PersistenceError(
          .invalidPredicate,
          "the text '\(pattern)' after MATCHES is not a regular expression; check its brackets, and write "
            + "a backslash as two within quotes")
      }
    }

    private static func anchored(
      _ pattern: String, _ flags: NSRegularExpression.Options
    ) throws -> NSRegularExpression {
      do {
        return try NSRegularExpression(pattern: "\\A(?:" + pattern + ")\\z", options: flags)
      } catch {
        // A comment at the end of the pattern hides the parenthesis; a line break ends the comment.
        return try NSRegularExpression(pattern: "\\A(?:" + pattern + "\n)\\z", options: flags)
      }
    }

    func matches(_ text: String) -> Bool {
      let range = NSRange(location: 0, length: text.utf16.count)
      return expression.firstMatch(in: text, options: [], range: range) != nil
    }

    // NSCache has a lock of its own. Memory asks for an expression once for each object.
    nonisolated(unsafe) private static let known = {
      let cache = NSCache<NSString, RegularExpression>()
      cache.countLimit = 64
      return cache
    }()

    /// The expression for a pattern, from a small cache.
    static func named(
      _ pattern: String, _ options: TextOptions
    ) throws(PersistenceError) -> RegularExpression {
      let key = NSString(string: "\(options.rawValue)\(pattern)")
      if let found = known.object(forKey: key) { return found }
      let expression = try RegularExpression(pattern, options)
      known.setObject(expression, forKey: key)
      return expression
    }
  }
#else
  /// Nothing without the trait: `requireLocale` refuses such an order before.
  package struct LocalizedComparison: Sendable {
    package init?(_ order: TextOrder) { return nil }

    package func order(_ a: String, _ b: String) -> ValueOrder { .same }
  }

  /// Nothing without the trait.
  struct RegularExpression: Sendable {
    func matches(_ text: String) -> Bool { false }

    static func named(
      _ pattern: String, _ options: TextOptions
    ) throws(PersistenceError) -> RegularExpression {
      throw .withoutLanguages("the regular expression '\(pattern)' cannot be read")
    }
  }

  extension PersistenceError {
    /// What needs all of Foundation, in a program that was built without it.
    static func withoutLanguages(_ problem: String) -> PersistenceError {
      PersistenceError(
        .unsupported,
        "\(problem): Oxbow was built without its trait 'Languages'; write traits: [.defaults] where "
          + "your package depends on oxbow")
    }
  }
#endif
