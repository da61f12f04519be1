/// How text is compared with a part of it.
public enum TextOperator: String, Sendable, Hashable, CaseIterable {
  /// The part is somewhere in the text.
  ///
  /// With a path through a to-many relationship in place of the text: the part is one of its
  /// values.
  case contains
  /// The text begins with the part.
  case beginsWith
  /// The text ends with the part.
  case endsWith
  /// The whole text has the form of the part, in which `*` is any text, also none, and `?` is one
  /// Unicode scalar. A backslash makes the next character an ordinary one.
  case like
  /// The whole text matches the part, a regular expression as `NSRegularExpression` reads it.
  case matches
}

/// What a comparison of text overlooks.
public struct TextOptions: OptionSet, Sendable, Hashable {
  /// The options as bits.
  public let rawValue: UInt8

  /// Creates options from bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Upper and lower case are the same, in every script: `É` is `é`, and `ß` is `SS`.
  ///
  /// A letter with its mark in one character equals the letter with the mark in a second one.
  public static let caseInsensitive = TextOptions(rawValue: 1)

  /// Letters with and without marks are the same, so `é` is `e`.
  ///
  /// Letters that are not composed (`ø`, `ł`) remain.
  public static let diacriticInsensitive = TextOptions(rawValue: 2)

  /// Reads options from letters; `nil` where there are others than `c` and `d`.
  init?(letters: String) {
    self = []
    for letter in letters {
      switch letter {
      case "c": insert(.caseInsensitive)
      case "d": insert(.diacriticInsensitive)
      default: return nil
      }
    }
  }

  /// The options as letters, as they are written in brackets.
  package var letters: String {
    (contains(.caseInsensitive) ? "c" : "") + (contains(.diacriticInsensitive) ? "d" : "")
  }
}
