// The version hashes of entities as Core Data computes them, found by comparison with its stores.
// They are in the metadata of stores, by which Core Data knows the version of a model. Oxbow's own
// hash (`VersionHash.swift`) is another one.
//
// "+" joins bytes, texts are UTF-8, numbers have four bytes, the lowest first; H is SHA-256.
//
//   base         = H(name + optional (00 or 01) + 00 + modifier)
//   attribute    = H(base + type's number + 01 if external + 01 if kept after deletion)
//   relationship = H(base + destination + inverse + largest count + smallest count
//                    + 01 00 if ordered)
//   entity       = H(name + abstract (00 or 01) + hash of the parent + hashes of all properties,
//                    inherited ones included, in the order of their names + constraints, each its
//                    names with points between them, sorted + modifier)
//
// The inverse is the one that the document declares; transient and fetched properties do not count.
// What a derived or a composite attribute adds is not known.

internal import OxbowCoreData
internal import OxbowDocuments
internal import Synchronization

/// The version hashes that Core Data has for the entities of a model.
package struct CoreDataHashes: Sendable {
  /// The hashes, of 32 bytes, by entity.
  package private(set) var values: [String: [UInt8]] = [:]

  /// The entities whose hashes are not known, by name: with derived or composite attributes, or
  /// descending from one that has some, or from more than 1000.
  package private(set) var unknown: Set<String> = []

  /// Computes the hashes of a document's model; `recorded` has hashes that a compiled model was
  /// delivered with, for entities whose hashes cannot be computed.
  ///
  /// - Throws: ``PersistenceError`` with code `invalidModel` for a changed model that no document
  ///   can say.
  package init(
    of document: ModelDocument, recorded: [String: [UInt8]] = [:]
  ) throws(PersistenceError) {
    if let declaration = document.declaration {
      self = declaration.hashes
    } else {
      self = CoreDataHashes(try document.root)
    }
    for name in unknown {
      guard let hash = recorded[name] else { continue }
      values[name] = hash
      unknown.remove(name)
    }
  }

  fileprivate init(_ root: XMLElement) {
    let entities = root.children.filter { $0.name == "entity" }
    let declared = Dictionary(
      entities.map { ($0.value("name") ?? "", $0) }, uniquingKeysWith: { first, _ in first })
    for name in declared.keys {
      // From the first ancestor without a hash; a line that has no end is refused elsewhere.
      var line: [String] = []
      var next: String? = name
      while let name = next, values[name] == nil, !unknown.contains(name),
        line.count <= declared.count, let entity = declared[name]
      {
        line.append(name)
        next = entity.content("parentEntity")
      }
      for name in line.reversed() { add(name, declared) }
    }
  }

  /// Those of some of the entities.
  fileprivate func keeping(_ names: Set<String>) -> CoreDataHashes {
    var part = self
    part.values = values.filter { names.contains($0.key) }
    part.unknown.formIntersection(names)
    return part
  }

  /// Adds the hash of an entity, after those of its ancestors.
  private mutating func add(_ name: String, _ entities: [String: XMLElement]) {
    guard values[name] == nil, !unknown.contains(name), let entity = entities[name] else { return }
    var bytes = Array(name.utf8) + [entity.truth("isAbstract") ? 1 : 0]
    if let parent = entity.content("parentEntity") {
      guard let hash = values[parent] else {
        unknown.insert(name)
        return
      }
      bytes += hash
    }
    guard let properties = Self.properties(of: entity, entities) else {
      unknown.insert(name)
      return
    }
    bytes +=
      properties + Self.constraints(of: entity).utf8
      + (entity.content("versionHashModifier") ?? "").utf8
    values[name] = SHA256.bytes(of: bytes)
  }

  /// The hashes of all properties in the order of their names; `nil` if one is not known, and below
  /// more ancestors than any app has: damaged models are to end soon.
  private static func properties(
    of entity: XMLElement, _ entities: [String: XMLElement]
  ) -> [UInt8]? {
    var line = [entity]
    while let parent = line.last?.content("parentEntity").flatMap({ entities[$0] }) {
      guard line.count <= 1000 else { return nil }
      line.append(parent)
    }
    var hashes: [(name: String, hash: [UInt8])] = []
    for property in line.flatMap(\.children) where !property.truth("transient") {
      guard property.name == "attribute" || property.name == "relationship" else { continue }
      guard let hash = property.propertyHash else { return nil }
      hashes.append((property.value("name") ?? "", hash))
    }
    hashes.sort { $0.name.utf16.lexicographicallyPrecedes($1.name.utf16) }
    return hashes.flatMap(\.hash)
  }

  private static func constraints(of entity: XMLElement) -> String {
    let lists = entity.children.filter { $0.name == "uniquenessConstraints" }.flatMap(\.children)
    return lists.map { list in
      list.children.compactMap { $0.value("value") }.joined(separator: ".")
    }.sorted { $0.utf16.lexicographicallyPrecedes($1.utf16) }.joined()
  }
}

extension ModelDeclaration {
  /// The hashes of its entities; finding a document for a store and opening the store ask for them
  /// (docs/performance.md, S/open).
  var hashes: CoreDataHashes {
    computed.withLock { computed in
      if let hashes = computed as? CoreDataHashes { return hashes }
      let hashes = CoreDataHashes(root)
      computed = hashes
      return hashes
    }
  }
}

extension ManagedObjectModel {
  /// Whether the model was read from one document, which says all that version hashes depend on: a
  /// model has one of two inverses that do not agree, and no smallest count of a to-one
  /// relationship.
  package var isOfDocument: Bool { declaration != nil }

  /// Core Data's version hashes of what the model's document says, or the model itself.
  ///
  /// - Throws: ``PersistenceError`` with code `invalidModel` for a model that no document can say.
  package func coreDataHashes(
    ofDocument isOfDocument: Bool
  ) throws(PersistenceError) -> CoreDataHashes {
    guard isOfDocument, let declaration else {
      return try CoreDataHashes(of: ModelDocument(self, versionName: "Model"))
    }
    return declaration.hashes.keeping(Set(entities.map(\.name)))
  }
}

extension XMLElement {
  fileprivate func truth(_ name: String) -> Bool {
    value(name).flatMap(ScalarText.truth) ?? false
  }

  fileprivate func content(_ name: String) -> String? {
    value(name).flatMap { $0.isEmpty ? nil : $0 }
  }

  fileprivate var propertyHash: [UInt8]? {
    var text = Array((value("name") ?? "").utf8)
    text.append(truth("optional") ? 1 : 0)
    text.append(0)
    if let modifier = content("versionHashModifier") { text += modifier.utf8 }
    let base = SHA256.bytes(of: text)
    if name == "relationship" { return SHA256.bytes(of: base + relationshipBytes) }
    guard !truth("derived"), let type = typeNumber, type != 2100 else { return nil }
    return SHA256.bytes(
      of: base + bytes(type) + (truth("allowsExternalBinaryDataStorage") ? [1] : [])
        + (truth("preserveAfterDeletion") ? [1] : []))
  }

  private var typeNumber: Int? {
    guard let type = content("attributeType"), type != "Undefined" else { return 0 }
    return CoreDataNumbers.numbers[type]
  }

  private var relationshipBytes: [UInt8] {
    let isToMany = truth("toMany")
    let maximum = isToMany ? value("maxCount").flatMap(Int.init) ?? 0 : 1
    let minimum = value("minCount").flatMap(Int.init) ?? 0
    return Array((value("destinationEntity") ?? "").utf8) + Array((value("inverseName") ?? "").utf8)
      + bytes(maximum) + bytes(minimum) + (isToMany && truth("ordered") ? [1, 0] : [])
  }

  private func bytes(_ number: Int) -> [UInt8] {
    let number = UInt32(truncatingIfNeeded: number)
    return stride(from: UInt32(0), to: 32, by: 8).map { UInt8(truncatingIfNeeded: number >> $0) }
  }
}
