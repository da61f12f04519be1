public import OxbowModel
public import OxbowStore

// Called by the accessors that `@Entity` writes. `accessor` is the number of the property among
// those of its class, inherited ones first (`ModelObject._propertyNames`).

extension ManagedObject {
  /// Reads a required attribute.
  @inlinable public final func _value<V: AttributeConvertible>(_ accessor: Int) -> V {
    guard sign.pointee.isCurrent, _state.rawValue == 0 else {
      return _slowValue(accessor) ?? V.attributePlaceholder
    }
    let row = Int(_row)
    // The object holds its slab meanwhile, because nothing else of it runs. A text would retain it.
    return Unmanaged.passUnretained(_slab)._withUnsafeGuaranteedRef { slab in
      V._read(slab, row, slab._slot(row, accessor: accessor))
    } ?? _slowValue(accessor) ?? V.attributePlaceholder
  }

  /// Reads an optional attribute.
  @inlinable public final func _optionalValue<V: AttributeConvertible>(_ accessor: Int) -> V? {
    guard sign.pointee.isCurrent, _state.rawValue == 0 else { return _slowValue(accessor) }
    let row = Int(_row)
    // `nil` means that there is a value, but it could not be read here.
    let value: V?? = Unmanaged.passUnretained(_slab)._withUnsafeGuaranteedRef { slab in
      let slot = slab._slot(row, accessor: accessor)
      if slot < 0 || slab._isNull(row, slot) { return .some(nil) }
      return V._read(slab, row, slot).map { .some($0) }
    }
    return value ?? _slowValue(accessor)
  }

  /// Reads a required transient attribute.
  public final func _transientValue<V: AttributeConvertible>(_ accessor: Int) -> V {
    _slowValue(accessor) ?? V.attributePlaceholder
  }

  /// Reads an attribute of an object with edits or without its row, and whatever the fast path
  /// cannot read.
  ///
  /// - Returns: The value, or `nil` if there is none or its error was recorded.
  @inline(never) public final func _slowValue<V: AttributeConvertible>(_ accessor: Int) -> V? {
    guard isOwned("reading", accessor) else { return nil }
    let property = property(accessor)
    noteAccess(property)
    guard let value = attributeValue(of: property) else { return nil }
    if let typed = V(attributeValue: value) { return typed }
    recordUnfit(value, of: property, as: V.self)
    return nil
  }

  /// Changes a required attribute.
  @inlinable public final func _setValue<V: AttributeConvertible>(_ accessor: Int, _ value: V) {
    if _writesRow, _writeDraft(accessor, value) { return }
    _slowlySetValue(accessor, value.attributeValue)
  }

  /// Changes an optional attribute.
  @inlinable public final func _setValue<V: AttributeConvertible>(_ accessor: Int, _ value: V?) {
    if let value, _writesRow, _writeDraft(accessor, value) { return }
    _slowlySetValue(accessor, value?.attributeValue)
  }

  /// Writes an attribute of a draft.
  ///
  /// - Returns: Whether its row can have the value.
  @inlinable final func _writeDraft<V: AttributeConvertible>(_ accessor: Int, _ value: V) -> Bool {
    let row = Int(_row)
    // As in `_value`.
    return Unmanaged.passUnretained(_slab)._withUnsafeGuaranteedRef { slab in
      let slot = slab._slot(row, accessor: accessor)
      return slot >= 0 && V._write(value, to: slab, row, slot)
    }
  }

  /// Changes an attribute of an object that is not a draft, or whose row cannot have the value.
  @inline(never) public final func _slowlySetValue(_ accessor: Int, _ value: AttributeValue?) {
    guard isOwned("changing", accessor) else { return }
    setAttribute(propertyIndex(accessor), to: value)
  }
}

extension ManagedObject {
  /// Keeps the error of a value that the property's Swift type does not have: a raw value without a
  /// case.
  final func recordUnfit<V>(
    _ value: AttributeValue, of property: CompiledProperty, as type: V.Type
  ) {
    let error = PersistenceError.unfit(value, of: property, as: type, self)
    guard let context = token.context, !isOrphan else { return token.refuse(reference, error) }
    context.faults.record(error)
    context.faults.errors[reference] = error
  }
}

extension PersistenceError {
  static func unfit<V>(
    _ value: AttributeValue, of property: CompiledProperty, as type: V.Type, _ object: ManagedObject
  ) -> PersistenceError {
    PersistenceError(
      .invalidStoredValue,
      "'\(property.name)' of '\(object)' is \(value), which is not a value of '\(type)'; correct the "
        + "row in the store, or add the case to '\(type)'", objectIDs: [object.objectID])
  }
}
