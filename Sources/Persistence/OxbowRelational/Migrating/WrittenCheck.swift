internal import OxbowModel

/// Finds rows that the model does not allow, after something other than Oxbow wrote them.
///
/// Only what was written is checked, and of that only what the database does not check itself.
package struct WrittenCheck {
  private let mapping: StoreMapping
  private let written: WrittenColumns

  package init(mapping: StoreMapping, written: WrittenColumns) {
    (self.mapping, self.written) = (mapping, written)
  }

  /// Describes what is wrong.
  package func problems(in store: any MigrationReading) throws -> [String] {
    let values = try conditions.compactMap { condition, subject in
      let count = try store.count(condition)
      return count == 0 ? nil : "\(subject): \(count)"
    }
    return try values + LinkCheck(mapping: mapping).problems(in: store, written: written)
  }

  private var conditions: [(DataCheck.Condition, String)] {
    mapping.model.entities.flatMap { entity -> [(DataCheck.Condition, String)] in
      let own = mapping.entities[entity.index]
      let numbers = entity.concrete.map { mapping.entities[$0].number }.sorted()
      let types = own.typeColumn == nil || entity.index == entity.root ? nil : numbers
      var result: [(DataCheck.Condition, String)] = []
      if let type = own.typeColumn, entity.root == entity.index,
        written.contains(type, of: own.table)
      {
        let subject = "rows of '\(own.table)' whose entity is not in the model"
        result.append((.others(table: own.table, types: numbers), subject))
      }
      for column in own.columns where written.contains(column.name, of: own.table) {
        let property = entity.properties[column.property]
        // What is derived is computed behind the step, and checked then.
        guard property.declaringEntity == entity.index, property.attribute?.derivation == nil,
          column.role == .attribute || column.role == .key
        else { continue }
        let name = "'\(entity.name).\(property.name)'"
        if column.isRequired, !column.isDeclaredRequired {
          let condition = DataCheck.Condition.missing(
            table: own.table, column: column.name, types: types)
          result.append((condition, "objects without a value for \(name), which is required"))
        }
        if mapping.dialect.codecs.type(of: column.codec) == .integer,
          let range = column.codec.range
        {
          let condition = DataCheck.Condition.outside(
            table: own.table, column: column.name, range, types: types)
          result.append((condition, "values of \(name) that are not \(column.codec.expectation)"))
        }
      }
      return result
    }
  }
}

extension ColumnCodec {
  /// The numbers that the model allows, where the column's type allows more.
  fileprivate var range: ClosedRange<Int64>? {
    switch self {
    case .integer16: Int64(Int16.min)...Int64(Int16.max)
    case .integer32: Int64(Int32.min)...Int64(Int32.max)
    case .boolean: 0...1
    default: nil
    }
  }
}
