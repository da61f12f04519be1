public import OxbowModel

extension ManagedObjectContext {
  /// Makes a new object of a class's entity and fills it in.
  ///
  /// ```swift
  /// try context.insert(Book.self) {
  ///   $0.title = "Kindred"
  ///   $0.author = octavia
  /// }
  /// ```
  ///
  /// - Returns: The object, to be written by the next save.
  /// - Throws: ``PersistenceError`` as ``insert(_:)``.
  @discardableResult
  public func insert<T: ManagedObject>(
    _ type: T.Type = T.self, filling fill: (T) -> Void
  ) throws(PersistenceError) -> T {
    let object = try insert(type)
    fill(object)
    return object
  }

  /// Makes a new object of a class's entity and fills it in; when that fails, there is no new
  /// object.
  ///
  /// Objects that `fill` tied to the new one are untied again, whatever the delete rules say; what
  /// it did otherwise stays.
  ///
  /// - Returns: The object, to be written by the next save.
  /// - Throws: ``PersistenceError`` as ``insert(_:)``, and what `fill` throws.
  @discardableResult
  public func insert<T: ManagedObject>(
    _ type: T.Type = T.self, filling fill: (T) throws -> Void
  ) throws -> T {
    try filled(insert(type), by: fill)
  }

  /// Undoes the insert of an object, and of nothing that it leads to.
  ///
  /// An error that a getter has recorded stays for the next call that throws.
  func withdraw(_ object: ManagedObject) {
    guard object.isInserted else { return }
    let pending = pendingFault
    pendingFault = nil
    defer { pendingFault = pending ?? pendingFault }
    for property in object.entity.relationships {
      if property.relationship?.isToMany == true {
        object.setRelatedObjects(of: property, to: [])
      } else {
        object.setRelatedObject(of: property, to: nil)
      }
    }
    // Untied, the object has no rule that could keep it.
    try? delete(object)
  }
}

/// A new object, filled in; when that fails, its insert is undone.
func filled<T: ManagedObject>(_ object: T, by fill: (T) throws -> Void) throws -> T {
  do {
    try fill(object)
    return object
  } catch {
    object.context?.withdraw(object)
    throw error
  }
}
