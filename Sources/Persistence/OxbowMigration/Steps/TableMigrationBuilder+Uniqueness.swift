internal import OxbowModel
internal import OxbowRelational

extension TableMigrationBuilder {
  /// Rows that would break a uniqueness constraint, unless an earlier constraint rules them out.
  mutating func addUniquenessChecks(of entity: CompiledEntity, _ sources: [String: ColumnSource]) {
    guard let root = lineage.oldRoot(of: entity) else { return }
    let mapping = new.entities[entity.index]
    let types = lineage.condition(lineage.numbers(entity), of: root)
    for constraint in entity.description.uniquenessConstraints {
      let columns = constraint.compactMap { name -> ColumnSource? in
        guard let property = entity.property(named: name),
          let index = mapping.column(ofProperty: property.index)
        else { return nil }
        return sources[mapping.columns[index].name]
      }
      // A column without a source is NULL, and NULL breaks no constraint.
      guard columns.count == constraint.count, !columns.contains(where: \.isLookup),
        !hadUnique(columns, root, types), !lineage.numbers(entity).isEmpty
      else { continue }
      check(
        .repeated(table: old.entities[root.index].table, columns: columns, types: types),
        "groups of objects of '\(entity.name)' with the same "
          + constraint.map { "'\($0)'" }.joined(separator: " and ") + ", which becomes unique",
        advice: "merge or delete them with a script before this step")
    }
  }

  /// Whether an earlier index covers all those rows.
  private func hadUnique(_ columns: [ColumnSource], _ root: CompiledEntity, _ types: [Int64]?)
    -> Bool
  {
    let names = columns.compactMap(\.plainColumn)
    guard names.count == columns.count else { return false }
    return lineage.table(old, ofRoot: root.index)?.indexes.contains { index in
      guard index.isUnique, Set(index.columns.map(\.name)) == Set(names) else { return false }
      guard let condition = index.condition else { return true }
      return types.map { Set($0).isSubset(of: condition.values) } ?? false
    } ?? false
  }
}

extension ColumnSource {
  /// Whether the values can be seen during the migration only.
  fileprivate var isLookup: Bool {
    switch self {
    case .lookup: true
    case .typed(_, let source, let other): source.isLookup || other?.isLookup == true
    case .filled(let source, _): source.isLookup
    default: false
    }
  }
}
