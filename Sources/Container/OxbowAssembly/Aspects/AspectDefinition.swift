internal import OxbowContainer
public import OxbowDocuments

/// An interceptor and the methods around which it is called, as a wiring file declares them.
///
/// A builder that loads the document defines a singleton of the class under the aspect's name, and
/// has it run around the methods; see `Aspect`.
public struct AspectDefinition: Sendable, Hashable {
  /// The name of the aspect.
  public let name: String
  /// The name of the interceptor's class.
  public let className: String
  /// Which methods of which objects are intercepted, in document order.
  public let joinPoints: [JoinPoint]
  /// Where the aspect is written.
  public let location: SourceLocation?

  /// The definition of the interceptor.
  var object: ObjectDefinition { ObjectDefinition(name, class: className, at: location) }
}

/// Methods of objects: what one joinpoint selects.
///
/// ```
/// object||superman2,superman3||(walk)
/// class||SuperMan||(fly),(attack)
/// object||*||(*)
/// ```
///
/// Three parts between double bars: whether objects or classes are named; their names, or `*` for
/// all; the methods, each in parentheses, or `(*)` for all. Blanks around names mean nothing.
public struct JoinPoint: Sendable, Hashable {
  /// What the targets are names of.
  public enum Kind: String, Sendable, Hashable {
    /// Names of objects.
    case object
    /// Names of classes.
    case `class`
  }

  /// All that there are, or some by name.
  public enum Selection: Sendable, Hashable {
    /// All.
    case all
    /// Those with the names.
    case names([Name])
  }

  /// A name with its position in the expression.
  public struct Name: Sendable, Hashable {
    /// The name.
    public let text: String
    /// The number of its first character in the expression, counted from 1.
    public let position: Int
  }

  /// What the targets are names of.
  public let kind: Kind
  /// The objects or classes.
  public let targets: Selection
  /// The methods.
  public let methods: Selection
  /// The expression as it was read.
  public let expression: String
  /// Where the joinpoint is written.
  public let location: SourceLocation?
}

extension JoinPoint {
  /// What the joinpoint selects in a container.
  var pointcut: Pointcut {
    var pointcut = Pointcut(selectedTargets)
    pointcut.methodNames =
      if case .names(let names) = methods { names.map(\.text) } else { [Pointcut.all] }
    pointcut.location = location
    return pointcut
  }

  private var selectedTargets: Pointcut.Targets {
    guard case .names(let names) = targets else { return .all }
    let texts = names.map(\.text)
    return kind == .object ? .objects(texts) : .classes(texts)
  }
}
