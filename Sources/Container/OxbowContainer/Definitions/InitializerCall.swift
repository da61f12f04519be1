public import OxbowDocuments

/// How a definition constructs its object: an initializer, a static method, or a method of another
/// object.
public struct InitializerCall: Sendable {
  /// The method.
  public var method: MethodName
  /// Whether the method is an initializer or static; nil to find out from its name.
  public var isStatic: Bool?
  /// The arguments, by the labels of the method, in any order.
  public var arguments: [PropertyAssignment]
  /// Where the call is written.
  public var location: SourceLocation?

  /// Creates a call.
  public init(
    _ method: MethodName, isStatic: Bool? = nil, arguments: [PropertyAssignment],
    at location: SourceLocation? = nil
  ) {
    self.method = method
    self.isStatic = isStatic
    self.arguments = arguments
    self.location = location
  }
}

/// The name of a method with its labels, read from Swift's spelling or from an Objective-C
/// selector.
///
/// | Text | Base | Labels |
/// | --- | --- | --- |
/// | `init(quest:hitRatio:)` | `init` | `quest`, `hitRatio` |
/// | `sword(specification:)` | `sword` | `specification` |
/// | `initWithQuest:hitRatio:` | `init` | `quest`, `hitRatio` |
/// | `URLWithString:` | `URL` | `string` |
/// | `swordWithSpecification:` | `sword` | `specification` |
/// | `defaultSword` | `defaultSword` | none |
///
/// In a selector the first label is what follows its last `With`, with a lower-case initial;
/// without a `With` all of the first part is label and base. So Typhoon reads them.
public struct MethodName: Sendable, Hashable, CustomStringConvertible {
  /// What comes before the labels.
  public let base: String
  /// The labels, in order.
  public let labels: [String]
  /// The text as it was read.
  public let description: String

  /// Creates a name in Swift's spelling.
  public init(_ base: String, labels: [String] = []) {
    self.base = base
    self.labels = labels
    self.description =
      labels.isEmpty ? base : "\(base)(" + labels.map { "\($0):" }.joined() + ")"
  }

  /// Reads a name; nil for text that is neither spelling.
  public init?(text: String) {
    guard let parts = text.contains("(") ? Self.swift(text) : Self.selector(text) else {
      return nil
    }
    base = parts.base
    labels = parts.labels
    description = text
  }

  /// Whether the base says that the method is an initializer.
  public var isInitializer: Bool { base == "init" }

  private static func swift(_ text: String) -> (base: String, labels: [String])? {
    guard let open = text.firstIndex(of: "("), text.hasSuffix(")") else { return nil }
    let base = String(text[..<open])
    let list = text[text.index(after: open)...].dropLast()
    guard isIdentifier(base), list.isEmpty || list.hasSuffix(":") else { return nil }
    let labels = list.split(separator: ":", omittingEmptySubsequences: false).dropLast()
    guard labels.allSatisfy({ isIdentifier(String($0)) }) else { return nil }
    return (base, labels.map(String.init))
  }

  private static func selector(_ text: String) -> (base: String, labels: [String])? {
    guard text.hasSuffix(":") else { return isIdentifier(text) ? (text, []) : nil }
    var parts = text.dropLast().split(separator: ":", omittingEmptySubsequences: false)
      .map(String.init)
    guard parts.allSatisfy(isIdentifier), let first = parts.first else { return nil }
    let (base, label) = firstPart(first)
    parts[0] = label
    return (base, parts.map(lowerInitial))
  }

  /// The base and the first label of a selector's first part.
  private static func firstPart(_ text: String) -> (base: String, label: String) {
    var end = text.endIndex
    while let start = text[..<end].lastIndex(of: "W") {
      let rest = text[start...]
      if rest.hasPrefix("With"), rest.count > 4, start > text.startIndex {
        return (String(text[..<start]), String(rest.dropFirst(4)))
      }
      end = start
    }
    return (text, text)
  }

  private static func lowerInitial(_ text: String) -> String {
    text.prefix(1).lowercased() + text.dropFirst()
  }

  private static func isIdentifier(_ text: String) -> Bool {
    guard let first = text.first, first.isLetter || first == "_" else { return false }
    return text.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
  }
}

extension MethodName {
  /// Whether a method of a base and labels is meant.
  package func means(_ base: String, _ labels: [String]) -> Bool {
    self.base == base && means(labels)
  }

  /// Whether labels are meant; a selector says `uRL` where Swift says `url`.
  package func means(_ labels: [String]) -> Bool {
    guard labels.count == self.labels.count else { return false }
    // A selector without "With" says base and first label in one word.
    let rest = zip(self.labels, labels).dropFirst(isOneWord ? 1 : 0)
    return rest.allSatisfy { $0 == $1 || $0.lowercased() == $1.lowercased() }
  }

  private var isOneWord: Bool {
    !isInitializer && labels.first?.lowercased() == base.lowercased()
  }
}
