#if PostgreSQL
  // What the history of a save says of rows that were there is read before the save, in the
  // transaction and in the round trip in which increments are: values before where they are kept,
  // and which links in rows of their own are there already. What is read is locked.

  internal import OxbowModel
  internal import OxbowRelational
  internal import OxbowStore

  /// What the history of a save has to know of the store.
  struct HistoryLook {
    private let changes: ChangeSet
    private let plan: HistoryPlan
    private let mapping: StoreMapping

    /// The keys of rows whose values are kept, by root.
    private(set) var keys: [Int: Set<Int64>] = [:]

    /// The roots of which rows are deleted: nothing may be linked to these any more.
    private(set) var deletedRoots: Set<Int> = []

    /// The links in rows of their own that may change nothing, by relationship.
    private var links: [(relationship: RelationshipID, links: [ChangeSet.Link])] = []

    /// The ends from which the links of deleted objects are seen.
    private var ends: [(end: JoinMapping.End, keys: [Int64])] = []

    init(_ changes: ChangeSet, _ plan: HistoryPlan, _ mapping: StoreMapping) {
      (self.changes, self.plan, self.mapping) = (changes, plan, mapping)
      for update in changes.updates where plan.recording(of: update.entity) == .values {
        keys[root(update.entity), default: []].insert(update.key)
      }
      for delete in changes.deletes
      where plan.recording(of: delete.entity) != .off
        && !plan.keptOfDeleted(delete.entity, mapping).isEmpty
      {
        keys[root(delete.entity), default: []].insert(delete.key)
        deletedRoots.insert(root(delete.entity))
      }
      guard !mapping.joins.isEmpty else { return }
      // Where values are kept, a save can be taken back: what was there must not go then.
      let joined = mapping.joinedLinks(of: changes, .values, plan)
      links = grouped(joined, by: \.relationship).map { ($0.0, $0.1) }
      var ends: [(end: JoinMapping.End, keys: [Int64])] = []
      _ = mapping.linksOfDeleted(changes, plan) { end, keys in
        ends.append((end: end, keys: keys))
        return []
      }
      self.ends = ends
    }

    var isNeeded: Bool { !keys.isEmpty || !links.isEmpty || !ends.isEmpty }

    private func root(_ entity: Int) -> Int { mapping.entities[entity].root }

    // MARK: Questions

    func questions(_ names: ServerNames) -> [ServerStatement] {
      locks(names) + links.compactMap { question($0.relationship, $0.links, names) }
        + ends.map { question($0.end, $0.keys, names) }
    }

    /// Locks the owners of links, so that other saves that link the same wait.
    private func locks(_ names: ServerNames) -> [ServerStatement] {
      let owners = Dictionary(grouping: links.flatMap(\.links).map(\.owner)) { root($0.entity) }
      return owners.sorted { $0.key < $1.key }.map { root, owners in
        names.locking(mapping.entities[root], Set(owners.map(\.key)).sorted())
      }
    }

    private func question(
      _ relationship: RelationshipID, _ links: [ChangeSet.Link], _ names: ServerNames
    ) -> ServerStatement? {
      guard let join = mapping.joins[relationship] else { return nil }
      var set = ValueSet([("k", .integer64), ("m", .integer64)])
      for link in links { set.append([.integer(link.owner.key), .integer(link.member.key)]) }
      return ServerStatement(
        "SELECT n.k, n.m FROM \(set.source) JOIN \(names.table(join.table)) AS t "
          + "ON t.\(quoted(join.ownerColumn)) = n.k AND t.\(quoted(join.memberColumn)) = n.m",
        set.parameters)
    }

    private func question(
      _ end: JoinMapping.End, _ keys: [Int64], _ names: ServerNames
    ) -> ServerStatement {
      let column = quoted(end.column)
      return ServerStatement(
        "SELECT \(column), \(quoted(end.otherColumn)) FROM \(names.table(end.table)) "
          + "WHERE \(column) = ANY($1) ORDER BY 1, 2", [Parameter(keys: keys)])
    }

    // MARK: Answers

    /// Notes the answers to the questions.
    func answer(_ results: some BidirectionalCollection<ServerResult>, in record: HistoryRecord) {
      var ofEnds = results.suffix(ends.count).makeIterator()
      record.linksOfDeleted = mapping.linksOfDeleted(changes, plan) { _, _ in
        ofEnds.next().map(Self.pairs) ?? []
      }
      let ofLinks = results.dropLast(ends.count).suffix(links.count)
      var there: Set<ChangeSet.Link> = []
      for (item, result) in zip(links, ofLinks) {
        for (owner, member) in Self.pairs(result) {
          there.insert(mapping.declared(item.relationship, owner, member))
        }
      }
      note(there, in: record)
    }

    /// A link that ends without being there changes nothing, nor does one that begins and is there.
    private func note(_ there: Set<ChangeSet.Link>, in record: HistoryRecord) {
      let looked = Set(links.flatMap(\.links).map(mapping.declared))
      let ended = Set(changes.unlinks.map(mapping.declared))
      record.idleLinks.ended = ended.intersection(looked).subtracting(there)
      record.idleLinks.begun = there.subtracting(ended)
    }

    private static func pairs(_ result: ServerResult) -> [(Int64, Int64)] {
      (0..<result.count).map { (result.integer($0, 0), result.integer($0, 1)) }
    }
  }

  extension StoreMapping {
    /// The links in rows of their own that may be there, or be gone, already.
    ///
    /// They are those of owners of which the history keeps so much. What is new has no links.
    fileprivate func joinedLinks(
      of changes: ChangeSet, _ recording: HistoryRecording, _ plan: HistoryPlan
    ) -> [ChangeSet.Link] {
      let links = (changes.unlinks + changes.links).filter { link in
        joins[link.relationship] != nil && plan.recording(of: link.owner.entity) == recording
      }
      let new = links.isEmpty ? [] : Set(changes.inserts.map(\.reference))
      return links.filter { !new.contains($0.owner) && !new.contains($0.member) }
    }
  }

  // MARK: - Notes

  extension StoredObject {
    /// What a property has, as its column would have it.
    func cell(_ property: Int, _ mapping: StoreMapping) -> SQLValue {
      let table = mapping.entities[entity]
      guard let column = table.column(ofProperty: property) else { return .null }
      let compiled = mapping.model.entities[entity].properties[property]
      guard compiled.relationship == nil else {
        return slab.reference(row, compiled).map { .integer($0.key) } ?? .null
      }
      return predicateValue(of: compiled).flatMap { table.columns[column].codec.encode($0) }
        ?? .null
    }
  }

  extension HistoryRecord {
    /// Notes the objects and links that a save changes.
    func note(
      _ changes: ChangeSet, _ mapping: StoreMapping, _ objects: [ObjectKey: StoredObject]
    ) throws {
      try note(changes, mapping) { rows, entity, properties in
        let root = mapping.entities[entity].root
        for row in rows {
          blob.row(row.key)
          blob.number(row.version)
          // A row that is gone is a conflict, which the save finds.
          let object = objects[ObjectKey(root: root, key: row.key)]
          for property in properties {
            blob.cell(.value(object?.cell(property, mapping) ?? .null))
          }
        }
      }
      noteRest(changes, mapping)
      // Of names only, the store is not asked.
      guard !mapping.joinedLinks(of: changes, .keys, plan).isEmpty else { return }
      blob.begin(.note)
      blob.row(HistoryTransaction.unverified)
    }

    /// Notes the values of objects that a batch is going to change.
    func note(
      _ objects: [StoredObject], before update: StoreUpdate, _ mapping: StoreMapping
    ) {
      let kept = objects.filter { plan.recording(of: $0.entity) == .values }
      guard !kept.isEmpty else { return }
      let properties = update.assignments.map(\.property)
      batch = Dictionary(
        kept.map { object in
          (
            ObjectReference(entity: object.entity, key: object.key),
            properties.map { .value(object.cell($0, mapping)) }
          )
        }, uniquingKeysWith: { first, _ in first })
    }
  }
#endif
