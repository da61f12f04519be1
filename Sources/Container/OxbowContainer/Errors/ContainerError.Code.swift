extension ContainerError {
  /// What kind of problem it is.
  ///
  /// An open set: match with `catch ContainerError.Code.missingReference` or `error.code == …`, and
  /// expect codes that you do not know.
  public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The code's name, as it is written in Swift.
    public let rawValue: String

    /// Creates a code from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The code's name.
    public var description: String { rawValue }

    /// Matches an error of the container one of whose problems has the code.
    public static func ~= (code: Code, error: any Error) -> Bool {
      guard let error = error as? ContainerError else { return false }
      return error.problems.contains { $0.code == code }
    }

    // MARK: - Definitions

    /// A definition contradicts itself or asks for what is not supported.
    public static let invalidDefinition = Self(rawValue: "invalidDefinition")
    /// Two definitions have one name.
    public static let duplicateDefinition = Self(rawValue: "duplicateDefinition")
    /// A reference names an object that is not defined.
    public static let missingReference = Self(rawValue: "missingReference")
    /// Definitions are each other's parents.
    public static let cyclicParents = Self(rawValue: "cyclicParents")
    /// No object, or more than one, fits a request by type.
    public static let noObjectOfType = Self(rawValue: "noObjectOfType")
    /// A definition names a scope that does not exist.
    public static let unknownScope = Self(rawValue: "unknownScope")
    /// Constructors need each other's objects.
    public static let cyclicInitializers = Self(rawValue: "cyclicInitializers")
    /// A chain of objects that are made anew for each use is too long for the stack.
    public static let chainTooLong = Self(rawValue: "chainTooLong")

    /// An object could not be disposed of.
    public static let shutdownFailed = Self(rawValue: "shutdownFailed")

    // MARK: - Services

    /// An object that runs is defined in a scope whose objects cannot be run.
    public static let serviceScope = Self(rawValue: "serviceScope")
    /// A service could not be started.
    public static let serviceNotReady = Self(rawValue: "serviceNotReady")
    /// A service has ended before it was stopped.
    public static let serviceEnded = Self(rawValue: "serviceEnded")
    /// A container cannot be run, or shut down, at this moment.
    public static let runRefused = Self(rawValue: "runRefused")

    // MARK: - Classes

    /// A definition names a class that was not registered or discovered.
    public static let unknownClass = Self(rawValue: "unknownClass")
    /// A class name means several classes.
    public static let ambiguousClass = Self(rawValue: "ambiguousClass")
    /// A class has no property or initializer parameter of that name.
    public static let unknownProperty = Self(rawValue: "unknownProperty")
    /// A class has no callback or method of that name.
    public static let unknownMethod = Self(rawValue: "unknownMethod")
    /// No initializer of a class fits the properties that are given, or none has the labels.
    public static let noInitializer = Self(rawValue: "noInitializer")
    /// A value's text cannot become the property's type.
    public static let valueNotConvertible = Self(rawValue: "valueNotConvertible")
    /// A placeholder in a value has no value.
    public static let unknownPlaceholder = Self(rawValue: "unknownPlaceholder")
    /// No converter makes the property's type from text.
    public static let noConverter = Self(rawValue: "noConverter")
    /// An object has another type than what it is injected into.
    public static let typeMismatch = Self(rawValue: "typeMismatch")
    /// Proxies replace each other and nothing else.
    public static let cyclicProxies = Self(rawValue: "cyclicProxies")
    /// No proxy class is known for a protocol.
    public static let noProxy = Self(rawValue: "noProxy")
    /// Several proxy classes would do.
    public static let ambiguousProxy = Self(rawValue: "ambiguousProxy")

    // MARK: - Aspects

    /// An object is not an aspect, or cannot run around a method that it is to run around.
    public static let invalidAspect = Self(rawValue: "invalidAspect")
    /// A call has ended without a result.
    public static let noResult = Self(rawValue: "noResult")

    // MARK: - Repositories

    /// The text of a repository's method cannot be read, or names what there is not.
    public static let invalidQuery = Self(rawValue: "invalidQuery")

    // MARK: - Sharing

    /// An object that is not Sendable would be used by several threads.
    public static let sharedNotSendable = Self(rawValue: "sharedNotSendable")
    /// An object that belongs to a thread would be kept by one that does not.
    public static let confinedEscapes = Self(rawValue: "confinedEscapes")

    // MARK: - Requests

    /// The container has no object of that name.
    public static let unknownObject = Self(rawValue: "unknownObject")
    /// A constructor, factory or setter threw.
    public static let constructionFailed = Self(rawValue: "constructionFailed")
    /// A provider or lazy proxy was used inside a constructor in a way that can never end.
    public static let constructionDeadlock = Self(rawValue: "constructionDeadlock")
    /// The container was closed before the request.
    public static let containerReleased = Self(rawValue: "containerReleased")
    /// A task-local proxy was used where nothing is bound to the task.
    public static let unboundTask = Self(rawValue: "unboundTask")
    /// What belongs to a tenant was asked for where no tenant is current.
    public static let noTenant = Self(rawValue: "noTenant")
    /// A property of a factory that it cannot work without was not set.
    public static let factoryIncomplete = Self(rawValue: "factoryIncomplete")
    /// No file was found for a resource.
    public static let missingResource = Self(rawValue: "missingResource")
    /// The process has no thread-specific key left.
    public static let threadKeysExhausted = Self(rawValue: "threadKeysExhausted")

    // MARK: - Documents

    /// A document cannot be read.
    public static let unreadableDocument = Self(rawValue: "unreadableDocument")
    /// A document has an element or attribute that means nothing there.
    public static let unexpectedMarkup = Self(rawValue: "unexpectedMarkup")
  }
}
