import Foundation
import OxbowModel
import OxbowRelational
import OxbowSQLite

/// Objects of every entity of a model, with a value in every attribute and a link in every
/// relationship, written by plain SQL.
struct SampleObjects {
  /// The objects of each entity, without those of the entities below it.
  private(set) var keys: [String: [Int64]] = [:]

  private let data: StoreData
  private var model: CompiledModel { data.model }

  /// Objects of each entity that is not abstract.
  static let count = 4

  init(_ data: StoreData) throws {
    self.data = data
    var last: [Int: Int64] = [:]
    for entity in data.model.entities where !entity.isAbstract {
      let first = (last[entity.root] ?? 0) + 1
      last[entity.root] = first + Int64(Self.count) - 1
      keys[entity.name] = Array(first..<first + Int64(Self.count))
    }
  }

  /// Writes them into the store.
  func write() throws {
    for entity in model.entities where !entity.isAbstract {
      try data.lab.run(insertion(of: entity))
    }
    for end in ends() { try data.lab.run(data.linking(end, links(of: end))) }
  }

  private func insertion(of entity: CompiledEntity) -> String {
    let map = data.mapping.entities[entity.index]
    return (keys[entity.name] ?? []).map { key in
      var cells = [(map.keyColumn, "\(key)"), (map.versionColumn, "1")]
      map.typeColumn.map { cells.append(($0, "\(map.number)")) }
      for (place, column) in map.columns.enumerated() {
        if column.role == .attribute {
          cells.append((column.name, Self.text(column.codec, key, place)))
        } else if column.isDeclaredRequired {
          cells.append((column.name, "0"))
        }
      }
      return "INSERT INTO \(quoted(map.table)) "
        + "(\(cells.map { quoted($0.0) }.joined(separator: ", "))) "
        + "VALUES (\(cells.map(\.1).joined(separator: ", ")));"
    }.joined(separator: "\n")
  }

  /// A value that no other object has.
  private static func text(_ codec: ColumnCodec, _ key: Int64, _ place: Int) -> String {
    let number = key * 50 + Int64(place)
    switch codec {
    case .boolean: return "\(key % 2)"
    case .double, .float, .referenceDate: return "\(number).0"
    case .text: return "'text \(key) of \(place)'"
    case .decimalText: return "'\(number)'"
    case .uriText: return "'https://example.org/\(key)/\(place)'"
    case .blob: return "x'\(String(format: "%04x", number))'"
    case .uuidBlob: return "x'\(String(format: "%032x", number))'"
    default: return "\(number)"
    }
  }

  /// One end of each pair of relationships that the store keeps.
  private func ends() -> [CompiledRelationship] {
    var seen: Set<RelationshipID> = []
    var ends: [CompiledRelationship] = []
    for entity in model.entities {
      for property in entity.relationships where property.declaringEntity == entity.index {
        guard let end = property.relationship, data.mapping.keeps(end),
          seen.insert(end.id).inserted
        else { continue }
        if let inverse = model.inverse(of: end) { seen.insert(inverse.id) }
        ends.append(end)
      }
    }
    return ends
  }

  private func objects(_ entity: Int) -> [Int64] {
    model.entities[entity].subtree.flatMap { keys[model.entities[$0].name] ?? [] }
  }

  private func links(of end: CompiledRelationship) -> [(from: Int64, to: Int64)] {
    let (owners, members) = (objects(end.entity), objects(end.destination))
    guard !members.isEmpty else { return [] }
    let inverse = model.inverse(of: end)
    if inverse?.id == end.id { return owners.map { ($0, $0) } }
    if !end.isToMany {
      guard inverse?.isToMany == false else {
        return owners.enumerated().map { ($1, members[$0 % members.count]) }
      }
      return zip(owners, members).map { ($0, $1) }
    }
    if let inverse, !inverse.isToMany {
      return members.enumerated().map { (owners[$0 % owners.count], $1) }
    }
    return owners.enumerated().flatMap { place, owner in
      Set([members[place % members.count], members[(place + 1) % members.count]]).sorted().map {
        (owner, $0)
      }
    }
  }
}
