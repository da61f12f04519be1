internal import OxbowModel
internal import OxbowStore

// A new object is a draft: its attributes are in its row, which it writes in place, and its overlay
// has links only. Filling in an object and saving it costs half as much as with an edit for each
// attribute (docs/performance.md, M/insert; decision 0189).
//
// A draft that is asked for its overlay makes one with an edit for each attribute, and is no longer
// a draft. So most new objects are drafts, and only this file needs to know.

extension ManagedObject {
  /// Whether the object is a draft whose row the caller may write without notifying anything.
  @usableFromInline final var _writesRow: Bool {
    _state.subtracting([.overlaid, .updated]) == [.inserted, .draft] && sign.pointee.isCurrent
      && sign.pointee.hasPlainContext
  }

  /// Writes an attribute of a draft.
  ///
  /// - Returns: Whether its row can have the value.
  final func writeDraft(_ index: Int, _ value: AttributeValue?) -> Bool {
    guard _writesRow else { return false }
    let property = entity.properties[index]
    guard property.slot >= 0, let attribute = property.attribute else { return false }
    guard let value else {
      _slab._setNull(Int(_row), property.slot)
      return true
    }
    return _slab.draft(value, as: attribute.type, Int(_row), property.slot)
  }

  /// The part of the overlay that a draft has too: everything but attributes.
  final var links: Overlay? {
    get {
      guard _state.contains(.overlaid), let kept = _slab.kept(with: Int(_row)) else { return nil }
      // The row of an overlaid object keeps nothing else.
      return unsafeDowncast(kept, to: Overlay.self)
    }
    set {
      _slab.keep(newValue, with: Int(_row))
      if newValue == nil { _state.remove(.overlaid) } else { _state.insert(.overlaid) }
    }
  }

  final func makeLinks() -> Overlay {
    if let links { return links }
    let made = Overlay.unchanged(count: entity.properties.count)
    links = made
    return made
  }

  /// The cell of a property, as if the object were not a draft.
  final func cell(of property: CompiledProperty) -> Overlay.Cell {
    guard _state.contains(.draft), property.relationship == nil else {
      return links?[property.index] ?? .unchanged
    }
    return draftCell(of: property)
  }

  /// Makes the attributes of a draft edits.
  @inline(never)
  final func endDraft() {
    _state.remove(.draft)
    let overlay = makeLinks()
    for property in entity.properties where property.relationship == nil {
      overlay[property.index] = draftCell(of: property)
    }
  }

  private final func draftCell(of property: CompiledProperty) -> Overlay.Cell {
    let value =
      property.slot >= 0
      ? _slab.storedValue(Int(_row), property) : property.attribute?.defaultValue
    return value.map { .attribute($0) } ?? .null
  }

  /// Whether every value of a draft needs no check beyond its type.
  final var isPlainDraft: Bool {
    let entity = entity
    guard let checks = entity.rowChecks, _slab.passes(checks, Int(_row)) else { return false }
    return entity.relationships.isEmpty || links?.passes(entity.relationships) == true
  }

  /// After a save: the row of the draft is the object's row in the store.
  final func settleDraft() {
    let links = links
    if let links {
      for property in entity.relationships where property.slot >= 0 {
        guard case .object(let reference) = links[property.index] else { continue }
        _slab.setReference(Int(_row), property, reference)
      }
    }
    _slab.setVersion(Int(_row), RowVersion.first)
    _state.subtract([.inserted, .updated, .draft])
    if let links { forgetEdits(links) }
  }
}

extension Overlay {
  /// Whether the ends of these relationships need no check.
  fileprivate func passes(_ relationships: [CompiledProperty]) -> Bool {
    relationships.allSatisfy { property in
      switch self[property.index] {
      case .object: true
      case .null: property.mayBeEmpty
      case .collection: property.relationship?.allowsAnyCount == true
      case .unchanged, .attribute, .increment, .memory: false
      }
    }
  }
}
