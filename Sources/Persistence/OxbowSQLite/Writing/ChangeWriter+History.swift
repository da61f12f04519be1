// What a save changes is noted before it is written, while the rows are as they were; afterwards
// links, of which writing says whether they change the store, and what the store computed. Rows of
// a run are in the order of their keys, so that the differences are small and values before are
// read in one walk.

internal import CSQLite
internal import OxbowFoundation
internal import OxbowModel
internal import OxbowRelational
internal import OxbowStore

extension ChangeWriter {
  /// Notes the objects that a change set will change, and the links that go with them.
  mutating func note(_ changes: ChangeSet) throws {
    guard let record = history else { return }
    (record.author, record.contextName) = (changes.author, changes.contextName)
    record.inserted = changes.inserts.count
    record.updated = changes.updates.count
    record.deleted = changes.deletes.count
    record.note(changes.inserts, mapping)
    try note(changes.updates, changes, record)
    if !mapping.joins.isEmpty { try noteIdleLinks(changes) }
    guard !changes.deletes.isEmpty else { return }
    try note(changes.deletes, record)
    record.linksOfDeleted = try linksOfDeleted(changes, record.plan)
  }

  /// Notes what a change set has done, but for its objects.
  func noteRest(_ changes: ChangeSet) {
    guard let record = history else { return }
    var unlinks = changing(changes.unlinks, without: idleLinks.ended)
    if !record.linksOfDeleted.isEmpty { unlinks += record.linksOfDeleted }
    record.note(.unlink, unlinks)
    record.note(.link, changing(changes.links, without: idleLinks.begun))
    record.note(changes.placements)
    record.noteOmission(HistoryTransaction.partial) { isOff in
      changes.inserts.contains { isOff($0.entity) } || changes.updates.contains { isOff($0.entity) }
        || changes.deletes.contains { isOff($0.entity) }
        || unlinks.contains { isOff($0.owner.entity) }
        || changes.links.contains { isOff($0.owner.entity) }
        || changes.placements.contains { isOff($0.owner.entity) }
    }
    if !changes.metadata.isEmpty {
      record.blob.begin(.metadata)
      for item in changes.metadata { record.blob.row(item.key) }
    }
  }

  /// Notes the values that the store has computed.
  func note(_ derived: [DerivedValue]) {
    guard !derived.isEmpty, let record = history else { return }
    let groups = Dictionary(grouping: derived) {
      RelationshipID(entity: $0.object.entity, property: $0.property)
    }
    for (id, values) in groups.sorted(by: {
      ($0.key.entity, $0.key.property) < ($1.key.entity, $1.key.property)
    })
    where record.plan.recording(of: id.entity) != .off {
      record.blob.begin(.derived, record.names(of: id.entity, [id.property]))
      for key in values.map(\.object.key).sorted() { record.blob.row(key) }
    }
    record.noteOmission(HistoryTransaction.partlyDerived) { isOff in
      derived.contains { isOff($0.object.entity) }
    }
  }

  /// Notes a batch update, which has changed these objects.
  func note(_ update: StoreUpdate, _ objects: [ObjectReference]) {
    guard let record = history else { return }
    (record.author, record.contextName) = (update.author, update.contextName)
    record.kind = .batch
    record.updated = objects.count
    let properties = update.assignments.map(\.property)
    for (entity, group) in Dictionary(grouping: objects, by: \.entity).sorted(by: {
      $0.key < $1.key
    })
    where record.plan.recording(of: entity) != .off {
      let batch = record.plan.recording(of: entity) == .values ? record.batch : nil
      record.begin(.update, entity, properties, hasValues: batch != nil)
      for object in group.sorted(by: { $0.key < $1.key }) {
        record.blob.row(object.key)
        record.blob.number(0)
        guard let batch else { continue }
        let cells = batch[object] ?? properties.map { _ in .value(.null) }
        for cell in cells { record.blob.cell(cell) }
      }
    }
    record.noteOmission(HistoryTransaction.partial) { isOff in
      objects.contains { isOff($0.entity) }
    }
    record.batch = nil
  }
}

// MARK: - Rows that were there

extension ChangeWriter {
  private struct Shape: Hashable {
    let entity: Int
    let properties: [Int]
  }

  private func note(
    _ updates: [ChangeSet.Update], _ changes: ChangeSet, _ record: HistoryRecord
  ) throws {
    guard !updates.isEmpty else { return }
    let keys =
      updates.contains { record.plan.recording(of: $0.entity) == .values }
      ? changedKeys(changes) : [:]
    let groups = grouped(updates) { update in
      let links = keys.isEmpty ? nil : keys[ObjectReference(entity: update.entity, key: update.key)]
      return Shape(
        entity: update.entity,
        properties: update.values.map(\.property) + (links?.sorted() ?? []))
    }
    for (shape, group) in groups {
      let recording = record.plan.recording(of: shape.entity)
      guard recording != .off else { continue }
      let rows = group.map { (key: $0.key, version: $0.version) }.sorted { $0.key < $1.key }
      let hasValues = recording == .values
      record.begin(.update, shape.entity, shape.properties, hasValues: hasValues)
      try note(rows, shape.entity, hasValues ? shape.properties : [], record)
    }
  }

  /// The to-one relationships of rows whose keys change; those of a one-to-one at both ends.
  private func changedKeys(_ changes: ChangeSet) -> [ObjectReference: Set<Int>] {
    var keys: [ObjectReference: Set<Int>] = [:]
    for link in changes.unlinks + changes.links
    where mapping.entities[link.owner.entity].column(ofProperty: link.relationship.property) != nil
    {
      keys[link.owner, default: []].insert(link.relationship.property)
      let property = mapping.model.property(link.relationship)
      if property.relationship?.isOneToOne == true,
        let inverse = mapping.model.inverse(of: property)
      {
        keys[link.member, default: []].insert(inverse.index)
      }
    }
    return keys
  }

  private func note(_ deletes: [ChangeSet.Delete], _ record: HistoryRecord) throws {
    for (entity, group) in grouped(deletes, by: \.entity) {
      let recording = record.plan.recording(of: entity)
      guard recording != .off else { continue }
      let columns = mapping.entities[entity].columns
      let properties =
        recording == .keys
        ? record.plan.preserved(of: entity)
        : columns.filter { $0.role == .attribute || $0.role == .key }.map(\.property)
      let rows = group.map { (key: $0.key, version: $0.version ?? 0) }.sorted { $0.key < $1.key }
      record.begin(.delete, entity, properties)
      try note(rows, entity, properties, record)
    }
  }

  /// Writes rows with the values that the store has.
  private func note(
    _ rows: [(key: Int64, version: Int64)], _ entity: Int, _ properties: [Int],
    _ record: HistoryRecord
  ) throws {
    let table = mapping.entities[entity]
    let columns = properties.compactMap { table.column(ofProperty: $0) }
    guard !columns.isEmpty, columns.count == properties.count else {
      for row in rows {
        record.blob.row(row.key)
        record.blob.number(row.version)
        for _ in properties { record.blob.null() }
      }
      return
    }
    var rest = rows[...]
    while !rest.isEmpty {
      try noteBlock(rest.prefix(Self.historyBlock), table, columns, record)
      rest = rest.dropFirst(Self.historyBlock)
    }
  }

  /// So many rows are read by one statement, as many as are deleted by one.
  private static var historyBlock: Int { 512 }

  private func noteBlock(
    _ rows: ArraySlice<(key: Int64, version: Int64)>, _ table: EntityMapping, _ columns: [Int],
    _ record: HistoryRecord
  ) throws {
    let keys = BoundKeys(block: rows.map(\.key)[...])
    let sql = statements.value(
      .values(entity: table.entity, columns: columns, keys.parameters)
    ) { generator.values(table, columns, keys.parameters) }
    let mayBeFiles = columns.map { externals != nil && table.columns[$0].codec == .blob }
    try connection.withStatement(sql) { statement throws in
      try keys.bind(to: statement)
      var isRow = try statement.step()
      for row in rows {
        while isRow, statement.integer(at: 0) < row.key { isRow = try statement.step() }
        record.blob.row(row.key)
        record.blob.number(row.version)
        // A row that is gone is a conflict, which the save finds.
        let isThere = isRow && statement.integer(at: 0) == row.key
        for index in columns.indices {
          isThere
            ? record.blob.cell(statement, index + 1, mayBeFile: mayBeFiles[index])
            : record.blob.null()
        }
      }
    }
  }

  /// The values of rows that a batch is going to change.
  func cells(
    _ objects: [ObjectReference], _ entity: Int, _ properties: [Int]
  ) throws -> [ObjectReference: [HistoryCell]] {
    let table = mapping.entities[entity]
    let columns = properties.compactMap { table.column(ofProperty: $0) }
    let keys = BoundKeys(objects.map(\.key).sorted())
    let references = Dictionary(
      objects.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
    let mayBeFiles = columns.map { externals != nil && table.columns[$0].codec == .blob }
    var cells: [ObjectReference: [HistoryCell]] = [:]
    try connection.withStatement(generator.values(table, columns, keys.parameters)) { statement in
      try keys.bind(to: statement)
      while try statement.step() {
        guard let reference = references[statement.integer(at: 0)] else { continue }
        cells[reference] = columns.indices.map { index in
          let value = statement.value(at: index + 1)
          guard mayBeFiles[index], case .blob(let bytes) = value,
            let file = FileReference(bytes)
          else { return .value(value) }
          return .inFile(file.byteCount)
        }
      }
    }
    return cells
  }
}

// MARK: - Runs

extension HistoryRecord {
  /// The numbers of an entity and of its properties.
  func names(of entity: Int, _ properties: [Int]) -> [Int64] {
    [plan.names.number(of: entity)] + properties.map { plan.names.number(of: entity, $0) }
  }

  func begin(
    _ kind: HistoryRunKind, _ entity: Int, _ properties: [Int], hasValues: Bool? = nil
  ) {
    blob.begin(kind)
    blob.header(plan.names.number(of: entity))
    blob.header(Int64(properties.count))
    for property in properties { blob.header(plan.names.number(of: entity, property)) }
    if kind == .update { blob.header(hasValues == true ? 1 : 0) }
  }

  /// Notes that the save changes what the history leaves out, if it does.
  fileprivate func noteOmission(
    _ text: String, if isTouched: (_ isOff: (Int) -> Bool) -> Bool
  ) {
    guard plan.leavesOutSome, isTouched({ plan.recording(of: $0) == .off }) else { return }
    blob.begin(.note)
    blob.row(text)
  }

  fileprivate func note(_ inserts: [ChangeSet.Insert], _ mapping: StoreMapping) {
    guard inserts.count > 1 else {
      if let first = inserts.first { note(CollectionOfOne(first.key), of: first.entity) }
      return
    }
    var keys = [[Int64]](repeating: [], count: mapping.entities.count)
    for index in inserts.indices { keys[inserts[index].entity].append(inserts[index].key) }
    for (entity, keys) in keys.enumerated() where !keys.isEmpty { note(keys.inOrder, of: entity) }
  }

  /// Notes new objects by their keys, which are in order.
  private func note(_ keys: some Collection<Int64>, of entity: Int) {
    guard plan.recording(of: entity) != .off else { return }
    blob.begin(.insert)
    blob.header(plan.names.number(of: entity))
    for key in keys { blob.row(key) }
  }

  private struct LinkShape: Hashable {
    let relationship: RelationshipID
    let owner: Int
    let member: Int
    var isOfOwner = false

    func numbers(_ names: HistoryNames) -> [Int64] {
      [
        names.number(of: relationship.entity, relationship.property), names.number(of: owner),
        names.number(of: member),
      ]
    }
  }

  fileprivate func note(_ kind: HistoryRunKind, _ links: [ChangeSet.Link]) {
    guard !links.isEmpty else { return }
    var last: LinkShape?
    for (shape, group) in grouped(
      links,
      by: {
        LinkShape(relationship: $0.relationship, owner: $0.owner.entity, member: $0.member.entity)
      }) where plan.recording(of: shape.owner) != .off
    {
      if shape != last { blob.begin(kind, shape.numbers(plan.names)) }
      last = shape
      for link in group { blob.row(link.owner.key, link.member.key) }
    }
  }

  fileprivate func note(_ placements: [ChangeSet.Placement]) {
    guard !placements.isEmpty else { return }
    for (shape, group) in grouped(
      placements,
      by: {
        LinkShape(
          relationship: $0.relationship, owner: $0.owner.entity, member: $0.member.entity,
          isOfOwner: $0.isOfOwner)
      }) where plan.recording(of: shape.owner) != .off
    {
      blob.begin(.place, shape.numbers(plan.names) + [shape.isOfOwner ? 1 : 0])
      for item in group {
        blob.row(item.owner.key, item.member.key)
        blob.number(item.position.map { $0 &+ 1 } ?? 0)
      }
    }
  }
}

// MARK: - Cells

extension HistoryBlobWriter {
  /// The value of a column of the row at which a statement is, as the cell has it.
  fileprivate mutating func cell(_ statement: Statement, _ column: Int, mayBeFile: Bool) {
    let (handle, index) = (statement.handle, Int32(column))
    switch sqlite3_column_type(handle, index) {
    case SQLITE_INTEGER: integer(sqlite3_column_int64(handle, index))
    case SQLITE_FLOAT: real(sqlite3_column_double(handle, index))
    case SQLITE_TEXT:
      let start = sqlite3_column_text(handle, index)
      text(
        UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, index))))
    case SQLITE_BLOB:
      let start = sqlite3_column_blob(handle, index)
      let bytes = UnsafeRawBufferPointer(
        start: start, count: Int(sqlite3_column_bytes(handle, index)))
      if mayBeFile, let reference = FileReference(bytes) { return file(reference.byteCount) }
      self.bytes(bytes)
    default: null()
    }
  }

  fileprivate mutating func cell(_ cell: HistoryCell) {
    switch cell {
    case .inFile(let count), .large(let count): file(count)
    case .value(.null): null()
    case .value(.integer(let number)): integer(number)
    case .value(.real(let number)): real(number)
    case .value(.text(var text)): text.withUTF8 { self.text(UnsafeRawBufferPointer($0)) }
    case .value(.blob(let blob)): blob.withUnsafeBytes { bytes($0) }
    }
  }
}
