/// How long an object lives and who may see it.
///
/// A scope is one file: a value that names itself, states how its objects are shared, and makes the
/// provider that keeps them. Everything else (validation, linking, dialects) asks for nothing more.
package protocol Scope: Sendable {
  /// The name that files use.
  var name: String { get }
  var sharing: Sharing { get }
  /// Whether everything that is made for one request shares one object.
  var isSharedWithinRequest: Bool { get }
  /// Whether the scope keeps objects of classes only, and no values.
  var needsClass: Bool { get }
  /// What the scope means: "a new object for each request".
  var meaning: String { get }
  func makeProvider<T>(_ type: T.Type, named name: String, in group: CycleGroup, linker: Linker)
    throws
    -> ScopedProvider<T>
}

/// Who may see an object of a scope.
public enum Sharing: Sendable {
  /// One object for everybody, so it must be `Sendable`.
  case shared
  /// A new object for each request.
  case fresh
  /// One object for a thread or task, which must not leave it.
  case confined
}

extension Scope {
  package var isSharedWithinRequest: Bool { false }
  package var needsClass: Bool { false }

  package var meaning: String {
    switch sharing {
    case .shared: "one object for the whole container"
    case .fresh: "a new object for each request and each place where it is injected"
    case .confined: "one object for each \(name), which it never leaves"
    }
  }
}
