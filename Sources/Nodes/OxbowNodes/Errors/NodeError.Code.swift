extension NodeError {
  /// What kind of problem it is.
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
    /// A file has an extension that is not read.
    public static let unknownFormat = Self(rawValue: "unknownFormat")
    /// A file has no `Node`, or one that is not a dictionary.
    public static let missingNode = Self(rawValue: "missingNode")
    /// An include names no file, has no closing quote, or parts that mean nothing.
    public static let invalidInclude = Self(rawValue: "invalidInclude")
    /// A path leads out of its folder, or to a place that was not given.
    public static let outsideOfRoot = Self(rawValue: "outsideOfRoot")
    /// A file includes itself, directly or through others.
    public static let includeCycle = Self(rawValue: "includeCycle")
    /// Files, values or events are nested too deep, or become too large.
    public static let tooLarge = Self(rawValue: "tooLarge")
    /// A placeholder has no value, where all must have one.
    public static let unknownVariable = Self(rawValue: "unknownVariable")

    // MARK: - Nodes

    /// A class of nodes, actions or handlers is not known.
    public static let unknownClass = Self(rawValue: "unknownClass")
    /// A node could not be made, or refused its attributes.
    public static let setUpFailed = Self(rawValue: "setUpFailed")
    /// A node has no attribute, and an action no argument, of that name.
    public static let unknownAttribute = Self(rawValue: "unknownAttribute")
    /// An attribute or argument has a value that is not of its kind.
    public static let invalidValue = Self(rawValue: "invalidValue")
    /// Something of a node has another form than a node file gives it.
    public static let invalidDefinition = Self(rawValue: "invalidDefinition")
    /// Nodes need each other's geometry in a circle.
    public static let cyclicGeometry = Self(rawValue: "cyclicGeometry")

    // MARK: - Expressions

    /// A number's text is not an expression.
    public static let invalidExpression = Self(rawValue: "invalidExpression")
    /// An expression divides by zero or leaves the range of numbers.
    public static let arithmetic = Self(rawValue: "arithmetic")
    /// An expression uses a name that has no value there.
    public static let unknownSymbol = Self(rawValue: "unknownSymbol")

    // MARK: - Events and actions

    /// There is no event, named action or kind of action of that name.
    public static let unknownAction = Self(rawValue: "unknownAction")
    /// A target names no node.
    public static let unknownTarget = Self(rawValue: "unknownTarget")
    /// An action lacks an argument.
    public static let missingArgument = Self(rawValue: "missingArgument")
    /// A node has no function of that name.
    public static let unknownFunction = Self(rawValue: "unknownFunction")
    /// The target of an action is of a class that the action does not fit.
    public static let wrongTarget = Self(rawValue: "wrongTarget")
    /// An event leads back to itself.
    public static let eventCycle = Self(rawValue: "eventCycle")
    /// Code of the program that an action called threw an error.
    public static let actionFailed = Self(rawValue: "actionFailed")
    /// The tree or the node was destroyed.
    public static let destroyed = Self(rawValue: "destroyed")
  }
}
