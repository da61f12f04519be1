internal import OxbowModel
internal import OxbowRelational
internal import OxbowStore

/// What a save notes for the indexes of words.
struct SearchNotes {
  let plan: SearchPlan

  /// How many rows it leaves behind for the indexes.
  var count = 0
}

extension ChangeWriter {
  /// So many keys are noted by one statement.
  private static var noteBlock: Int { 4096 }

  /// Notes the objects whose words a change set changes.
  mutating func noteSearched(_ changes: ChangeSet) throws {
    guard let plan = searchNotes?.plan else { return }
    var keys = [[Int64]](repeating: [], count: mapping.entities.count)
    for item in changes.deletes where plan.hasWords(of: item.entity) {
      keys[item.entity].append(item.key)
    }
    for item in changes.updates
    where item.values.contains(where: { plan.has($0.property, of: item.entity) }) {
      keys[item.entity].append(item.key)
    }
    for index in changes.inserts.indices where plan.hasWords(of: changes.inserts[index].entity) {
      keys[changes.inserts[index].entity].append(changes.inserts[index].key)
    }
    for (entity, keys) in keys.enumerated() where !keys.isEmpty { try noteSearched(keys, entity) }
  }

  /// Notes the objects that a batch update has changed.
  mutating func noteSearched(_ update: StoreUpdate, _ objects: [ObjectReference]) throws {
    guard let plan = searchNotes?.plan else { return }
    for (entity, objects) in Dictionary(grouping: objects, by: \.entity)
    where update.assignments.contains(where: { plan.has($0.property, of: entity) }) {
      try noteSearched(objects.map(\.key), entity)
    }
  }

  /// Notes the keys that an index has passed; it comes to the others by itself.
  private mutating func noteSearched(_ keys: [Int64], _ entity: Int) throws {
    guard let index = searchNotes?.plan.index(of: entity),
      let end = try connection.integer(index.readEnd)
    else { return }
    searchNotes?.count += keys.count
    var rest = keys.filter { $0 <= end }.inOrder[...]
    if rest.count == 1 { try connection.run(index.note, [.integer(rest.removeFirst())]) }
    while !rest.isEmpty {
      let block = connection.dialect.array(of: Array(rest.prefix(Self.noteBlock)))
      try connection.run(index.noteAll(connection.dialect), [block])
      rest = rest.dropFirst(Self.noteBlock)
    }
  }
}
