// The objects of a context by what the next save does with them, under the names that Core Data
// has.

extension ManagedObjectContext {
  /// The new objects, which the next save inserts; off the owner none, and the use is reported.
  ///
  /// - Complexity: O(changed objects), as for the other sets of changes.
  public var insertedObjects: Set<ManagedObject> {
    isOwned("insertedObjects") ? Set(unsaved.inserted) : []
  }

  /// The saved objects with unsaved changes, which the next save updates; off the owner none, and
  /// the use is reported.
  ///
  /// A new object and one that is to be deleted are not among them, whatever was changed.
  public var updatedObjects: Set<ManagedObject> {
    isOwned("updatedObjects") ? Set(unsaved.updated) : []
  }

  /// The saved objects that the next save deletes; off the owner none, and the use is reported.
  public var deletedObjects: Set<ManagedObject> {
    isOwned("deletedObjects") ? Set(unsaved.deleted) : []
  }

  /// The objects that the context holds, faults included; off the owner none, and the use is
  /// reported.
  ///
  /// Clean objects that nothing else holds are among them until the next sweep.
  ///
  /// - Complexity: O(registered objects).
  public var registeredObjects: Set<ManagedObject> {
    guard isOwned("registeredObjects") else { return [] }
    var objects: Set<ManagedObject> = []
    objects.reserveCapacity(registeredCount)
    for map in maps { map.forEach { objects.insert($0) } }
    return objects
  }
}
