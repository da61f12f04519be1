extension ObjectContext {
  /// Whether changes are recorded, so that they can be undone.
  @available(*, noasync, message: "use perform { context in … }")
  public var isUndoEnabled: Bool { get throws { try call { $0.isUndoEnabled } } }

  /// Whether there is a group to undo.
  @available(*, noasync, message: "use perform { context in … }")
  public var canUndo: Bool { get throws { try call { $0.canUndo } } }

  /// Whether there is a group to redo.
  @available(*, noasync, message: "use perform { context in … }")
  public var canRedo: Bool { get throws { try call { $0.canRedo } } }

  /// The name of the group that ``undo(overwriting:)`` would take back.
  @available(*, noasync, message: "use perform { context in … }")
  public var undoActionName: String? { get throws { try call { $0.undoActionName } } }

  /// The name of the group that ``redo(overwriting:)`` would bring back.
  @available(*, noasync, message: "use perform { context in … }")
  public var redoActionName: String? { get throws { try call { $0.redoActionName } } }

  /// Runs a body whose changes are undone at once.
  @available(*, noasync, message: "use perform { context in … }")
  public func undoGroup<R, E: Error>(_ name: String? = nil, _ body: () throws(E) -> R) throws -> R {
    try call([.of(name), .function]) { try $0.undoGroup(name, body) }
  }

  /// Runs a body whose changes cannot be undone.
  @available(*, noasync, message: "use perform { context in … }")
  public func withoutUndoRegistration<R, E: Error>(_ body: () throws(E) -> R) throws -> R {
    try call([.function]) { try $0.withoutUndoRegistration(body) }
  }

  /// Takes back the last group of changes.
  @available(*, noasync, message: "use perform { context in … }")
  @discardableResult
  public func undo(overwriting: Bool = false) throws -> Bool {
    try call([.of(overwriting)]) { try $0.undo(overwriting: overwriting) }
  }

  /// Brings back the group that was undone last.
  @available(*, noasync, message: "use perform { context in … }")
  @discardableResult
  public func redo(overwriting: Bool = false) throws -> Bool {
    try call([.of(overwriting)]) { try $0.redo(overwriting: overwriting) }
  }
}
