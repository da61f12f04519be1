extension ContainerError {
  /// What kind of problem it is.
  ///
  /// An open set: match with `catch ContainerError.Code.missingReference` or `error.code == …`, and
  /// expect codes that you do not know.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The code's name.
    public let name: String

    package init(_ name: String) { self.name = name }

    /// The code's name.
    public var description: String { name }

    /// Matches an error of the container one of whose problems has the code.
    public static func ~= (code: Code, error: any Error) -> Bool {
      guard let error = error as? ContainerError else { return false }
      return error.problems.contains { $0.code == code }
    }

    // MARK: - Definitions

    /// A definition contradicts itself or asks for what is not supported.
    public static let invalidDefinition = Code("invalidDefinition")
    /// Two definitions have one name.
    public static let duplicateDefinition = Code("duplicateDefinition")
    /// A reference names an object that is not defined.
    public static let missingReference = Code("missingReference")
    /// Definitions are each other's parents.
    public static let cyclicParents = Code("cyclicParents")
    /// No object, or more than one, fits a request by type.
    public static let noObjectOfType = Code("noObjectOfType")
    /// A definition names a scope that does not exist.
    public static let unknownScope = Code("unknownScope")
    /// Constructors need each other's objects.
    public static let cyclicInitializers = Code("cyclicInitializers")
    /// A chain of objects that are made anew for each use is too long for the stack.
    public static let chainTooLong = Code("chainTooLong")

    /// An object could not be disposed of.
    public static let shutdownFailed = Code("shutdownFailed")

    // MARK: - Classes

    /// A definition names a class that was not registered or discovered.
    public static let unknownClass = Code("unknownClass")
    /// A class name stands for several classes.
    public static let ambiguousClass = Code("ambiguousClass")
    /// A class has no property or initializer parameter of that name.
    public static let unknownProperty = Code("unknownProperty")
    /// A class has no callback or method of that name.
    public static let unknownMethod = Code("unknownMethod")
    /// No initializer of a class fits the properties that are given, or none has the labels.
    public static let noInitializer = Code("noInitializer")
    /// A value's text cannot become the property's type.
    public static let valueNotConvertible = Code("valueNotConvertible")
    /// A placeholder in a value has no value.
    public static let unknownPlaceholder = Code("unknownPlaceholder")
    /// No converter makes the property's type from text.
    public static let noConverter = Code("noConverter")
    /// An object has another type than what it is injected into.
    public static let typeMismatch = Code("typeMismatch")
    /// Proxies stand for each other and for nothing else.
    public static let cyclicProxies = Code("cyclicProxies")
    /// No proxy class is known for a protocol.
    public static let noProxy = Code("noProxy")
    /// Several proxy classes would do.
    public static let ambiguousProxy = Code("ambiguousProxy")

    // MARK: - Sharing

    /// An object that is not Sendable would be used by several threads.
    public static let sharedNotSendable = Code("sharedNotSendable")
    /// An object that belongs to a thread would be kept by one that does not.
    public static let confinedEscapes = Code("confinedEscapes")

    // MARK: - Requests

    /// The container has no object of that name.
    public static let unknownObject = Code("unknownObject")
    /// A constructor, factory or setter threw.
    public static let constructionFailed = Code("constructionFailed")
    /// A provider or lazy proxy was used inside a constructor in a way that can never end.
    public static let constructionDeadlock = Code("constructionDeadlock")
    /// The container was closed before the request.
    public static let containerReleased = Code("containerReleased")
    /// A task-local proxy was used where nothing is bound to the task.
    public static let unboundTask = Code("unboundTask")
    /// A property of a factory that it cannot work without was not set.
    public static let factoryIncomplete = Code("factoryIncomplete")
    /// No file was found for a resource.
    public static let missingResource = Code("missingResource")
    /// The process has no thread-specific key left.
    public static let threadKeysExhausted = Code("threadKeysExhausted")

    // MARK: - Documents

    /// A document cannot be read.
    public static let unreadableDocument = Code("unreadableDocument")
    /// A document has an element or attribute that means nothing there.
    public static let unexpectedMarkup = Code("unexpectedMarkup")
  }
}
