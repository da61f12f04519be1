package import OxbowModel
package import OxbowRelational

package enum EntityNumbering {
  /// The entities of a model with their numbers: those that they had, and new ones for new
  /// entities; behind them those that are past.
  ///
  /// A number is given once in a store: an entity that comes again has the one that it had, and
  /// what kept the number of another one (keys of objects, a backup's rows, a program's notes)
  /// never means this one.
  package static func records(
    of model: CompiledModel, match: ModelMatch? = nil, before: [EntityRecord] = []
  ) -> [EntityRecord] {
    let known = numbers(before.filter { !$0.isPast })
    let past = numbers(before.filter(\.isPast))
    var last = before.map(\.number).max() ?? 0
    let records = model.entities.map { entity in
      let name = match.map { $0.entities[entity.name] } ?? entity.name
      var number = name.flatMap { known[$0] } ?? past[entity.name]
      if number == nil {
        last += 1
        number = last
      }
      return EntityRecord(
        number: number ?? last, name: entity.name, hash: entity.description.versionHash)
    }
    let given = Set(records.map(\.number))
    return records
      + before.filter { !given.contains($0.number) }.map {
        EntityRecord(number: $0.number, name: $0.name, hash: $0.hash, isPast: true)
      }
  }

  private static func numbers(_ records: [EntityRecord]) -> [String: Int64] {
    Dictionary(records.map { ($0.name, $0.number) }) { _, last in last }
  }

  package static func mapping(
    of model: CompiledModel, _ records: [EntityRecord], in dialect: any Dialect = SQLiteDialect()
  ) -> StoreMapping {
    let numbers = numbers(records.filter { !$0.isPast })
    return PlainLayout.mapping(
      of: model,
      numbers: model.entities.map { numbers[$0.name] ?? Int64($0.index) + 1 }, in: dialect)
  }

  package static func roots(of mapping: StoreMapping) -> [Int64] {
    mapping.entities.filter { $0.root == $0.entity }.map(\.number).sorted()
  }
}

/// A model with the numbers that a store has for its entities, and with its tables.
struct NumberedModel {
  let model: CompiledModel
  let entities: [EntityRecord]
  let mapping: StoreMapping

  /// The derived attributes that are computed when a step leaves the model behind.
  let fills: [DerivedFill]

  var hash: String { model.versionHash }

  /// The columns that have the moment of a save or of a step, by table.
  var moments: [String: Set<String>] {
    let generator = DerivationGenerator(mapping: mapping)
    return model.derivations.reduce(into: [:]) { result, derivation in
      guard case .now = derivation.end, let column = generator.column(of: derivation) else {
        return
      }
      result[mapping.entities[derivation.entity.index].table, default: []].insert(column.name)
    }
  }

  init(
    _ model: CompiledModel, _ entities: [EntityRecord], in dialect: any Dialect = SQLiteDialect()
  ) {
    (self.model, self.entities) = (model, entities)
    mapping = EntityNumbering.mapping(of: model, entities, in: dialect)
    fills = model.hasDerivations ? DerivationGenerator(mapping: mapping).fills : []
  }

  init(_ model: CompiledModel, match: ModelMatch, after before: NumberedModel) {
    self.init(
      model, EntityNumbering.records(of: model, match: match, before: before.entities),
      in: before.mapping.dialect)
  }

  /// A model whose entities have no numbers yet.
  init(new model: CompiledModel, in dialect: any Dialect) {
    self.init(model, EntityNumbering.records(of: model), in: dialect)
  }
}
