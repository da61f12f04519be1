public import OxbowModel
internal import OxbowStore

// Undo and redo. A group of changes is taken back as a whole, as new edits: the next save writes
// them, and finds conflicts as for any other.

extension ManagedObjectContext {
  /// Whether the context records its changes, so that they can be undone; `false` at first.
  ///
  /// Everything that a program changes is recorded: objects that are inserted and deleted, with all
  /// that delete rules do to others, attributes, and relationships with their order. Changes that
  /// arrive from others are not. Turning it off forgets what was recorded.
  ///
  /// While it is on, a deletion reads the rows of all objects that it deletes, and removing an
  /// object from an ordered relationship reads the relationship. Off the owner `false`, and the use
  /// is reported.
  public var isUndoEnabled: Bool {
    get { isOwned("isUndoEnabled") && undoLog != nil }
    set {
      guard isOwned("isUndoEnabled"), newValue != (undoLog != nil) else { return }
      undoLog = newValue ? UndoLog(of: self, levels: work.levelsOfUndo) : nil
      token.recordsEdits(newValue)
    }
  }

  /// The number of groups that can be undone; 0, the value at first, for any number.
  ///
  /// Older ones are forgotten.
  public var undoLevels: Int {
    get { isOwned("undoLevels") ? work.levelsOfUndo : 0 }
    set {
      guard isOwned("undoLevels") else { return }
      work.levelsOfUndo = max(0, newValue)
      undoLog?.levels = work.levelsOfUndo
    }
  }

  /// Whether there is a group to undo; false off the owner, where the use is reported.
  public var canUndo: Bool {
    guard isOwned("canUndo"), let undoLog else { return false }
    return !undoLog.undoable.isEmpty || undoLog.group?.delta().isEmpty == false
  }

  /// Whether there is a group to redo; false off the owner, where the use is reported.
  public var canRedo: Bool { isOwned("canRedo") && undoLog?.redoable.isEmpty == false }

  /// The name of the group to undo, for a menu, or `nil`.
  public var undoActionName: String? {
    guard isOwned("undoActionName"), let undoLog else { return nil }
    if let group = undoLog.group, !group.delta().isEmpty { return group.name }
    return undoLog.undoable.last?.name
  }

  /// The name of the group to redo, or `nil`.
  public var redoActionName: String? {
    isOwned("redoActionName") ? undoLog?.redoable.last?.name : nil
  }

  /// Names the group that is being recorded.
  public func setUndoActionName(_ name: String) {
    if isOwned("setUndoActionName(_:)") { undoLog?.rename(name) }
  }

  /// Forgets everything that can be undone or redone.
  public func removeAllUndoActions() {
    if isOwned("removeAllUndoActions()") { undoLog?.removeAll() }
  }
}

// MARK: - Groups

extension ManagedObjectContext {
  /// Makes one group of the changes that `body` makes, to be undone together.
  ///
  /// ```swift
  /// context.undoGroup("Move chapter") {
  ///   chapter.book = other
  ///   chapter.number = other.chapters.count
  /// }
  /// ```
  ///
  /// Groups nest; the outermost one is undone, under the first name that was given. Outside the
  /// program's groups, a group has all changes from one save, undo or group to the next, because a
  /// context has no events that could divide them.
  ///
  /// If `body` throws, its changes until then stay, as a group.
  ///
  /// - Throws: What `body` throws.
  public func undoGroup<R, E: Error>(
    _ name: String? = nil, _ body: () throws(E) -> R
  ) throws(E) -> R {
    guard isOwned("undoGroup(_:_:)"), let undoLog else { return try body() }
    let outer = undoLog.depth
    undoLog.begin(name)
    defer { undoLog.end(to: outer) }
    return try body()
  }

  /// Begins a group of changes; see ``undoGroup(_:_:)``, which ends it by itself.
  ///
  /// - Throws: ``PersistenceError``: `wrongOwner`, `undoRefused` when nothing is recorded.
  public func beginUndoGroup(_ name: String? = nil) throws(PersistenceError) {
    try requireUndo("beginUndoGroup").begin(name)
  }

  /// Ends the group that was begun last.
  ///
  /// - Throws: ``PersistenceError``: `wrongOwner`, `undoRefused` when no group was begun.
  public func endUndoGroup() throws(PersistenceError) {
    let log = try requireUndo("endUndoGroup")
    guard log.depth > 0 else {
      throw PersistenceError(
        .undoRefused,
        "endUndoGroup() was called in the context '\(name)' without a group that was begun; call "
          + "beginUndoGroup() first, or use undoGroup { … }, which does both")
    }
    log.end(to: log.depth - 1)
  }

  /// Runs `body`, whose changes are not recorded.
  ///
  /// An undo that meets such a change refuses to overwrite it, like one of another context.
  ///
  /// - Throws: What `body` throws.
  public func withoutUndoRegistration<R, E: Error>(
    _ body: () throws(E) -> R
  ) throws(E) -> R {
    guard isOwned("withoutUndoRegistration(_:)") else { return try body() }
    return try withoutRecording(body)
  }

  private func requireUndo(_ action: String) throws(PersistenceError) -> UndoLog {
    try requireOwner(action)
    if let undoLog { return undoLog }
    throw PersistenceError(
      .undoRefused,
      "'\(action)' was called in the context '\(name)', which records no changes; set "
        + "`isUndoEnabled = true` before the changes that are to be undone")
  }
}

// MARK: - Undo and redo

extension ManagedObjectContext {
  /// Takes back the last group of changes.
  ///
  /// An undo is a change like any other: unsaved, checked by the next save, and reversed by
  /// ``redo(overwriting:)``. It does not matter whether the group was saved. An object that was
  /// deleted comes back as the same object with the same ID.
  ///
  /// - Parameter overwriting: Whether to overwrite what others have changed since.
  /// - Returns: Whether there was something to undo.
  /// - Throws: ``PersistenceError``: `undoRefused` if nothing is recorded, or inside a group;
  ///   `conflict` with the objects if a value or a link is not what the group left; why rows could
  ///   not be read. Nothing has changed then, and the group can be undone later.
  /// - Complexity: O(changes of the group); one request to the store for each entity of objects
  ///   that are no longer in memory.
  @discardableResult
  public func undo(overwriting: Bool = false) throws(PersistenceError) -> Bool {
    try reverse("undo", \.undoable, \.redoable, overwriting: overwriting)
  }

  /// Repeats the changes that were undone last.
  ///
  /// What was undone can be redone until the program changes something else.
  ///
  /// - Parameter overwriting: As in ``undo(overwriting:)``.
  /// - Returns: Whether there was something to redo.
  /// - Throws: ``PersistenceError`` as ``undo(overwriting:)``.
  @discardableResult
  public func redo(overwriting: Bool = false) throws(PersistenceError) -> Bool {
    try reverse("redo", \.redoable, \.undoable, overwriting: overwriting)
  }

  /// Takes back the last record of a stack, and moves it to the other one, inverted.
  private func reverse(
    _ action: String, _ stack: UndoLog.Stack, _ other: UndoLog.Stack, overwriting: Bool
  ) throws(PersistenceError) -> Bool {
    try begin(action)
    let log = try requireUndo(action)
    guard log.depth == 0 else {
      throw PersistenceError(
        .undoRefused,
        "'\(action)' was called in the context '\(name)' inside a group of changes; end the group "
          + "first, with endUndoGroup() or by returning from undoGroup { … }")
    }
    log.closeImplicitGroup()
    guard let record = log[keyPath: stack].last else { return false }
    var applier = DeltaApplier(record.inverted, in: self)
    try applier.read()
    if !overwriting { try applier.check(action) }
    let inverse = try withoutRecording { () throws(PersistenceError) in try applier.apply() }
    log[keyPath: stack].removeLast()
    log[keyPath: other].append(inverse)
    return true
  }
}
