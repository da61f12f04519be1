package import OxbowModel
package import OxbowStore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A model with one of each: attributes of all types, all kinds of relationships, inheritance.
package func libraryModel(extra: [AttributeDescription] = []) -> ManagedObjectModel {
  ManagedObjectModel(entities: [
    EntityDescription(
      "Book",
      attributes: [
        AttributeDescription("title", .string), AttributeDescription("pages", .integer32),
        AttributeDescription("price", .decimal, isOptional: true),
        AttributeDescription("printed", .date, isOptional: true),
        AttributeDescription("isLent", .boolean, isOptional: true),
        AttributeDescription("weight", .double, isOptional: true),
        AttributeDescription("number", .uuid, isOptional: true),
        AttributeDescription("cover", .binaryData, isOptional: true),
        AttributeDescription("page", .uri, isOptional: true),
        AttributeDescription("grade", .integer16, isOptional: true),
        AttributeDescription("factor", .float, isOptional: true),
        AttributeDescription("copies", .integer64, isOptional: true),
      ] + extra,
      relationships: [
        RelationshipDescription("author", to: "Person", inverse: "books"),
        RelationshipDescription(
          "tags", to: "Tag", inverse: "books", isToMany: true, isOrdered: true),
        RelationshipDescription("shelf", to: "Shelf", inverse: "books"),
      ],
      uniquenessConstraints: [["number"]]),
    EntityDescription(
      "Person", isAbstract: true, attributes: [AttributeDescription("name", .string)],
      relationships: [
        RelationshipDescription("books", to: "Book", inverse: "author", isToMany: true),
        RelationshipDescription("friend", to: "Person", inverse: "friend"),
        RelationshipDescription("peers", to: "Person", inverse: "peers", isToMany: true),
        RelationshipDescription("mentor", to: "Person", inverse: "pupil"),
        RelationshipDescription("pupil", to: "Person", inverse: "mentor"),
      ]),
    EntityDescription(
      "Reader", parent: "Person", attributes: [AttributeDescription("card", .integer64)]),
    EntityDescription(
      "Writer", parent: "Person",
      attributes: [AttributeDescription("note", .string, isOptional: true)]),
    EntityDescription(
      "Shelf", attributes: [AttributeDescription("label", .string)],
      relationships: [
        RelationshipDescription(
          "books", to: "Book", inverse: "shelf", isToMany: true, isOrdered: true)
      ]),
    EntityDescription(
      "Tag", attributes: [AttributeDescription("label", .string)],
      relationships: [
        RelationshipDescription("books", to: "Book", inverse: "tags", isToMany: true),
        RelationshipDescription("related", to: "Tag", isToMany: true),
      ]),
  ])
}

/// A store with a library in it, and words for what the tests do.
package final class StoreLibrary<Store: PersistentStore>: Sendable {
  package let store: Store
  package let support: (any Sendable)?
  package var model: CompiledModel { store.model }

  /// Wraps a store; `support` is kept alive with it.
  package init(_ store: Store, support: (any Sendable)? = nil) {
    self.store = store
    self.support = support
  }

  deinit { store.close() }

  package func entity(_ name: String) throws -> CompiledEntity {
    try model.requireEntity(named: name)
  }

  package func property(_ entity: String, _ name: String) throws -> CompiledProperty {
    try self.entity(entity).requireProperty(named: name)
  }

  package func fetch(_ entity: String, _ predicate: FetchPredicate? = nil) throws -> StoreFetch {
    var fetch = StoreFetch(entity: try self.entity(entity).index)
    fetch.predicate = predicate
    return fetch
  }

  // MARK: Changes

  package func insert(_ name: String, _ key: Int64, _ values: [String: AttributeValue] = [:]) throws
    -> ChangeSet.Insert
  {
    let entity = try entity(name)
    var all = values
    for property in entity.properties {
      guard let attribute = property.attribute, !attribute.isOptional, all[property.name] == nil
      else { continue }
      all[property.name] = attribute.type == .string ? .string("") : .integer(0)
    }
    return ChangeSet.Insert(
      entity: entity.index, key: key,
      values: ContiguousArray(entity.properties.map { all[$0.name] }))
  }

  package func update(
    _ name: String, _ key: Int64, _ version: Int64, _ values: [String: AttributeValue?]
  )
    throws -> ChangeSet.Update
  {
    let entity = try entity(name)
    return ChangeSet.Update(
      entity: entity.index, key: key, version: version,
      values: try values.sorted { $0.key < $1.key }.map {
        (try entity.requireProperty(named: $0.key).index, $0.value)
      })
  }

  package func delete(_ name: String, _ key: Int64, _ version: Int64? = nil) throws
    -> ChangeSet.Delete
  {
    ChangeSet.Delete(entity: try entity(name).index, key: key, version: version)
  }

  package func reference(_ entity: String, _ key: Int64) throws -> ObjectReference {
    ObjectReference(entity: try self.entity(entity).index, key: key)
  }

  /// A link, given from its canonical end.
  package func link(
    _ owner: (String, Int64), _ name: String, _ member: (String, Int64), at: Int64? = nil,
    ownerAt: Int64? = nil
  ) throws -> ChangeSet.Link {
    let relationship = try property(owner.0, name).relationship
    guard let relationship else {
      throw PersistenceError.unknownProperty(name, of: owner.0, among: [])
    }
    return ChangeSet.Link(
      relationship: relationship.id, owner: try reference(owner.0, owner.1),
      member: try reference(member.0, member.1), memberPosition: at, ownerPosition: ownerAt)
  }

  package func save(_ change: (inout ChangeSet) throws -> Void) throws {
    var changes = ChangeSet()
    try change(&changes)
    try store.save(changes)
  }

  // MARK: Looking

  /// The values of a row, attributes and keys, by name; `nil` values left out.
  package func values(_ slab: RowSlab, _ row: Int) -> [String: String] {
    let entity = model.entities[slab._entity(row)]
    var values: [String: String] = [:]
    for property in entity.properties where property.slot >= 0 && !slab._isNull(row, property.slot)
    {
      if let value = slab.storedValue(row, property) {
        values[property.name] = "\(value)"
      } else {
        values[property.name] = "\(slab._word(row, property.slot))"
      }
      if let relationship = property.relationship, relationship.entitySlot >= 0,
        !slab._isNull(row, relationship.entitySlot)
      {
        values[property.name, default: ""] +=
          " " + model.entities[Int(slab._word(row, relationship.entitySlot))].name
      }
    }
    return values
  }

  /// All rows of an entity as "Entity key v version".
  package func heads(_ slabs: [RowSlab]) -> [String] {
    slabs.flatMap { slab in
      (0..<slab.count).map { row in
        "\(model.entities[slab._entity(row)].name) \(slab._key(row)) v\(slab._version(row))"
      }
    }
  }

  package func keys(_ slabs: [RowSlab]) -> [Int64] {
    slabs.flatMap { slab in (0..<slab.count).map { slab._key($0) } }
  }

  package func keys(_ entity: String, _ predicate: FetchPredicate? = nil) throws -> [Int64] {
    keys(try store.rows(of: try fetch(entity, predicate)))
  }

  package func only(_ entity: String, _ key: Int64) throws -> [String: String] {
    let slabs = try store.rows(of: try self.entity(entity).index, keys: [key])
    guard let slab = slabs.first, slab.count == 1 else { return [:] }
    return values(slab, 0)
  }

  package func related(_ entity: String, _ name: String, _ owners: [Int64]) throws -> [Int64:
    [Int64]]
  {
    guard let relationship = try property(entity, name).relationship else { return [:] }
    let related = try store.rows(related: relationship.id, to: owners)
    return related.members.mapValues { $0.map { related.slabs[$0.slab]._key($0.row) } }
  }
}

package func errorOf(_ body: () throws -> Void) -> PersistenceError? {
  do {
    try body()
    return nil
  } catch { return error as? PersistenceError }
}
