internal import OxbowDocuments
internal import OxbowFoundation
internal import OxbowModel
internal import OxbowRuntime

/// Writes objects as lines of JSON, by which stores are compared: nothing in them depends on how a
/// store keeps its objects.
struct ObjectExport {
  private let store: any PersistentStore

  /// So many objects are read at once.
  private static let pageSize = 500

  init(_ store: any PersistentStore) { self.store = store }

  /// Writes all objects of an entity in the order of their keys, a page at a time.
  ///
  /// - Parameters:
  ///   - entity: The entity; those below it have lines of their own.
  ///   - take: Takes bytes; it returns whether they were taken.
  /// - Returns: The number of objects; `nil` when bytes were not taken.
  /// - Throws: Why they could not be read or taken.
  func write(_ entity: CompiledEntity, _ take: ([UInt8]) throws -> Bool) throws -> Int? {
    var fetch = StoreFetch(entity: entity.index)
    (fetch.includesSubentities, fetch.limit) = (false, Self.pageSize)
    var count = 0
    while true {
      let slabs = try store.rows(of: fetch)
      let keys = slabs.keys
      guard let last = keys.last else { return count }
      count += keys.count
      guard try take(page(slabs, keys, of: entity)) else { return nil }
      guard keys.count == Self.pageSize else { return count }
      fetch.afterKey = last
    }
  }

  private func page(
    _ slabs: [RowSlab], _ keys: [Int64], of entity: CompiledEntity
  ) throws(PersistenceError) -> [UInt8] {
    let properties = entity.properties.filter { $0.relationship != nil || $0.slot >= 0 }
      .sorted { $0.name < $1.name }
    var links: [Int: Links] = [:]
    for property in properties where property.relationship != nil {
      links[property.index] = try self.links(of: property, slabs, keys)
    }
    var bytes: [UInt8] = []
    for slab in slabs {
      for row in 0..<slab.count {
        bytes += line(slab, row, entity, properties, links) + "\n".utf8
      }
    }
    return bytes
  }
}

// MARK: - Links

extension ObjectExport {
  /// The objects at the other end of a relationship.
  private enum Links {
    /// Of a to-one: those that exist, by key.
    case one([Int64: Int])
    /// Of a to-many: those of each owner.
    case many([Int64: [ObjectReference]])
  }

  private func links(
    of property: CompiledProperty, _ slabs: [RowSlab], _ keys: [Int64]
  ) throws(PersistenceError) -> Links {
    guard let relationship = property.relationship, relationship.isToMany else {
      return .one(
        try existing(
          slabs.flatMap { slab in
            (0..<slab.count).compactMap { slab.reference($0, property) }
          }))
    }
    let related = try store.rows(related: relationship.id, to: keys)
    return .many(
      related.members.mapValues { rows in
        rows.map { related.slabs[$0.slab].reference(at: $0.row) }
      })
  }

  /// The entities of objects that have a row, by key: a key may lead nowhere.
  private func existing(
    _ references: [ObjectReference]
  ) throws(PersistenceError) -> [Int64: Int] {
    guard let first = references.first else { return [:] }
    var fetch = StoreFetch(entity: store.model.entities[first.entity].root)
    fetch.keys = Set(references.map(\.key)).sorted()
    var entities: [Int64: Int] = [:]
    for slab in try store.keys(of: fetch) {
      for row in 0..<slab.count { entities[slab._key(row)] = slab._entity(row) }
    }
    return entities
  }
}

// MARK: - Lines

extension ObjectExport {
  private func line(
    _ slab: RowSlab, _ row: Int, _ entity: CompiledEntity, _ properties: [CompiledProperty],
    _ links: [Int: Links]
  ) -> [UInt8] {
    var writer = JSONWriter(isSpaced: true)
    writer.beginObject()
    writer.key("entity")
    writer.text(entity.name)
    writer.key("id")
    writer.text(uri(slab.reference(at: row)))
    writer.key("values")
    writer.beginObject()
    for property in properties {
      writer.key(property.name)
      guard let links = links[property.index] else {
        writer.exported(slab.storedValue(row, property))
        continue
      }
      write(links, property, slab, row, &writer)
    }
    writer.endObject()
    writer.key("version")
    writer.literal("\(slab._version(row))")
    writer.endObject()
    return writer.take()
  }

  private func write(
    _ links: Links, _ property: CompiledProperty, _ slab: RowSlab, _ row: Int,
    _ writer: inout JSONWriter
  ) {
    switch links {
    case .one(let entities):
      let key = slab.reference(row, property)?.key
      guard let key, let entity = entities[key] else { return writer.literal("null") }
      writer.text(uri(ObjectReference(entity: entity, key: key)))
    case .many(let members):
      var texts = (members[slab._key(row)] ?? []).map(uri)
      if property.relationship?.isOrdered != true { texts.sort() }
      writer.beginArray()
      for text in texts { writer.text(text) }
      writer.endArray()
    }
  }

  private func uri(_ reference: ObjectReference) -> String {
    let entity = store.model.entities[reference.entity]
    return ManagedObjectID(
      store: store.identifier(of: entity.index), rootEntityName: entity.name,
      entityName: entity.name, key: reference.key
    ).coreDataURI
  }
}

extension JSONWriter {
  /// A value in the one form that it has in such lines.
  fileprivate mutating func exported(_ value: AttributeValue?) {
    switch value {
    case nil: literal("null")
    case .integer(let number): literal("\(number)")
    case .boolean(let truth): literal("\(truth)")
    case .double(let number): self.number(number)
    case .date(let date): number(date.timeIntervalSinceReferenceDate)
    case .string(let string): text(string)
    case .decimal(let number): text(number.description)
    case .data(let data): text(data.base64EncodedString())
    case .uuid(let uuid): text(uuid.uuidString)
    case .url(let url): text(url.absoluteString)
    }
  }

  private mutating func number(_ number: Double) {
    if number.isFinite { literal("\(number)") } else { text("\(number)") }
  }
}
