public import OxbowDocuments

/// The problems of a node file, or of what its nodes were asked to do.
///
/// Match on the code; it matches if any of the problems has it:
///
/// ```swift
/// do { try NodeTree.launch("a.plist", in: environment) } catch NodeError.Code.includeCycle { … }
/// ```
public struct NodeError: Error, Sendable, CustomStringConvertible {
  /// Everything that is wrong, in the order in which it was found; never empty.
  public let problems: [Problem]

  /// The code of the first problem.
  public var code: Code { problems.first?.code ?? .unreadableFile }

  /// The sentence of the first problem.
  public var message: String { problems.first?.message ?? "no problem was recorded" }

  /// Where the first problem is; nil if it is not in a file.
  public var location: SourceLocation? { problems.first?.location }

  /// What a typo of the first problem may have meant, nearest first.
  public var nearNames: [String] { problems.first?.nearNames ?? [] }

  /// The error that a class or an action of the program has thrown, if that is the cause.
  public var underlying: (any Error)? { problems.lazy.compactMap(\.underlying).first }

  /// Creates an error of one problem; the message says what is wrong, what was seen and what to do.
  public init(
    _ code: Code, _ message: String, at location: SourceLocation? = nil, nearNames: [String] = [],
    underlying: (any Error)? = nil
  ) {
    problems = [
      Problem(
        code: code, message: message, location: location, nearNames: nearNames,
        underlying: underlying)
    ]
  }

  /// The error for a required key; it names a key that may be a typo of it.
  static func missing(
    _ name: String, _ message: String, code: Code = .missingArgument, in values: NodeDictionary,
    at location: SourceLocation?
  ) -> NodeError {
    guard let typo = OxbowDocuments.nearNames(to: name, among: values.keys).first else {
      return NodeError(code, message, at: location)
    }
    return NodeError(
      code, "\(message); there is \"\(typo)\"", at: values.entry(typo)?.location ?? location,
      nearNames: [name])
  }

  init?(_ problems: [Problem]) {
    guard !problems.isEmpty else { return nil }
    self.problems = problems
  }

  /// All problems, each in lines of its own.
  public var description: String { problems.map(\.description).joined(separator: "\n") }
}

extension NodeError {
  /// One thing that is wrong.
  public struct Problem: Sendable, CustomStringConvertible {
    /// The kind of problem.
    public let code: Code
    /// What is wrong, what was seen, and what to do.
    public let message: String
    /// Where it is; nil if it is not in a file.
    public let location: SourceLocation?
    /// What a typo may have meant, nearest first.
    public let nearNames: [String]
    /// What code of the program threw.
    public let underlying: (any Error)?

    /// The location, the message and the near names.
    public var description: String {
      let place = location.map { "\($0): " } ?? ""
      let names = nearNames.map { "'\($0)'" }.joined(separator: ", ")
      return place + message + (names.isEmpty ? "" : "; did you mean: \(names)?")
    }
  }

  /// Runs `body`; an error of the program becomes a ``NodeError`` with a code and a location.
  static func wrapping<R>(
    _ code: Code, _ what: @autoclosure () -> String, at location: SourceLocation?,
    _ body: () throws -> R
  ) throws(NodeError) -> R {
    do { return try body() } catch {
      throw (error as? NodeError)
        ?? NodeError(code, "\(what()): \(error)", at: location, underlying: error)
    }
  }
}
