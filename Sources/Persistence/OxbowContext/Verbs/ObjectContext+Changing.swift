public import OxbowFoundation
public import OxbowModel
public import OxbowStore

extension ObjectContext {
  /// Makes a new object of a class's entity.
  @available(*, noasync, message: "use perform { context in … }")
  public func insert<T: ManagedObject>(_ type: T.Type = T.self) throws -> T {
    try call([.of(type)]) { try $0.insert(type) }
  }

  /// Makes a new object of the entity called `name`.
  @available(*, noasync, message: "use perform { context in … }")
  public func insert(entityNamed name: String) throws -> ManagedObject {
    try call([.of(name)]) { try $0.insert(entityNamed: name) }
  }

  /// Deletes an object with the next save.
  @available(*, noasync, message: "use perform { context in … }")
  public func delete(_ object: ManagedObject) throws {
    try call([.of(object)]) { try $0.delete(object) }
  }

  /// Adds to a number, in memory now and in the store when the context saves.
  @available(*, noasync, message: "use perform { context in … }")
  public func increment<T: ManagedObject & ModelObject, Value: Summable>(
    _ attribute: KeyPath<T, Value>, of object: T, by increment: Value
  ) throws {
    try call([.of(attribute), .of(object), .of(increment)]) {
      try $0.increment(attribute, of: object, by: increment)
    }
  }

  /// Adds to a number that may have no value; then it is refused.
  @available(*, noasync, message: "use perform { context in … }")
  public func increment<T: ManagedObject & ModelObject, Value: Summable>(
    _ attribute: KeyPath<T, Value?>, of object: T, by increment: Value
  ) throws {
    try call([.of(attribute), .of(object), .of(increment)]) {
      try $0.increment(attribute, of: object, by: increment)
    }
  }

  /// Adds to the number called `name`, a part of a composite attribute by its path.
  @available(*, noasync, message: "use perform { context in … }")
  public func increment(_ name: String, of object: ManagedObject, by increment: AttributeValue)
    throws
  {
    try call([.of(name), .of(object), .of(increment)]) {
      try $0.increment(name, of: object, by: increment)
    }
  }

  /// Changes an object on the condition that the store's row meets when the context saves.
  @available(*, noasync, message: "use perform { context in … }")
  public func change<T: ManagedObject>(
    _ object: T, if condition: FetchPredicate, _ body: (T) throws -> Void
  ) throws {
    try call([.of(object), .of(condition), .function]) {
      try $0.change(object, if: condition, body)
    }
  }

  /// Changes an object on a condition that is a `#Predicate`.
  @available(*, noasync, message: "use perform { context in … }")
  public func change<T: ManagedObject & ModelObject>(
    _ object: T, if condition: Predicate<T>, _ body: (T) throws -> Void
  ) throws { try change(object, if: try FetchPredicate(condition), body) }

  /// Keeps a value with the store under a key, with the next save; `nil` removes it.
  @available(*, noasync, message: "use perform { context in … }")
  public func setMetadata(_ value: (any AttributeConvertible)?, for key: String) throws {
    try call([.of(value), .of(key)]) { try $0.setMetadata(value, for: key) }
  }

  /// Writes all changes in one transaction.
  @available(*, noasync, message: "use perform { context in … }")
  public func save() throws { try call { try $0.save() } }

  /// Forgets all changes.
  @available(*, noasync, message: "use perform { context in … }")
  public func rollback() throws { try call { try $0.rollback() } }

  /// Forgets all objects and all changes.
  @available(*, noasync, message: "use perform { context in … }")
  public func reset() throws { try call { try $0.reset() } }

  /// Whether the next save has something to write.
  @available(*, noasync, message: "use perform { context in … }")
  public var hasChanges: Bool { get throws { try call { $0.hasChanges } } }

  /// The objects that the next save inserts.
  @available(*, noasync, message: "use perform { context in … }")
  public var insertedObjects: Set<ManagedObject> { get throws { try call { $0.insertedObjects } } }

  /// The objects that the next save updates.
  @available(*, noasync, message: "use perform { context in … }")
  public var updatedObjects: Set<ManagedObject> { get throws { try call { $0.updatedObjects } } }

  /// The objects that the next save deletes.
  @available(*, noasync, message: "use perform { context in … }")
  public var deletedObjects: Set<ManagedObject> { get throws { try call { $0.deletedObjects } } }

  /// How a save resolves conflicts with other contexts' saves of the same objects.
  @available(*, noasync, message: "use perform { context in … }")
  public var mergePolicy: MergePolicy { get throws { try call { $0.mergePolicy } } }

  /// The conflicts that the last save resolved by its policy.
  @available(*, noasync, message: "use perform { context in … }")
  public var mergedConflicts: [MergeConflict] { get throws { try call { $0.mergedConflicts } } }

  /// Brings the context up to date with a save of another one.
  @available(*, noasync, message: "use perform { context in … }")
  public func mergeChanges(from event: SaveEvent) throws {
    try call([.of(event)]) { try $0.mergeChanges(from: event) }
  }

  /// Calls a function with the program's changes, on request and before each save.
  @available(*, noasync, message: "use perform { context in … }")
  public func onChange(_ body: @escaping (ContextChange) -> Void) throws -> ContextSubscription {
    try call([.function]) { $0.onChange(body) }
  }

  /// Calls a function before each save, which it can refuse.
  @available(*, noasync, message: "use perform { context in … }")
  public func onWillSave(_ body: @escaping () throws(PersistenceError) -> Void) throws
    -> ContextSubscription
  {
    try call([.function]) { $0.onWillSave(body) }
  }

  /// Notifies subscribers of the changes since the last time.
  @available(*, noasync, message: "use perform { context in … }")
  public func processPendingChanges() throws { try call { $0.processPendingChanges() } }
}

extension ManagedObjectContext {
  /// Creates a draft: a context whose store is the caller's own context behind a proxy.
  @available(*, noasync, message: "use perform { context in … }")
  public convenience init(parent: any ObjectContext, name: String = "child") throws {
    self.init(parent: try parent.call { $0 }, name: name)
  }
}
