public import OxbowFoundation
public import OxbowModel
internal import OxbowStore

// Changes that the store applies to the current row: what many threads change at once needs no
// retry.

extension ManagedObjectContext {
  /// Adds to a number, in memory now and in the store when the context saves.
  ///
  /// ```swift
  /// try context.increment(\Account.balance, of: account, by: 5)
  /// ```
  ///
  /// The save adds to the store's current value, whichever context has saved it: the increments of
  /// all contexts are added, and none conflicts with another. Until then the attribute shows the
  /// sum with the value that the context has read; after the save, the store's sum.
  ///
  /// An increment raises the version of the row and does not compare it. Other changes of the
  /// object in the same save do, so that a save with both can conflict; a merge policy then
  /// resolves the others, and the increment is added to the result. Setting a value afterwards
  /// replaces the increment. For a new object, and after setting a value, an increment changes that
  /// value.
  ///
  /// The model's rules are checked for the store's sum, rules of classes for the sum that the
  /// context shows.
  ///
  /// - Throws: ``PersistenceError``: `validation` for an attribute that has no value; `overflow`
  ///   when the sum does not fit, or is not an exact decimal number; `unsupported` for a derived
  ///   attribute, and in a store that cannot add; `foreignObject`, `wrongOwner`, and why the
  ///   object's row could not be read. The save may throw the same for the store's value.
  public func increment<T: ManagedObject & ModelObject, Value: Summable>(
    _ attribute: KeyPath<T, Value>, of object: T, by increment: Value
  ) throws(PersistenceError) {
    try self.increment(
      T._requireName(of: attribute), of: object, by: increment.attributeValue)
  }

  /// Adds to a number that may have no value; then it is refused.
  ///
  /// - Throws: ``PersistenceError`` as for a required attribute.
  public func increment<T: ManagedObject & ModelObject, Value: Summable>(
    _ attribute: KeyPath<T, Value?>, of object: T, by increment: Value
  ) throws(PersistenceError) {
    try self.increment(
      T._requireName(of: attribute), of: object, by: increment.attributeValue)
  }

  /// Adds to the number called `name`, a part of a composite attribute by its path.
  ///
  /// - Throws: ``PersistenceError`` as with a key path; `unknownProperty` for a name that is not a
  ///   number of the object's.
  public func increment(
    _ name: String, of object: ManagedObject, by increment: AttributeValue
  ) throws(PersistenceError) {
    try begin("increment")
    try requireOwn([object], "increment")
    let property = try object.entity.requireProperty(named: name)
    guard let attribute = property.attribute, let type = attribute.type.incrementType,
      increment.fits(type)
    else {
      let type = property.attribute?.type.rawValue ?? "a relationship"
      throw PersistenceError(
        .unknownProperty,
        "'\(name)' of '\(object.entityName)' is \(type) and cannot be incremented by \(increment)",
        objectIDs: [object.objectID])
    }
    guard attribute.derivation == nil else {
      throw PersistenceError(
        .unsupported,
        "'\(name)' of '\(object)' cannot be incremented: it is derived, and the store computes it; "
          + "change what it is made of", objectIDs: [object.objectID])
    }
    try object.increment(property, by: increment)
  }

  /// Changes an object on the condition that the store's row meets when the context saves.
  ///
  /// ```swift
  /// try context.change(seat, if: .isNil("holder")) { $0.holder = "Ada" }
  /// try context.save()
  /// ```
  ///
  /// The attributes and to-one relationships that `body` changes are saved if the store's row meets
  /// the condition before the save; its version is not compared for them, so other values of the
  /// row may have changed. If the row does not meet it, the save throws `conditionFailed` with the
  /// values of both sides (``OxbowModel/PersistenceError/conflicts``); if it is gone, `conflict`,
  /// as for any change. Nothing of the save was written then.
  ///
  /// Increments can be conditional too: take 30 from an account that has them.
  ///
  /// The condition counts until the next save or rollback, or until the object is refreshed.
  /// Changes at the other end of a one-to-one relationship, and other changes of the object, still
  /// compare versions. In a child context the condition applies to the parent's object, and the
  /// changes are plain changes of that.
  ///
  /// - Throws: ``PersistenceError``: `unsupported` for a new object, which has no row, and in a
  ///   store that cannot check it; `foreignObject`, `wrongOwner`, and why the object's row could
  ///   not be read; what `body` throws, whose changes stay then, without a condition.
  public func change<T: ManagedObject>(
    _ object: T, if condition: FetchPredicate, _ body: (T) throws -> Void
  ) throws {
    try beginConditionalChange(of: object)
    let before = object.overlay?.cells ?? []
    try body(object)
    try throwPendingFault()
    let changed = object.changedProperties(since: before)
    guard !changed.isEmpty else { return }
    unsaved.conditions[object.reference, default: []].append(
      EditCondition(predicate: condition, properties: changed))
  }

  /// Changes an object on a condition that is a `#Predicate`.
  ///
  /// - Throws: ``PersistenceError`` as with a `FetchPredicate`, and `unsupported` for a condition
  ///   that a store cannot answer.
  public func change<T: ManagedObject & ModelObject>(
    _ object: T, if condition: Predicate<T>, _ body: (T) throws -> Void
  ) throws {
    try change(object, if: try FetchPredicate(condition), body)
  }

  private func beginConditionalChange(of object: ManagedObject) throws(PersistenceError) {
    try begin("change(_:if:_:)")
    try requireOwn([object], "change")
    guard !object.isInserted else {
      throw PersistenceError(
        .unsupported,
        "'\(object)' cannot be changed on a condition: it is new, and has no row in the store; save "
          + "it first, or set its values", objectIDs: [object.objectID])
    }
    guard store.appliesIncrements(to: object.entityIndex) else {
      throw PersistenceError(
        .unsupported,
        "'\(object)' cannot be changed on a condition: the store of '\(object.entityName)' does not "
          + "check any; change the object, and save again after a conflict",
        objectIDs: [object.objectID])
    }
  }
}

extension ManagedObject {
  /// The properties that a condition can be about and that were changed since `cells`.
  fileprivate final func changedProperties(since cells: ContiguousArray<Overlay.Cell>) -> Set<Int> {
    guard let overlay else { return [] }
    let changed = entity.properties.filter { property in
      guard property.slot >= 0, property.relationship?.isOneToOne != true else { return false }
      let before = property.index < cells.count ? cells[property.index] : .unchanged
      return overlay.isEdit(at: property.index) && !overlay[property.index].isSameEdit(as: before)
    }
    return Set(changed.map(\.index))
  }
}

extension ModelObject {
  static func _requireName(of property: AnyKeyPath) throws(PersistenceError) -> String {
    if let name = _keyPaths.first(where: { $0.keyPath == property })?.name { return name }
    throw PersistenceError(
      .unknownProperty,
      "the key path is not one of a stored property of '\(entityName)'; name the property itself, "
        + "as in \\\(entityName).name")
  }
}
