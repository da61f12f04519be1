public import OxbowDocuments

/// A failure of the persistence half: model, store, context or migration.
///
/// A message names the thing, says what was seen, and says what to do. Labelled details (statement,
/// difference) and near names follow it in ``description``. Ask for the code:
///
/// ```swift
/// do { try context.save() } catch {
///   guard error.code == .conflict else { throw error }
/// }
/// ```
///
/// Calls of contexts and stores say what they throw, so that `error` is a `PersistenceError` there,
/// and patterns after `catch` are not for them: the compiler of Swift 6.3 refuses some of them and
/// crashes on others. Where calls that throw other errors are among them, the pattern
/// `catch PersistenceError.Code.conflict` matches when the error or any of its ``problems`` has the
/// code.
public struct PersistenceError: Error, Sendable, CustomStringConvertible {
  /// The kind of failure.
  public let code: Code

  /// What failed, what was seen, what to do, in one or more sentences.
  public let message: String

  /// The location in a document, when the failure has one.
  public let location: SourceLocation?

  /// Labelled blocks that follow the message, in order.
  public var details: [Detail]

  /// Names that a typo may have meant, nearest first.
  public let nearNames: [String]

  /// Every problem found, when several were collected before the error was thrown.
  public let problems: [PersistenceError]

  /// The objects concerned, when the failure is about objects.
  public var objectIDs: [ManagedObjectID]

  /// What few errors have: on the heap, because each frame of a recursion that throws has room for
  /// an error.
  private var kept: [Particulars] = []

  struct Particulars: Sendable {
    var failure: ValidationFailure?
    var conflicts: [MergeConflict] = []
    var underlying: (any Error)?
    var followsLookup = false
  }

  var particulars: Particulars {
    get { kept.first ?? Particulars() }
    set { kept = [newValue] }
  }

  /// Creates an error.
  public init(
    _ code: Code, _ message: String, at location: SourceLocation? = nil,
    nearNames: [String] = [], details: [Detail] = [], problems: [PersistenceError] = [],
    objectIDs: [ManagedObjectID] = []
  ) {
    self.code = code
    self.message = message
    self.location = location
    self.details = details
    self.nearNames = nearNames
    self.problems = problems
    self.objectIDs = objectIDs
  }

  /// Returns the only problem, or one error for all of them.
  package static func collecting(_ code: Code, _ summary: String, _ problems: [PersistenceError])
    -> PersistenceError
  {
    if problems.count == 1, let only = problems.first { return only }
    return PersistenceError(code, summary, problems: problems)
  }

  package func adding(_ label: String, _ text: String) -> PersistenceError {
    var copy = self
    copy.details.append(Detail(label: label, text: text))
    return copy
  }

  /// The message with its location, labelled blocks, near names, and every problem on lines of its
  /// own.
  public var description: String {
    var text = location.map { "\($0): " } ?? ""
    text += message
    for detail in details { text += "\n  \(detail.label): \(detail.text)" }
    if !nearNames.isEmpty {
      text += "\n  did you mean: \(nearNames.map { "'\($0)'" }.joined(separator: ", "))?"
    }
    for problem in problems {
      text += "\n- " + problem.description.split(separator: "\n").joined(separator: "\n  ")
    }
    return text
  }

  /// A labelled block of an error.
  public struct Detail: Sendable, Hashable {
    /// What the text is: "statement", "difference".
    public let label: String

    /// The text.
    public let text: String

    /// Creates a labelled block.
    public init(label: String, text: String) {
      self.label = label
      self.text = text
    }
  }

  /// A kind of failure; new ones may come with new versions.
  public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The code's name, as it is written in Swift.
    public let rawValue: String

    /// Creates a code from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The code's name.
    public var description: String { rawValue }

    /// Matches an error that has the code, or one of whose problems has it.
    public static func ~= (code: Code, error: any Error) -> Bool {
      guard let error = error as? PersistenceError else { return false }
      return error.code == code || error.problems.contains { code ~= $0 }
    }
  }
}

extension PersistenceError.Code {
  /// A model or a model document contradicts itself.
  public static let invalidModel = Self(rawValue: "invalidModel")
  /// Models that were to be merged disagree.
  public static let modelConflict = Self(rawValue: "modelConflict")
  /// Something that Oxbow reads or accepts, but does not support.
  public static let unsupported = Self(rawValue: "unsupported")
  /// A predicate or a sort key that the model or the store cannot answer.
  public static let invalidPredicate = Self(rawValue: "invalidPredicate")
  /// The store was written for another model.
  public static let modelMismatch = Self(rawValue: "modelMismatch")
  /// The store's model changed while it was open.
  public static let storeWasMigrated = Self(rawValue: "storeWasMigrated")
  /// The file is not an SQLite database, or not an Oxbow store.
  public static let notAStore = Self(rawValue: "notAStore")
  /// The file or its folder cannot be opened.
  public static let storeUnreachable = Self(rawValue: "storeUnreachable")
  /// The process, or the system, has as many files open as it may.
  public static let tooManyFiles = Self(rawValue: "tooManyFiles")
  /// Another connection or process holds the store; trying again is safe.
  public static let storeLocked = Self(rawValue: "storeLocked")
  /// The store was opened read-only, or its file cannot be written.
  public static let storeReadOnly = Self(rawValue: "storeReadOnly")
  /// The disk or the store's page limit is full.
  public static let storeFull = Self(rawValue: "storeFull")
  /// The database's pages are damaged.
  public static let storeCorrupt = Self(rawValue: "storeCorrupt")
  /// The store or its coordinator was closed.
  public static let storeClosed = Self(rawValue: "storeClosed")
  /// A pinned view of the store has reached a limit, or there are too many.
  public static let viewEnded = Self(rawValue: "viewEnded")
  /// A read or a write of the file failed.
  public static let ioFailure = Self(rawValue: "ioFailure")
  /// The operating system failed during a commit: it may be durable or not.
  public static let commitUnknown = Self(rawValue: "commitUnknown")
  /// A store of the program's own (`AtomicStore`) failed; ``PersistenceError/underlyingError`` is
  /// what it threw.
  public static let storeFailed = Self(rawValue: "storeFailed")
  /// A statement failed for a reason that no other code names.
  public static let statementFailed = Self(rawValue: "statementFailed")
  /// A stored value does not fit the model: NULL, wrong type, out of range, bad text.
  public static let invalidStoredValue = Self(rawValue: "invalidStoredValue")
  /// An object does not keep the model's rules; nothing was saved.
  public static let validation = Self(rawValue: "validation")
  /// An object would have values that must be unique and that another object has; nothing was
  /// saved.
  ///
  /// ``PersistenceError/validationFailures`` has the properties, the values and the object that has
  /// them. The error's object IDs are that of the object and, where it is known, that of the other
  /// one.
  public static let uniquenessViolated = Self(rawValue: "uniquenessViolated")
  /// Another context saved a newer version of an object.
  public static let conflict = Self(rawValue: "conflict")
  /// A fault's row no longer exists.
  public static let rowGone = Self(rawValue: "rowGone")
  /// The store has the row of an object, which does not meet the condition of a change.
  public static let conditionFailed = Self(rawValue: "conditionFailed")
  /// Malformed JSON, or JSON that does not match the model; ``PersistenceError/problems`` lists all
  /// that is wrong.
  public static let invalidJSON = Self(rawValue: "invalidJSON")
  /// The sum of a number and an increment does not fit into the attribute.
  public static let overflow = Self(rawValue: "overflow")
  /// The context's policy does not allow an unplanned fault.
  public static let faultRefused = Self(rawValue: "faultRefused")
  /// A hook asked for something that cannot be done while it runs.
  public static let insideHook = Self(rawValue: "insideHook")
  /// Hooks changed objects again and again, so that a save found no end.
  public static let unsettledHooks = Self(rawValue: "unsettledHooks")
  /// An undo or a redo that the context cannot make: it records nothing, or a group is open.
  public static let undoRefused = Self(rawValue: "undoRefused")
  /// An object was used off its context's owner.
  public static let wrongOwner = Self(rawValue: "wrongOwner")
  /// An object of another context, or of none, was passed.
  public static let foreignObject = Self(rawValue: "foreignObject")
  /// A name that the entity does not have, or a value of another type.
  public static let unknownProperty = Self(rawValue: "unknownProperty")
  /// An entity that the model does not have.
  public static let unknownEntity = Self(rawValue: "unknownEntity")
  /// A class and the model do not fit each other.
  public static let classMismatch = Self(rawValue: "classMismatch")
  /// A call that had joined a transaction failed and its error was caught, or it was rolled back.
  public static let transactionFailed = Self(rawValue: "transactionFailed")
  /// A call in a read-only transaction has changed objects.
  public static let readOnlyTransaction = Self(rawValue: "readOnlyTransaction")
  /// A call inside of a transaction that writes at once, or forgets what is to be saved.
  public static let insideTransaction = Self(rawValue: "insideTransaction")
  /// A thread-bound context was asked for inside a task.
  public static let insideTask = Self(rawValue: "insideTask")
  /// The process has no thread-specific key left for the contexts of another store's threads.
  public static let threadKeysExhausted = Self(rawValue: "threadKeysExhausted")
  /// A migration cannot be planned or was refused.
  public static let migration = Self(rawValue: "migration")
  /// The store has no history of its saves.
  public static let historyOff = Self(rawValue: "historyOff")
  /// A place in the history of another store, or of this one before a backup was restored.
  public static let historyForeign = Self(rawValue: "historyForeign")
  /// The token of a slice belongs to another request, another store or another model.
  public static let pageTokenForeign = Self(rawValue: "pageTokenForeign")
  /// Saves that were asked for are not in the history any more, or never were.
  public static let historyMissed = Self(rawValue: "historyMissed")
  /// A consumer still needs saves of the history that were to be removed.
  public static let historyNeeded = Self(rawValue: "historyNeeded")
  /// Another worker has the consumer of a history.
  public static let consumerInUse = Self(rawValue: "consumerInUse")
  /// A consumer that the store does not know.
  public static let consumerUnknown = Self(rawValue: "consumerUnknown")
  /// The task that read was cancelled.
  public static let cancelled = Self(rawValue: "cancelled")
}

extension PersistenceError {
  package static let cancelled = PersistenceError(
    .cancelled, "the read was stopped, because its task was cancelled; nothing was changed")

  /// What a store of the program's own threw, where that is why something failed.
  public var underlyingError: (any Error)? { particulars.underlying }

  package static func storeFailed(_ name: String, _ what: String, _ error: any Error) -> Self {
    var result = PersistenceError(
      .storeFailed, "the store '\(name)' \(what)",
      details: [Detail(label: "store", text: "\(error)")])
    result.particulars.underlying = error
    return result
  }

  /// Whether a unique value is taken that the call had looked for: another look may find it.
  package var followsLookup: Bool { particulars.followsLookup }

  /// Returns a copy that says whether the call had looked for the value.
  package func afterLookup(_ hasLooked: Bool) -> PersistenceError {
    guard hasLooked else { return self }
    var copy = self
    copy.particulars.followsLookup = true
    return copy
  }
}

extension PersistenceError: CancellationReporting {
  package var isCancellation: Bool { code == .cancelled }
}
