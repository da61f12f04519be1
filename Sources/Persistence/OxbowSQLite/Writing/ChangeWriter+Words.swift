internal import OxbowModel
internal import OxbowRelational
internal import OxbowStore

/// What a save notes for search indexes.
struct SearchNotes {
  let plan: SearchPlan

  /// How many rows it leaves behind for the indexes.
  var count = 0
}

extension ChangeWriter {
  /// So many keys are noted by one statement.
  private static var noteBlock: Int { 4096 }

  /// Notes the objects whose texts a change set changes, for each index that has them.
  mutating func noteSearched(_ changes: ChangeSet) throws {
    guard let plan = searchNotes?.plan else { return }
    var keys = [[Int64]](repeating: [], count: plan.indexes.count)
    for item in changes.deletes {
      for place in plan.places[item.entity] { keys[place].append(item.key) }
    }
    for item in changes.updates {
      for part in plan.parts[item.entity]
      where item.values.contains(where: { part.properties.contains($0.property) }) {
        keys[part.place].append(item.key)
      }
    }
    for index in changes.inserts.indices {
      let entity = changes.inserts[index].entity
      let parts = plan.parts[entity]
      // A search reads what is behind its index, be it without texts.
      if parts.isEmpty, plan.isPassed[entity] { searchNotes?.count += 1 }
      for part in parts { keys[part.place].append(changes.inserts[index].key) }
    }
    for (place, keys) in keys.enumerated() { try noteSearched(keys, place, plan) }
  }

  /// Notes the objects that a batch update has changed.
  mutating func noteSearched(_ update: StoreUpdate, _ objects: [ObjectReference]) throws {
    guard let plan = searchNotes?.plan else { return }
    for (entity, objects) in Dictionary(grouping: objects, by: \.entity) {
      for part in plan.parts[entity]
      where update.assignments.contains(where: { part.properties.contains($0.property) }) {
        try noteSearched(objects.map(\.key), part.place, plan)
      }
    }
  }

  /// Notes the keys that an index has passed; it comes to the others by itself.
  private mutating func noteSearched(
    _ keys: [Int64], _ place: Int, _ plan: SearchPlan
  ) throws {
    let texts = plan.noting[place]
    guard !keys.isEmpty, let end = try connection.integer(texts.readEnd) else { return }
    searchNotes?.count += keys.count
    var rest = keys.filter { $0 <= end }.inOrder[...]
    if rest.count == 1 { try connection.run(texts.note, [.integer(rest.removeFirst())]) }
    while !rest.isEmpty {
      let block = connection.dialect.array(of: Array(rest.prefix(Self.noteBlock)))
      try connection.run(plan.indexes[place].noteAll(connection.dialect), [block])
      rest = rest.dropFirst(Self.noteBlock)
    }
  }
}
