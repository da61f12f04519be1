/// Who may see an object of a scope.
public enum Sharing: Sendable {
  /// One object for everybody, so it must be `Sendable`.
  case shared
  /// A new object for each request.
  case fresh
  /// One object for a thread or task, which must not leave it.
  case confined
}
