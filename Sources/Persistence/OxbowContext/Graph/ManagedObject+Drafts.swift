internal import OxbowModel
internal import OxbowStore

// A new object is a draft: its attributes are in its row, which it writes in place, and its overlay
// has links only. Filling in an object and saving it costs half of what it costs with an edit for
// each attribute (docs/performance.md, M/insert; decision 0189).
//
// Whoever asks a draft for its overlay gets one with an edit for each attribute, and the object is
// no draft any more. So a draft is what most new objects are, and nobody else has to know of it.

extension ManagedObject {
  /// Whether the object is a draft and the caller may write its row, with no one to be notified of
  /// it.
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

  /// What an object has beside its row and, if it is a draft, beside its attributes.
  final var links: Overlay? {
    get {
      guard _state.contains(.overlaid), let kept = _slab.kept(with: Int(_row)) else { return nil }
      // Nothing else is kept with the row of an object that is overlaid.
      return unsafeDowncast(kept, to: Overlay.self)
    }
    set {
      _slab.keep(newValue, with: Int(_row))
      if newValue == nil { _state.remove(.overlaid) } else { _state.insert(.overlaid) }
    }
  }

  /// The overlay for a link that changes.
  final func makeLinks() -> Overlay {
    if let links { return links }
    let made = Overlay.unchanged(count: entity.properties.count)
    links = made
    return made
  }

  /// What an object has of a property beside its row, as if it were not a draft.
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

  /// Whether each property of a draft has a value that needs no check beyond its type.
  final var isPlainDraft: Bool {
    let entity = entity
    guard let checks = entity.rowChecks, _slab.passes(checks, Int(_row)) else { return false }
    return entity.relationships.isEmpty || links?.passes(entity.relationships) == true
  }

  /// After a save: the row of the draft is that of the object in the store.
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
  /// Whether what these relationships lead to needs no check.
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
