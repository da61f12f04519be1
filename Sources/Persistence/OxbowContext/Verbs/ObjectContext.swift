internal import OxbowModel

/// A context for repositories: the protocol behind which a proxy gives each thread its own.
///
/// A repository holds an `any ObjectContext & Sendable`, a proxy, and never a context itself. The
/// verbs are those of ``ManagedObjectContext``, where they are explained. All of them throw,
/// because a proxy may find no context to forward to: the store cannot be opened, or the caller is
/// inside a task to which no context is bound.
///
/// None of them is for asynchronous code: a thread's context changes at each `await`. There, use
/// `perform { context in … }`.
///
/// A property of the context is read by its name and set with ``set(_:to:)``:
///
/// ```swift
/// try context.set(\.mergePolicy, to: .mergeByProperty)
/// try context.save()
/// for conflict in try context.mergedConflicts { print(conflict) }
/// ```
///
/// - Important: An object that a proxy returned is checked at run time only. Keep it on its thread;
///   pass its ``ManagedObject/objectID`` on.
public protocol ObjectContext: AnyObject {
  /// Runs a body with the caller's own context, as all verbs do.
  ///
  /// `call` is the verb and its arguments, for code that watches calls.
  ///
  /// - Throws: What `body` throws, and why the caller has no context.
  @available(*, noasync, message: "use perform { context in … }")
  func withContext<R>(
    _ call: @autoclosure () -> ContextCall, _ body: (ManagedObjectContext) throws -> R
  ) throws -> R
}

extension ManagedObjectContext: ObjectContext {
  /// Runs a body with this context.
  public func withContext<R>(
    _ call: @autoclosure () -> ContextCall, _ body: (ManagedObjectContext) throws -> R
  ) throws -> R { try body(self) }
}

extension ObjectContext {
  /// Runs a body with the caller's own context, for everything that this protocol does not name.
  ///
  /// ```swift
  /// try context.withOwn { own in own.userInfo["import"] = name }
  /// ```
  ///
  /// It is the context that all other calls of the caller are forwarded to, and that a transaction
  /// saves. Neither it nor its objects may leave the thread.
  @available(*, noasync, message: "use perform { context in … }")
  public func withOwn<R>(_ body: (ManagedObjectContext) throws -> R) throws -> R {
    try call([.function]) { own in
      try own.token.requireOwner("withOwn")
      return try body(own)
    }
  }

  /// Sets a property of the caller's own context: its merge policy, whether it records changes.
  ///
  /// A property that is a function, such as `afterMerging`, is set through ``withOwn(_:)``: the
  /// compiler (6.3) crashes on a function with typed throws as a generic value.
  @available(*, noasync, message: "use perform { context in … }")
  public func set<Value>(
    _ property: ReferenceWritableKeyPath<ManagedObjectContext, Value>, to value: Value
  ) throws {
    try call([.of(property), .of(value)]) { own in
      try own.token.requireOwner("set")
      own[keyPath: property] = value
    }
  }
}

extension ObjectContext {
  /// Calls a verb of the caller's own context.
  func call<R>(
    _ arguments: @autoclosure () -> [ContextCall.Argument] = [], _ name: String = #function,
    _ verb: (ManagedObjectContext) throws -> R
  ) throws -> R { try withContext(ContextCall(name: name, arguments: arguments()), verb) }
}
