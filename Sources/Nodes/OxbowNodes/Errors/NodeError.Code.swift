extension NodeError {
  /// The kind of a problem.
  ///
  /// An open set: match with `catch NodeError.Code.unknownClass` or `error.code == …`, and expect
  /// codes that you do not know.
  public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The code's name, as it is written in Swift.
    public let rawValue: String

    /// Creates a code from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The code's name.
    public var description: String { rawValue }

    /// Matches a node error one of whose problems has the code.
    public static func ~= (code: Code, error: any Error) -> Bool {
      (error as? NodeError)?.problems.contains { $0.code == code } ?? false
    }

    // MARK: - Files

    /// A file cannot be read, or is not a property list or JSON.
    public static let unreadableFile = Self(rawValue: "unreadableFile")
    /// A file has an extension that is not supported.
    public static let unknownFormat = Self(rawValue: "unknownFormat")
    /// A file has no `Node`, or one that is not a dictionary.
    public static let missingNode = Self(rawValue: "missingNode")
    /// An include does not name a file, lacks a closing quote, or has parts without a meaning.
    public static let invalidInclude = Self(rawValue: "invalidInclude")
    /// A path leads out of its folder, or to a folder that was not given.
    public static let outsideOfRoot = Self(rawValue: "outsideOfRoot")
    /// A file includes itself, directly or through others.
    public static let includeCycle = Self(rawValue: "includeCycle")
    /// Files, values or events are nested too deep, or become too large.
    public static let tooLarge = Self(rawValue: "tooLarge")
    /// A placeholder has no value, and the files are read strictly.
    public static let unknownVariable = Self(rawValue: "unknownVariable")

    // MARK: - Nodes

    /// A class of nodes, actions or handlers is not known.
    public static let unknownClass = Self(rawValue: "unknownClass")
    /// A node could not be made, or refused its attributes.
    public static let setUpFailed = Self(rawValue: "setUpFailed")
    /// A node does not have an attribute, or an action an argument, of that name.
    public static let unknownAttribute = Self(rawValue: "unknownAttribute")
    /// An attribute or argument has a value of the wrong kind.
    public static let invalidValue = Self(rawValue: "invalidValue")
    /// A part of a node's definition has the wrong form.
    public static let invalidDefinition = Self(rawValue: "invalidDefinition")
    /// Nodes need each other's geometry in a circle.
    public static let cyclicGeometry = Self(rawValue: "cyclicGeometry")

    // MARK: - Expressions

    /// The text of a number is not an expression.
    public static let invalidExpression = Self(rawValue: "invalidExpression")
    /// An expression divides by zero or leaves the range of numbers.
    public static let arithmetic = Self(rawValue: "arithmetic")
    /// An expression uses a name that has no value there.
    public static let unknownSymbol = Self(rawValue: "unknownSymbol")

    // MARK: - Events and actions

    /// There is no event, named action or kind of action of that name.
    public static let unknownAction = Self(rawValue: "unknownAction")
    /// A target does not lead to a node.
    public static let unknownTarget = Self(rawValue: "unknownTarget")
    /// An action lacks an argument.
    public static let missingArgument = Self(rawValue: "missingArgument")
    /// A node has no function of that name.
    public static let unknownFunction = Self(rawValue: "unknownFunction")
    /// The action cannot be used with the class of its target.
    public static let wrongTarget = Self(rawValue: "wrongTarget")
    /// An event leads back to itself.
    public static let eventCycle = Self(rawValue: "eventCycle")
    /// Code of the program that an action called threw an error.
    public static let actionFailed = Self(rawValue: "actionFailed")
    /// The tree or the node was destroyed.
    public static let destroyed = Self(rawValue: "destroyed")
  }
}
