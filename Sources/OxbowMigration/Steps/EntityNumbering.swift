package import OxbowModel
package import OxbowSQL

/// The numbers that stores keep for entities.
package enum EntityNumbering {
  /// The entities of a model with their numbers: those that they had, and new ones for new
  /// entities.
  package static func records(
    of model: CompiledModel, match: ModelMatch? = nil, before: [EntityRecord] = []
  ) -> [EntityRecord] {
    let known = Dictionary(before.map { ($0.name, $0.number) }) { first, _ in first }
    var last = before.map(\.number).max() ?? 0
    return model.entities.map { entity in
      let name = match.map { $0.entities[entity.name] } ?? entity.name
      var number = name.flatMap { known[$0] }
      if number == nil {
        last += 1
        number = last
      }
      return EntityRecord(
        number: number ?? last, name: entity.name, hash: entity.description.versionHash)
    }
  }

  /// The mapping of a store that has these numbers.
  package static func mapping(of model: CompiledModel, _ records: [EntityRecord]) -> StoreMapping {
    let numbers = Dictionary(records.map { ($0.name, $0.number) }) { first, _ in first }
    return PlainLayout.mapping(
      of: model,
      numbers: model.entities.map { numbers[$0.name] ?? Int64($0.index) + 1 })
  }

  /// The numbers of the root entities.
  package static func roots(of mapping: StoreMapping) -> [Int64] {
    mapping.entities.filter { $0.root == $0.entity }.map(\.number).sorted()
  }
}
