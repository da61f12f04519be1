public import OxbowDocuments

/// What is known of one definition: where it is written, what it makes, what it needs.
public struct DefinitionSummary: Sendable {
  /// The name of the object.
  public let name: String
  /// The class that a file or annotation names; nil for definitions in code.
  public let className: String?
  /// The type of the object: the product's for a factory; nil where no class was looked at.
  public let typeName: String?
  /// The name of the scope.
  public let scope: String
  /// What the scope means, in one sentence without its end.
  public let scopeMeaning: String
  /// Who may see an object; nil for a scope that does not exist.
  public let sharing: Sharing?
  /// Whether the object may be used by several threads; nil where no class was looked at.
  public let isSendable: Bool?
  /// Whether the object is built by its first use, behind a proxy.
  public let isLazy: Bool
  /// Whether the object is built by `build()`.
  public let isEager: Bool
  /// Whether the object is the one that counts where several fit a type.
  public let isPrimary: Bool
  /// Other names of the object.
  public internal(set) var aliases: [String] = []
  /// Whether the definition only has parts for others that name it as their parent.
  public let isAbstract: Bool
  /// The definition whose parts this one takes over.
  public let parent: String?
  /// What the file says about the object.
  public let summary: String?
  /// Where the definition is written.
  public let location: SourceLocation?
  /// What the object needs, in order.
  public internal(set) var needs: [Need]
  /// What is behind the proxy that aspects run in, where the object has one.
  var surrounded: SurroundedObject?
  /// The places that are filled by type, where no class was looked at: their objects are not known.
  public internal(set) var placesByType: [String]

  /// The names of the definitions that it refers to, in order, each once.
  public var references: [String] {
    var seen: Set<String> = []
    return needs.map(\.target).filter { seen.insert($0).inserted }
  }

  /// Whether users of the object get a proxy.
  public var isProxy: Bool { isLazy || needs.contains { $0.how.isProxy } }

  /// What a reader sees as the object's type.
  var shownType: String? { typeName ?? className }
}

extension DefinitionSummary {
  /// One arrow between two definitions.
  public struct Need: Sendable, Hashable {
    /// The definition that needs the other.
    public let owner: String
    /// Where the other object goes: `property "captain"`, `initializer argument 2`.
    public let role: String
    /// The name of the definition that is needed.
    public internal(set) var target: String
    /// How it arrives.
    public let how: How
    /// Where the need is written down.
    public let location: SourceLocation?
    /// Whether there is a definition of the target's name.
    public internal(set) var isDefined = true
  }

  /// How a needed object arrives.
  public struct How: Hashable, Sendable, CustomStringConvertible {
    /// The name.
    public let description: String

    private init(_ description: String) { self.description = description }

    /// The object is needed before the constructor runs.
    public static let constructor = How("constructor")
    /// The object is set after the constructor, before its owner is handed out.
    public static let property = How("property")
    /// A `Provider` asks for the object when it is called.
    public static let provider = How("provider")
    /// A `FactoryObject` makes a new object on each call.
    public static let factory = How("factory")
    /// A `Lazy` has the object built when it is first asked for.
    public static let lazy = How("lazy")
    /// A proxy has the object built by its first call.
    public static let lazyProxy = How("lazy proxy")
    /// A proxy has one object for each thread.
    public static let threadProxy = How("thread-local proxy")
    /// An object for each task's scope, behind a proxy.
    public static let taskProxy = How("task-local proxy")

    /// Whether the object is not needed for building its owner.
    public var isLate: Bool { self != .constructor && self != .property }

    /// Whether the owner is a proxy of the object.
    public var isProxy: Bool { self == .lazyProxy || self == .threadProxy || self == .taskProxy }
  }
}
