extension PersistenceError.Code {
  /// The task that read was cancelled.
  public static let cancelled = Self(rawValue: "cancelled")
}

extension PersistenceError {
  /// A read that was stopped with its task.
  package static let cancelled = PersistenceError(
    .cancelled, "the read was stopped, because its task was cancelled; nothing was changed")
}
