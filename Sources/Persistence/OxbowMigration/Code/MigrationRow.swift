public import OxbowModel
internal import OxbowRelational

/// An object of a store as a step in Swift sees it: the values of its row, by the names of the
/// model.
public struct MigrationRow {
  /// The name of the object's entity.
  public var entity: String { shape.entity.name }

  /// The object's key; it never changes.
  public let key: Int64

  let shape: RowForm
  private let cells: [SQLValue]
  /// What the row has now instead of its cells, by their positions; few, in no order.
  private(set) var changes: [(position: Int, value: SQLValue)] = []

  init(_ shape: RowForm, key: Int64, _ cells: [SQLValue]) {
    (self.shape, self.key, self.cells) = (shape, key, cells)
  }

  /// The value of an attribute; `nil` when it has none.
  ///
  /// - Throws: ``PersistenceError``: `unknownProperty`, or `invalidStoredValue` when the store has
  ///   something that is not a value of the attribute's type.
  public func value(_ name: String) throws(PersistenceError) -> AttributeValue? {
    let (column, index) = try shape.attribute(name)
    let cell = changes.first { $0.position == index }?.value ?? cells[index]
    if cell == .null { return nil }
    guard let value = column.codec.decode(cell) else {
      throw PersistenceError(
        .invalidStoredValue,
        "'\(entity).\(name)' of the object with the key \(key) has \(cell.typeName) where "
          + "\(column.codec.expectation) was expected")
    }
    return value
  }

  /// Gives an attribute another value; it is written when the step is done with the row.
  ///
  /// - Throws: ``PersistenceError``: `unknownProperty`, or `validation` for a value that the
  ///   attribute cannot have, and for `nil` where a value is required.
  public mutating func setValue(
    _ value: AttributeValue?, for name: String
  ) throws(PersistenceError) {
    let (column, index) = try shape.attribute(name)
    let cell = try shape.cell(value, for: name, column)
    changes.removeAll { $0.position == index }
    if cell != cells[index] { changes.append((index, cell)) }
  }

  /// The key of the object that a to-one relationship leads to; `nil` when it leads nowhere, or
  /// when the store keeps its links elsewhere than in this row.
  ///
  /// - Throws: ``PersistenceError`` with code `unknownProperty`.
  public func key(of relationship: String) throws(PersistenceError) -> Int64? {
    guard let index = try shape.key(relationship), case .integer(let key) = cells[index] else {
      return nil
    }
    return key
  }
}

/// Where the values of an entity's rows are, among the cells that a statement reads.
final class RowForm {
  let entity: CompiledEntity
  let mapping: EntityMapping
  private let positions: [String: Int]

  /// What was asked for before, by the attribute's name.
  private var known: [String: (MappedColumn, Int)] = [:]

  /// The statement that writes the columns of the row that was written last.
  private var update: (positions: [Int], statement: String)?

  init(_ entity: CompiledEntity, _ mapping: EntityMapping, _ positions: [String: Int]) {
    (self.entity, self.mapping, self.positions) = (entity, mapping, positions)
  }

  /// The statement that writes the columns at some positions of a row; its key comes last.
  func update(_ columns: [Int]) -> String {
    if let update, update.positions == columns { return update.statement }
    let names = Dictionary(positions.map { ($1, $0) }) { first, _ in first }
    let statement = mapping.change(columns.compactMap { names[$0] })
    update = (columns, statement)
    return statement
  }

  func attribute(_ name: String) throws(PersistenceError) -> (MappedColumn, Int) {
    if let found = known[name] { return found }
    let found = try look(name)
    known[name] = found
    return found
  }

  private func look(_ name: String) throws(PersistenceError) -> (MappedColumn, Int) {
    let property = try entity.requireProperty(named: name)
    guard let index = mapping.column(ofProperty: property.index),
      mapping.columns[index].role == .attribute,
      let position = positions[mapping.columns[index].name]
    else {
      throw PersistenceError(
        .unknownProperty,
        "'\(entity.name).\(name)' is not an attribute that the store keeps"
          + (property.relationship == nil
            ? ""
            : "; it is a relationship, see key(of:) and link(_:_:to:) of the step's rows"))
    }
    return (mapping.columns[index], position)
  }

  func key(_ name: String) throws(PersistenceError) -> Int? {
    let property = try entity.requireProperty(named: name)
    guard property.relationship != nil, let index = mapping.column(ofProperty: property.index)
    else { return nil }
    return positions[mapping.columns[index].name]
  }

  /// The cells of a new row with some values, without its key; other attributes have their default.
  func cells(_ values: [String: AttributeValue]) throws(PersistenceError) -> [String: SQLValue] {
    var cells: [String: SQLValue] = [mapping.versionColumn: .integer(1)]
    mapping.typeColumn.map { cells[$0] = .integer(mapping.number) }
    for name in values.keys.sorted() {
      let (column, _) = try attribute(name)
      cells[column.name] = try cell(values[name], for: name, column)
    }
    for column in mapping.columns where column.role == .attribute && cells[column.name] == nil {
      let property = entity.properties[column.property]
      guard let attribute = property.attribute, attribute.derivation == nil else { continue }
      cells[column.name] = try cell(attribute.defaultValue, for: property.name, column)
    }
    return cells
  }

  /// Refuses a new row without a key that its entity requires.
  func requireKeys(in cells: [String: SQLValue]) throws(PersistenceError) {
    for column in mapping.columns
    where column.role == .key && column.isDeclaredRequired && cells[column.name] == nil {
      let name = entity.properties[column.property].name
      throw PersistenceError(
        .validation,
        "'\(entity.name).\(name)' is required: say where it leads, links: [\"\(name)\": key]")
    }
  }

  /// A value as the column has it.
  func cell(
    _ value: AttributeValue?, for name: String, _ column: MappedColumn
  ) throws(PersistenceError) -> SQLValue {
    let attribute = entity.property(named: name)?.attribute
    guard attribute?.derivation == nil else {
      throw PersistenceError(
        .validation, "'\(entity.name).\(name)' is derived, and is computed when the step is done")
    }
    guard let value else {
      guard !column.isRequired else {
        throw PersistenceError(
          .validation, "'\(entity.name).\(name)' is required and cannot be nil")
      }
      return .null
    }
    guard let cell = column.codec.encode(value) else {
      throw PersistenceError(
        .validation,
        "'\(entity.name).\(name)' is \(attribute?.type.rawValue ?? "no attribute") and cannot be "
          + "\(value)")
    }
    return cell
  }
}
