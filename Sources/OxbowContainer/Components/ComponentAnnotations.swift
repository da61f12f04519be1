internal import OxbowDocuments

/// What the annotations of a class say about its definition.
///
/// A definition from a file, or in code, that names the class takes over what is annotated on
/// properties and initializers; what the definition says itself goes before that. Name, scope,
/// laziness and being primary count for definitions that are made from the class itself only.
public struct ComponentAnnotations: Sendable {
  /// The name of the object; nil for the name of the class.
  public var name: String?
  /// The name of the scope.
  public var scope: String
  /// Whether the object is built by its first use, behind a proxy.
  public var isLazy: Bool
  /// Whether the object is the one that counts where several fit a type.
  public var isPrimary: Bool
  /// What is set: properties, and arguments of the initializer.
  public var assignments: [PropertyAssignment]

  /// Creates annotations.
  public init(
    name: String? = nil, scope: String = "prototype", isLazy: Bool = false,
    isPrimary: Bool = false, assignments: [PropertyAssignment] = []
  ) {
    self.name = name
    self.scope = scope
    self.isLazy = isLazy
    self.isPrimary = isPrimary
    self.assignments = assignments
  }
}

extension PropertyAssignment {
  /// What an annotation on a property or initializer sets.
  ///
  /// - Parameters:
  ///   - name: The name of the property, or the label of the argument.
  ///   - content: What it is set to.
  ///   - file: The source file of the annotation, for messages.
  ///   - line: The line in that file.
  ///   - column: The column in that line.
  /// - Returns: The assignment.
  public static func annotated(
    _ name: String, _ content: InjectedContent, file: String = #fileID, line: Int = #line,
    column: Int = #column
  ) -> PropertyAssignment {
    PropertyAssignment(
      name, to: content, at: SourceLocation(file: file, line: line, column: column))
  }
}

/// What `@Component` says about the definition that is made from the class itself.
public struct ComponentTrait: Sendable, Hashable {
  private let name: String

  /// One object for the whole container; its class must be `Sendable`.
  public static let singleton = ComponentTrait(name: "singleton")
  /// A new object for each request, as without any trait.
  public static let prototype = ComponentTrait(name: "prototype")
  /// One object for each request from outside, shared by all that is built for it.
  public static let objectGraph = ComponentTrait(name: "objectGraph")
  /// One object for as long as somebody holds it; its class must be `Sendable`.
  public static let weakSingleton = ComponentTrait(name: "weakSingleton")
  /// One object for each thread.
  public static let thread = ComponentTrait(name: "thread")
  /// One object for each task scope.
  public static let task = ComponentTrait(name: "task")
  /// Built by its first use, behind a proxy.
  public static let lazy = ComponentTrait(name: "lazy")
  /// The one that counts where several objects fit a type.
  public static let primary = ComponentTrait(name: "primary")
}
