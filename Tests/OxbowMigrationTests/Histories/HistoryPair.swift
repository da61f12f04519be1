import Foundation
import OxbowMigration
import OxbowModel
import OxbowSQL
import OxbowSQLite
import OxbowTestSupport

/// Two versions of somebody's model, one after the other.
struct HistoryPair {
  let package: String
  let from: String
  let to: String

  /// What became of it.
  struct Outcome {
    var verdict: String
    var remarks: [String] = []

    /// The values and links that both versions have, and that were compared.
    var values = 0
    var links = 0

    /// What is not as it should be.
    var problems: [String] = []
  }

  /// All pairs of the samples, in the order of the versions' names.
  static func all() -> [HistoryPair] {
    let paths = Samples.paths(below: "models") { $0.hasSuffix(".xcdatamodel") }
    let packages = Dictionary(grouping: paths) { $0.split(separator: "/").dropLast().last ?? "" }
      .filter { $0.key.hasSuffix(".xcdatamodeld") }
    let folders = Dictionary(grouping: packages.values.joined()) { path in
      path.split(separator: "/").dropLast().suffix(2).joined(separator: "/")
    }
    return folders.sorted { $0.key < $1.key }.flatMap { package, paths in
      let versions = paths.sorted {
        version($0).compare(version($1), options: .numeric) == .orderedAscending
      }
      return zip(versions, versions.dropFirst()).map {
        HistoryPair(package: package, from: $0, to: $1)
      }
    }
  }

  static func version(_ path: String) -> String {
    String(path.split(separator: "/").last?.dropLast(".xcdatamodel".count) ?? "")
  }

  func run() throws -> Outcome {
    let (old, new): (ModelDocument, ModelDocument)
    do throws(PersistenceError) {
      old = try ModelDocument(contentsOf: from)
      new = try ModelDocument(contentsOf: to)
    } catch {
      return Outcome(verdict: "not read: `\(error.code.rawValue)`", remarks: [Self.reason(error)])
    }
    let lab = try Lab()
    do { try lab.fill(old.model, "") } catch let error as PersistenceError {
      return Outcome(
        verdict: "not opened: `\(error.code.rawValue)`", remarks: [Self.reason(error)])
    }
    let objects = try SampleObjects(StoreData(lab, old.model))
    try objects.write()
    let before = try StoredObjects(lab, old.model, objects.keys)
    var outcome = Outcome(verdict: "inferred")
    outcome.remarks = remarks(old, new)
    if !before.dangling.isEmpty { outcome.problems.append("before: \(before.dangling)") }
    do {
      if try lab.infer(new.model).isEmpty { outcome.verdict = "nothing to do" }
    } catch is PersistenceError {
      do {
        _ = try lab.infer(new.model, allowsLoss: true)
        outcome.verdict = "inferred, with consent to a loss"
      } catch let error as PersistenceError {
        outcome.verdict = "refused: `\(error.code.rawValue)`"
        outcome.remarks.append(Self.reason(error))
        return outcome
      }
    }
    try before.compare(
      with: StoredObjects(lab, new.model, nil), lab.differences(from: new.model), &outcome)
    return outcome
  }

  /// Why a step is refused, without the names of the model.
  private static func reason(_ error: PersistenceError) -> String {
    let text = error.description
    var words = ""
    var isQuoted = false
    for character in text.prefix(while: { $0 != "\n" && $0 != ";" }) {
      if character == "'" { isQuoted.toggle() }
      if character == "'" {
        words += isQuoted ? "…" : ""
      } else if !isQuoted {
        words += "\(character)"
      }
    }
    return words
  }

  private func remarks(_ old: ModelDocument, _ new: ModelDocument) -> [String] {
    let relationships = [old, new].flatMap { $0.model.entities.flatMap(\.relationships) }
    var remarks: [String] = []
    if relationships.contains(where: \.isTransient) { remarks.append("transient relationships") }
    if relationships.contains(where: { $0.inverse == nil }) {
      remarks.append("relationships without an inverse")
    }
    return remarks
  }
}

/// All objects of a store, read by the tables of its model.
struct StoredObjects {
  let model: CompiledModel
  private(set) var keys: [String: [Int64]] = [:]

  /// By entity and attribute.
  private(set) var values: [String: [String: [Int64: String]]] = [:]

  /// By entity and relationship.
  private(set) var links: [String: [String: [Int64: [Int64]]]] = [:]

  /// Links that lead nowhere.
  private(set) var dangling: [String] = []

  init(_ lab: Lab, _ source: ManagedObjectModel, _ known: [String: [Int64]]?) throws {
    let data = try StoreData(lab, source)
    model = data.model
    dangling =
      try lab.rows("PRAGMA foreign_key_check")
      + lab.rows("PRAGMA integrity_check")
      .filter { $0 != "'ok'" }
    for entity in model.entities where !entity.isAbstract {
      let map = data.mapping.entities[entity.index]
      let type = map.typeColumn.map { " WHERE \(quoted($0)) = \(map.number)" } ?? ""
      let attributes = entity.properties.filter {
        $0.relationship == nil && map.column(ofProperty: $0.index) != nil
      }
      let columns = attributes.compactMap { map.column(ofProperty: $0.index) }
        .map { ", \(quoted(map.columns[$0].name))" }
      keys[entity.name] = []
      for row in try lab.rows(
        "SELECT \(quoted(map.keyColumn))\(columns.joined()) FROM \(quoted(map.table))\(type) "
          + "ORDER BY 1")
      {
        // No value that the test writes has such a bar.
        let cells = row.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
        guard let key = Int64(cells[0]) else { continue }
        keys[entity.name]?.append(key)
        for (attribute, cell) in zip(attributes, cells.dropFirst()) {
          values[entity.name, default: [:]][attribute.name, default: [:]][key] = cell
        }
      }
    }
    try readLinks(data)
    if let known, known != keys { dangling.append("other objects than were written") }
  }

  private mutating func readLinks(_ data: StoreData) throws {
    for entity in model.entities {
      for property in entity.relationships where property.declaringEntity == entity.index {
        guard let end = property.relationship, data.mapping.keeps(end) else { continue }
        let all = try data.links(end)
        dangling += try data.wrongEntities(end).map { "\(entity.name).\(property.name) of \($0)" }
        for owner in entity.concrete.map({ model.entities[$0].name }) {
          let own = Set(keys[owner] ?? [])
          links[owner, default: [:]][property.name] = all.filter { own.contains($0.key) }
        }
      }
    }
  }
}

// MARK: - Comparing

extension StoredObjects {
  /// Compares what both models have, matched by identifiers and names and nothing else.
  func compare(
    with new: StoredObjects, _ differences: [String], _ outcome: inout HistoryPair.Outcome
  ) {
    outcome.problems += differences + new.dangling
    for entity in new.model.entities where !entity.isAbstract {
      guard
        let old = Self.match(
          entity.name, entity.description.renamingIdentifier,
          model.entities.map { ($0.name, $0.description.renamingIdentifier) }),
        let before = model.entity(named: old), !before.isAbstract
      else { continue }
      guard keys[old] == new.keys[entity.name] else {
        outcome.problems.append("objects of \(entity.name): \(new.keys[entity.name] ?? [])")
        continue
      }
      for property in entity.properties {
        compare(property, of: entity, before, new, &outcome)
      }
    }
  }

  private func compare(
    _ property: CompiledProperty, of entity: CompiledEntity, _ before: CompiledEntity,
    _ new: StoredObjects, _ outcome: inout HistoryPair.Outcome
  ) {
    let isLink = property.relationship != nil
    let candidates = before.properties.filter { ($0.relationship != nil) == isLink }
    guard
      let name = Self.match(
        property.name, Self.identifier(property),
        candidates.map { ($0.name, Self.identifier($0)) }),
      let old = before.property(named: name)
    else { return }
    let label = "\(entity.name).\(property.name)"
    if let link = property.relationship {
      guard let was = old.relationship, leads(link, new.model, to: was) else { return }
      compareLinks(
        links[before.name]?[name], new.links[entity.name]?[property.name], old, property, label,
        &outcome)
    } else {
      guard old.attribute?.type == property.attribute?.type, property.attribute?.derivation == nil,
        let was = values[before.name]?[name], let values = new.values[entity.name]?[property.name]
      else { return }
      outcome.values += was.count
      if was != values { outcome.problems.append("\(label): \(values), not \(was)") }
    }
  }

  /// Whether a relationship leads to what it led to.
  private func leads(
    _ link: CompiledRelationship, _ newModel: CompiledModel, to was: CompiledRelationship
  ) -> Bool {
    let entity = newModel.entities[link.destination]
    return Self.match(
      entity.name, entity.description.renamingIdentifier,
      model.entities.map { ($0.name, $0.description.renamingIdentifier) })
      == model.entities[was.destination].name
  }

  private func compareLinks(
    _ was: [Int64: [Int64]]?, _ now: [Int64: [Int64]]?, _ old: CompiledProperty,
    _ new: CompiledProperty, _ label: String, _ outcome: inout HistoryPair.Outcome
  ) {
    guard let was, let now, let old = old.relationship, let new = new.relationship else { return }
    outcome.links += was.values.reduce(0) { $0 + $1.count }
    if old.isOrdered && new.isOrdered, was != now {
      outcome.problems.append("\(label): \(now), not \(was) in order")
    } else if was.mapValues(Set.init) != now.mapValues(Set.init) {
      outcome.problems.append("\(label): \(now), not \(was)")
    }
  }

  private static func identifier(_ property: CompiledProperty) -> String? {
    property.attribute?.renamingIdentifier ?? property.relationship?.description.renamingIdentifier
  }

  /// The old name of something: what has the same identifier, where a name is one too.
  private static func match(
    _ name: String, _ identifier: String?, _ old: [(name: String, identifier: String?)]
  ) -> String? {
    let wanted = identifier ?? name
    return
      (old.first { ($0.identifier ?? $0.name) == wanted }
      ?? old.first { $0.name == wanted } ?? old.first { $0.name == name })?.name
  }
}
