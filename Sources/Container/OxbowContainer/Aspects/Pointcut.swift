package import OxbowDocuments

/// Which methods of which objects an aspect runs around.
///
/// ```swift
/// .objects("books", "authors").methods("save")
/// .objects(of: (any Books).self).methods("find(titleContains:limit:)", "delete")
/// .everything.methods("walk")
/// ```
///
/// Objects are those of the container's definitions. A method is named by its base name, which
/// means all methods that are called so, or with its labels. Without ``methods(_:)`` all methods
/// are meant. A property is meant where it is named, for reading and assigning, and by `"*"`, which
/// means everything. What is named and does not exist is a note of `check()`, with near names.
public struct Pointcut: Sendable {

  package enum Targets: Sendable {
    case all
    case objects([String])
    /// Names of classes, as files write them.
    case classes([String])
    case type(any Any.Type)
  }

  var targets: Targets
  /// The names of methods; nil for all.
  package var methodNames: [String]?
  package var location: SourceLocation?

  package init(_ targets: Targets) { self.targets = targets }

  /// All methods of all objects.
  public static let everything = Pointcut(.all)

  /// All methods of the objects with these names.
  public static func objects(_ names: String...) -> Pointcut { Pointcut(.objects(names)) }

  /// All methods of the objects that conform to a protocol: `(any Books).self`.
  public static func objects<P>(of type: P.Type) -> Pointcut {
    Pointcut(.type(type))
  }

  /// Some of the methods and properties; `"*"` for all of both.
  public func methods(_ names: String...) -> Pointcut {
    var some = self
    some.methodNames = (methodNames ?? []) + names
    return some
  }
}

extension Pointcut {
  /// The name that means all methods and properties.
  package static let all = "*"

  /// Whether it means a method or property.
  func means(_ method: ForwardedMethod) -> Bool {
    guard let methodNames else { return !method.isProperty }
    return methodNames.contains { $0 == Self.all || Self.name($0, means: method.name) }
  }

  /// Whether it names a method or property.
  func names(_ method: ForwardedMethod) -> Bool {
    methodNames?.contains { $0 != Self.all && Self.name($0, means: method.name) } ?? false
  }

  /// Whether a name of the pointcut means a method.
  static func name(_ written: String, means method: String) -> Bool {
    if written == method { return true }
    guard let name = MethodName(text: written) else { return false }
    let base = method.prefix { $0 != "(" }
    let labels = method.dropFirst(base.count + 1).dropLast().split(separator: ":").map(String.init)
    guard written.hasSuffix(":") else {
      return name.base == base && (name.labels.isEmpty || name.labels == labels)
    }
    // Of a selector, the first part is the base, and the first argument has no label.
    let parts = written.dropLast().split(separator: ":").map(String.init)
    return labels.first == "_" && parts == [String(base)] + labels.dropFirst()
  }

  /// The name of an aspect that was given none: a program has several of a kind.
  package func aspectName(_ kind: String) -> String {
    let objects =
      switch targets {
      case .all: "everything"
      case .objects(let names), .classes(let names): names.joined(separator: ", ")
      case .type(let type): "\(type)"
      }
    guard let methodNames else { return "\(kind) of \(objects)" }
    return "\(kind) of \(objects): \(methodNames.joined(separator: ", "))"
  }
}
