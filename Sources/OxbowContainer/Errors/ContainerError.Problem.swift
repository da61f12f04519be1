public import OxbowDocuments

extension ContainerError {
  /// One thing that is wrong, with its place and the way out.
  public struct Problem: Sendable, CustomStringConvertible {
    /// The kind of problem.
    public let code: Code

    /// What is wrong, with names in quotes.
    public let what: String

    /// The place in the document or source file.
    public var location: SourceLocation?

    /// What stands there.
    public var seen: String

    /// What would be right.
    public var expected: String

    /// What to do about it.
    public var nextStep: String

    /// Names that a typo may have meant.
    public var nearNames: [String]

    /// The chain of definitions that led here, outermost first.
    public var requestedBy: [String]

    /// The error that a constructor, factory or setter threw.
    public var underlying: (any Error)?

    /// Creates a problem.
    public init(
      _ code: Code, _ what: String, at location: SourceLocation? = nil, seen: String,
      expected: String, nextStep: String, nearNames: [String] = [], requestedBy: [String] = [],
      underlying: (any Error)? = nil
    ) {
      self.code = code
      self.what = HiddenName.shown(what)
      self.location = location
      self.seen = HiddenName.shown(seen)
      self.expected = expected
      self.nextStep = HiddenName.shown(nextStep)
      self.nearNames = nearNames
      self.requestedBy = requestedBy
      self.underlying = underlying
    }

    /// The problem in labelled lines.
    public var description: String {
      var lines = [what]
      if let location { lines.append("   at: \(location)") }
      lines.append("   seen: \(seen)")
      lines.append("   expected: \(expected)")
      if !nearNames.isEmpty {
        lines.append("   did you mean: \(nearNames.map { "\"\($0)\"" }.joined(separator: ", "))?")
      }
      if !requestedBy.isEmpty {
        lines.append("   requested by: \(shownChain.joined(separator: " → "))")
      }
      lines.append("   next: \(nextStep)")
      return lines.joined(separator: "\n")
    }

    /// The chain, of a long one its ends.
    private var shownChain: [String] {
      let ends = 5
      guard requestedBy.count > 2 * ends + 1 else { return requestedBy }
      return requestedBy.prefix(ends) + ["… \(requestedBy.count - 2 * ends) more …"]
        + requestedBy.suffix(ends)
    }
  }

  /// Something worth knowing that does not keep a container from being built.
  public struct Note: Sendable, Hashable, CustomStringConvertible {
    /// What there is to know.
    public let text: String

    /// Where it was seen.
    public let location: SourceLocation?

    /// Creates a note.
    public init(_ text: String, at location: SourceLocation? = nil) {
      self.text = HiddenName.shown(text)
      self.location = location
    }

    /// The note, after its place.
    public var description: String { location.map { "\($0): note: \(text)" } ?? "note: \(text)" }
  }
}
