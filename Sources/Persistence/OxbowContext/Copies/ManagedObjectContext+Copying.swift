public import OxbowModel
internal import OxbowStore

extension ManagedObjectContext {
  /// Makes a copy of an object, and of those that belong to it.
  ///
  /// ```swift
  /// let draft = try context.copy(of: order)   // with its lines, for the same customer
  /// ```
  ///
  /// The copies are new objects with the attributes of the originals, unsaved changes included.
  /// Links among the originals are links among the copies, in the same order. Links to other
  /// objects lead to the same objects, unless that would take these away from the original: an
  /// object that leads back to one owner stays with it.
  ///
  /// Attributes of a uniqueness constraint of attributes only have the model's defaults, because no
  /// two objects may share their values. Derived attributes are computed by the save.
  ///
  /// - Parameters:
  ///   - object: The object.
  ///   - depth: How many relationships may lead from it to an object that is copied; 0 for the
  ///     object alone.
  ///   - following: The relationships along which objects are copied.
  /// - Returns: The copy.
  /// - Throws: ``PersistenceError``: `foreignObject`, `wrongOwner`, why rows could not be read or
  ///   keys not be reserved. Nothing was made then.
  @discardableResult
  public func copy<T: ManagedObject>(
    of object: T, depth: Int = .max, following: CopiedRelationships = .owned
  ) throws(PersistenceError) -> T {
    try begin("copy")
    try requireOwn([object], "copy")
    let levels = try GraphLevels(from: [object], depth: depth, rim: .rows, in: self) {
      following == .all || $0.deleteRule == .cascade
    }
    var copies: [ManagedObject: ManagedObject] = [:]
    do throws(PersistenceError) {
      for original in levels.objects {
        copies[original] = try insert(entityNamed: original.entityName)
      }
      for original in levels.objects { try copyValues(of: original, copies) }
      for original in levels.objects { try copyLinks(of: original, copies, levels) }
    } catch {
      for copy in copies.values { try? withdraw(copy) }
      throw error
    }
    guard let copy = copies[object] else {
      throw PersistenceError(.rowGone, "'\(object)' was not copied, because it is gone")
    }
    // An object of the same entity, and so of its class.
    return unsafeDowncast(copy, to: T.self)
  }

  private func copyValues(
    of original: ManagedObject, _ copies: [ManagedObject: ManagedObject]
  ) throws(PersistenceError) {
    let unique = original.entity.uniqueAttributes(in: model)
    for property in original.entity.properties {
      guard let attribute = property.attribute, attribute.derivation == nil,
        !property.isComposite, !unique.contains(property.name)
      else { continue }
      try throwing {
        copies[original]?.setAttribute(
          property.index, to: original.attributeValue(of: property))
      }
    }
  }

  private func copyLinks(
    of original: ManagedObject, _ copies: [ManagedObject: ManagedObject], _ levels: GraphLevels
  ) throws(PersistenceError) {
    for property in original.entity.relationships {
      guard let relationship = property.relationship, let copy = copies[original] else { continue }
      let isShared = model.inverse(of: relationship)?.isToMany ?? true
      let targets = try throwing { original.objects(of: property) }
        .compactMap { copies[$0] ?? (isShared && !levels.isGone($0) ? $0 : nil) }
      try throwing { copy.setObjects(of: property, to: targets) }
    }
  }
}

extension CompiledEntity {
  /// The attributes of the constraints of attributes only, inherited ones included.
  fileprivate func uniqueAttributes(in model: CompiledModel) -> Set<String> {
    var names: Set<String> = []
    for constraint in lineage(in: model).flatMap(\.description.uniquenessConstraints)
    where constraint.allSatisfy({ self.property(named: $0)?.relationship == nil }) {
      names.formUnion(constraint)
    }
    return names
  }
}
