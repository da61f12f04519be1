internal import OxbowModel
internal import OxbowRelational

extension TableMigrationBuilder {
  /// An attribute's column in its new type.
  ///
  /// Only ways that lose nothing are known; rows whose value does not fit are counted before, and
  /// refuse the migration.
  mutating func converted(
    _ attribute: AttributeDescription, from before: AttributeDescription, _ column: String,
    in entity: CompiledEntity, _ table: String, _ types: [Int64]?
  ) -> ColumnSource {
    switch (before.type, attribute.type) {
    case (let a, let b) where a == b: return .column(column)
    case (.integer16, .integer32), (.integer16, .integer64), (.integer32, .integer64),
      (.boolean, .integer16), (.boolean, .integer32), (.boolean, .integer64), (.float, .double),
      (.decimal, .string), (.uri, .string), (.uuid, .binaryData), (.transformable, .binaryData),
      (.binaryData, .transformable):
      return .column(column)
    case (.integer32, .integer16), (.integer64, .integer16):
      return narrowed(column, Int64(Int16.min)...Int64(Int16.max), attribute, entity, table, types)
    case (.integer64, .integer32):
      return narrowed(column, Int64(Int32.min)...Int64(Int32.max), attribute, entity, table, types)
    case (.integer16, .boolean), (.integer32, .boolean), (.integer64, .boolean):
      return narrowed(column, 0...1, attribute, entity, table, types)
    case (.integer16, .double), (.integer32, .double), (.boolean, .double), (.integer16, .float):
      return .converted(column, .integerToReal)
    case (.integer64, .double):
      checkValues(
        .inexact(table: table, column: column, types: types), "that would be rounded", attribute,
        entity)
      return .converted(column, .integerToReal)
    case (.integer16, .decimal), (.integer32, .decimal), (.integer64, .decimal),
      (.integer16, .string), (.integer32, .string), (.integer64, .string):
      return .converted(column, .integerToText)
    case (.uuid, .string): return .converted(column, .uuidToText)
    default:
      refuse(
        "attribute '\(attribute.name)' of entity '\(entity.name)' changes from "
          + "\(before.type.rawValue) to \(attribute.type.rawValue), and no conversion is safe for "
          + "every value. Add an attribute of the new type, fill it with a script, then remove the "
          + "old one")
      return .column(column)
    }
  }

  private mutating func narrowed(
    _ column: String, _ range: ClosedRange<Int64>, _ attribute: AttributeDescription,
    _ entity: CompiledEntity, _ table: String, _ types: [Int64]?
  ) -> ColumnSource {
    checkValues(
      .outside(table: table, column: column, range, types: types), "that do not fit", attribute,
      entity)
    return .column(column)
  }

  private mutating func checkValues(
    _ condition: DataCheck.Condition, _ problem: String, _ attribute: AttributeDescription,
    _ entity: CompiledEntity
  ) {
    check(
      condition,
      "values of '\(entity.name).\(attribute.name)' \(problem) as \(attribute.type.rawValue)",
      advice: "change them with a script before this step")
  }
}
