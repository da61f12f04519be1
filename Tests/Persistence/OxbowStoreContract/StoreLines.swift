internal import OxbowModel
package import OxbowStore

/// What a store has, a line for each object: entity, key, version, values, and the objects at the
/// other ends of its relationships, in their order.
package func lines(of store: any PersistentStore) throws -> [String] {
  try store.model.entities.filter { $0.root == $0.index }.flatMap { root in
    let slabs = try store.rows(of: StoreFetch(entity: root.index), unless: nil)
    let links = try links(below: root, slabs, store)
    return slabs.flatMap { slab in
      (0..<slab.count).map { row in
        let reference = slab.reference(at: row)
        return line(slab, row, store.model) + (links[reference.key] ?? []).joined(separator: " ")
      }
    }.sorted()
  }
}

private func line(_ slab: RowSlab, _ row: Int, _ model: CompiledModel) -> String {
  let entity = model.entities[slab._entity(row)]
  var words = ["\(entity.name)/\(slab._key(row)) v\(slab._version(row))"]
  for property in entity.properties where property.slot >= 0 {
    if property.relationship != nil {
      let other = slab.reference(row, property)
      words.append("\(property.name)→\(other.map { "\($0.entity):\($0.key)" } ?? "none")")
    } else {
      let value = slab.storedValue(row, property)
      words.append("\(property.name)=\(value.map { "\($0)" } ?? "none")")
    }
  }
  return words.joined(separator: " ") + " "
}

/// The to-many relationships of the objects below a root, by key; of unordered ones the keys in
/// order.
private func links(
  below root: CompiledEntity, _ slabs: [RowSlab], _ store: any PersistentStore
) throws -> [Int64: [String]] {
  let keys = slabs.flatMap { slab in (0..<slab.count).map { slab._key($0) } }
  var seen: Set<RelationshipID> = []
  var links: [Int64: [String]] = [:]
  for property in root.subtree.flatMap({ store.model.entities[$0].properties }) {
    guard let relationship = property.relationship, relationship.isToMany,
      seen.insert(relationship.id).inserted
    else { continue }
    let related = try store.rows(related: relationship.id, to: keys)
    for (owner, members) in related.members {
      let found = members.map { related.slabs[$0.slab]._key($0.row) }
      let shown = relationship.isOrdered ? found : found.sorted()
      links[owner, default: []].append("\(property.name)⇒\(shown)")
    }
  }
  return links.mapValues { $0.sorted() }
}
