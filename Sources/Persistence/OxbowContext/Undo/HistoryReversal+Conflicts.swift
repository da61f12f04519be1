internal import OxbowModel
internal import OxbowStore

// What was changed since the save. A row that has the version which the save gave it was not
// touched; of the others, the later saves say what they have changed.

/// What later saves have changed of objects, and what was there before: the values that the save
/// has left.
struct LaterChanges {
  /// The first value before of each property; `nil` where it was not kept.
  private(set) var values: [ObjectReference: [Int: PropertyValue?]] = [:]

  /// Whether the history has all later saves, as changes of objects.
  ///
  /// What was there before those that it does not have is not known, whatever comes after them.
  private(set) var isComplete = true

  /// Reads what comes after the save about some objects.
  init(
    of objects: Set<ObjectReference>, _ reversal: HistoryReversal
  ) throws(PersistenceError) {
    guard !objects.isEmpty else { return }
    var place = reversal.place
    while true {
      let elements = try reversal.history.elements(after: place, HistoryBatchLimits())
      guard let last = elements.last?.token else { return }
      place = last
      for element in elements {
        if case .migrated(let save) = element, save.isRestoring { continue }
        guard case .saves(let saves) = element else {
          isComplete = false
          return
        }
        for save in saves { note(save, objects, reversal) }
      }
    }
  }

  private mutating func note(
    _ save: HistoryTransaction, _ objects: Set<ObjectReference>, _ reversal: HistoryReversal
  ) {
    let context = reversal.context
    let placed = HistoryReversal.placed(save.links, context.model).map {
      GraphDelta.End(object: context.identity.root($0.object), property: $0.property)
    }
    for change in save.changes { note(change, Set(placed), objects, reversal) }
  }

  /// Notes a change; at the ends that are `placed`, an object has only another place in an order.
  private mutating func note(
    _ change: HistoryChange, _ placed: Set<GraphDelta.End>, _ objects: Set<ObjectReference>,
    _ reversal: HistoryReversal
  ) {
    let context = reversal.context
    guard let id = change.objectID, let reference = try? context.coordinator.reference(for: id)
    else { return }
    let root = context.identity.root(reference)
    guard objects.contains(root) else { return }
    let entity = context.model.entities[reference.entity]
    var found: [Int: PropertyValue?] = [:]
    if change.kind == .delete {
      for property in entity.properties where property.isKept {
        found.updateValue(nil, forKey: property.index)
      }
    }
    for name in change.changedProperties + Array((change.before ?? [:]).keys) {
      guard let property = reversal.property(name, of: change, entity), property.isKept,
        !placed.contains(GraphDelta.End(object: root, property: property.index))
      else { continue }
      found.updateValue(change.before?[name], forKey: property.index)
    }
    values[root, default: [:]].merge(found) { first, _ in first }
  }
}

/// What keeps a reversal from being made, found before anything changes.
struct HistoryConflicts {
  private let reversal: HistoryReversal
  private let rows: [ObjectReference: SlabRow]

  /// The rows that the store has; a parent's have its unsaved changes.
  private let saved: [ObjectReference: SlabRow]

  private let later: LaterChanges
  private var problems: [DeltaApplier.Problem] = []
  private var conflicts: [MergeConflict] = []

  /// The values that the objects have now, by property name.
  private(set) var current: [ObjectReference: [String: PropertyValue]] = [:]

  private var context: ManagedObjectContext { reversal.context }

  init(
    of reversal: HistoryReversal, _ rows: [ObjectReference: SlabRow]
  ) throws(PersistenceError) {
    self.reversal = reversal
    self.rows = rows
    let context = reversal.context
    let saved = try context.savedRows(reversal, rows)
    self.saved = saved
    let touched = reversal.items.filter { item in
      item.exists(rows, in: context)
        && !item.isAsLeft(saved[context.identity.root(item.reference)])
    }
    later = try LaterChanges(
      of: Set(touched.map { context.identity.root($0.reference) }), reversal)
    for item in reversal.items { check(item) }
  }

  private mutating func check(_ item: HistoryReversal.Item) {
    let row = rows[context.identity.root(item.reference)]
    let object = context.registered(item.reference)
    let isChanged = object?._state.isDisjoint(with: .changed) == false
    let name = "'\(context.coordinator.id(of: item.reference))'"
    guard item.exists(rows, in: context), object?._state.contains(.deleted) != true else {
      switch item.kind {
      case .insert: return
      case .update:
        // Of its links, those that would come back are checked with the others.
        guard !item.before.isEmpty else { return }
        return add(item, "\(name) is gone", .updateOfDeleted, mine: item.before)
      case .delete: return isChanged ? add(item, "\(name) has unsaved changes", .update) : ()
      }
    }
    if let object, let row, isChanged, !object._state.contains(.fault), !object.isInserted,
      object.version != row.slab._version(row.row)
    {
      return add(item, "\(name) has unsaved changes of an older row", .update)
    }
    note(item, object, row)
    if item.kind == .delete {
      return add(item, "\(name) exists again", .update, mine: item.before)
    }
    compare(item, saved[context.identity.root(item.reference)])
  }

  /// Notes what an object has now, unsaved changes included.
  private mutating func note(
    _ item: HistoryReversal.Item, _ object: ManagedObject?, _ row: SlabRow?
  ) {
    current[item.reference] =
      if let object, !object._state.contains(.fault) {
        SaveMerge(in: context).currentSnapshot(of: object)
      } else {
        row.map { snapshot(of: item, $0) }
      }
  }

  private func snapshot(
    of item: HistoryReversal.Item, _ row: SlabRow
  ) -> [String: PropertyValue] {
    SaveMerge(in: context).snapshot(of: context.model.entities[item.reference.entity], row)
  }

  /// Compares what an object has now with what the save has left: of a new object everything, else
  /// the values that are to come back.
  private mutating func compare(_ item: HistoryReversal.Item, _ row: SlabRow?) {
    let entity = context.model.entities[item.reference.entity]
    let stored = row.map { snapshot(of: item, $0) } ?? current[item.reference] ?? [:]
    let later = item.isAsLeft(row) ? nil : self.later
    let known = later?.values[context.identity.root(item.reference)] ?? [:]
    var base: [String: PropertyValue] = [:]
    var contested: Set<Int> = []
    for property in entity.properties where property.isKept {
      let now = current[item.reference]?[property.name] ?? .null
      if item.kind == .update {
        guard let before = item.before[property.index], !before.isIdentical(to: now) else {
          continue
        }
      }
      let left = known[property.index] ?? (later?.isComplete == false ? nil : stored[property.name])
      guard left?.isIdentical(to: now) != true else { continue }
      contested.insert(property.index)
      base[property.name] = left
    }
    guard !contested.isEmpty else { return }
    let id = context.coordinator.id(of: item.reference)
    let names = contested.sorted().map { "'\(entity.properties[$0].name)' of '\(id)'" }
    add(
      item, names.joined(separator: ", "), item.kind == .insert ? .deleteOfUpdated : .update,
      base: base, mine: item.kind == .insert ? nil : item.before, contested)
  }

  private mutating func add(
    _ item: HistoryReversal.Item, _ text: String, _ kind: MergeConflict.Kind,
    base: [String: PropertyValue]? = nil, mine: [Int: PropertyValue]? = nil,
    _ contested: Set<Int>? = nil
  ) {
    let properties = context.model.entities[item.reference.entity].properties
    func named(_ value: (CompiledProperty) -> PropertyValue?) -> [String: PropertyValue] {
      let contested = properties.filter { contested?.contains($0.index) ?? $0.isKept }
      return Dictionary(
        contested.compactMap { property in value(property).map { (property.name, $0) } },
        uniquingKeysWith: { $1 })
    }
    problems.append((text, item.reference))
    conflicts.append(
      MergeConflict(
        objectID: context.coordinator.id(of: item.reference), kind: kind, base: base,
        mine: mine.map { mine in named { mine[$0.index] } },
        theirs: current[item.reference].map { theirs in named { theirs[$0.name] } }))
  }

  /// Refuses what was found here, and in links.
  ///
  /// - Throws: ``PersistenceError`` with code `conflict`.
  func refuse(_ links: [DeltaApplier.Problem]) throws(PersistenceError) {
    let known = Set(problems.map(\.text))
    let all = problems + links.filter { !known.contains($0.text) }
    guard !all.isEmpty else { return }
    throw PersistenceError(
      .conflict,
      "save \(reversal.number) was not undone, because the same was changed since: "
        + PersistenceError.listed(all.map(\.text))
        + "; nothing was changed: undo the later saves first, or make the changes by hand",
      objectIDs: all.map { context.coordinator.id(of: $0.object) }
    ).adding(conflicts)
  }
}

extension HistoryReversal.Item {
  /// Whether there is the object: in the store, or as a new one that an undo has brought back.
  func exists(_ rows: [ObjectReference: SlabRow], in context: ManagedObjectContext) -> Bool {
    rows[context.identity.root(reference)] != nil
      || context.registered(reference)?._state.contains(.inserted) == true
  }

  /// Whether a row of the store was not written since the save.
  fileprivate func isAsLeft(_ row: SlabRow?) -> Bool {
    guard let row else { return false }
    let found = row.slab._version(row.row)
    return switch kind {
    case .insert: found == RowVersion.first
    case .update: version != 0 && found == RowVersion.next(after: version)
    case .delete: true
    }
  }
}

extension ManagedObjectContext {
  /// The rows that the store has of a save's objects, where `rows` are those that a parent has.
  fileprivate func savedRows(
    _ reversal: HistoryReversal, _ rows: [ObjectReference: SlabRow]
  ) throws(PersistenceError) -> [ObjectReference: SlabRow] {
    guard var top = parent else { return rows }
    while let parent = top.parent { top = parent }
    return try top.storedRows(of: reversal.items.map(\.reference))
  }
}

extension PropertyValue {
  /// Whether both have the same bytes in a store.
  func isIdentical(to other: PropertyValue) -> Bool {
    guard case .attribute(let a) = self, case .attribute(let b) = other else {
      return self == other
    }
    return AttributeValue.areIdentical(a, b)
  }
}
