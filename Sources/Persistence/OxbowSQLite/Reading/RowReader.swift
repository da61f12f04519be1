internal import CSQLite
internal import OxbowModel
internal import OxbowRelational
internal import OxbowStore

/// Reads the rows of one shape: the compiled form of a statement's columns.
///
/// Immutable, made for one shape and one state of the tables' declarations.
final class RowReader: Sendable {
  let model: CompiledModel
  let shape: RowShape
  let layout: RowSlab.Layout
  let isFault: Bool

  /// The operations of all entities, back to back, and each entity's part, by dense index.
  let operations: [CellOperation]
  let parts: [Range<Int>]

  /// The null bits of a row of each entity before it has values: set where it has no column.
  let nullWords: [[UInt64]]

  /// The dense index of each entity by the number that the store keeps.
  let numbers: EntityNumbers

  /// How cells are kept, for messages.
  let codecs: any CodecSet

  /// Whether rows of an entity may come, and where its part of the slot table begins.
  let isWanted: [Bool]
  let slotStarts: [Int32]

  init(shape: RowShape, mapping: StoreMapping, declarations: TableDeclarations, isFault: Bool) {
    self.shape = shape
    self.isFault = isFault
    model = mapping.model
    let entities = mapping.model.entities
    let words = isFault ? 0 : shape.entities.reduce(0) { max($0, entities[$1].slotCount) }
    layout = RowSlab.Layout(words: words)
    codecs = mapping.dialect.codecs
    var operations: [CellOperation] = []
    var parts = [Range<Int>](repeating: 0..<0, count: entities.count)
    var nullWords = [[UInt64]](repeating: [], count: entities.count)
    for entity in shape.entities {
      let start = operations.count
      if !isFault {
        for (place, value) in shape.values.enumerated() where value.entities.contains(entity) {
          operations.append(
            CellOperation(
              value.column, at: shape.firstValue + place, value: place, layout: layout,
              isProven: declarations.prove(value.column, of: shape.mapping.table),
              codecs))
        }
      }
      parts[entity] = start..<operations.count
      nullWords[entity] = layout.nullBits(besides: operations[start...].map(\.slot))
    }
    self.operations = operations
    self.parts = parts
    self.nullWords = nullWords
    numbers = EntityNumbers(mapping)
    isWanted = entities.indices.map(shape.entities.contains)
    slotStarts = mapping.model.slotTable.starts
  }
}

/// The entities of a schema by the numbers that a store keeps for them.
struct EntityNumbers: Sendable {
  private let entities: [Int64: Int]

  init(_ mapping: StoreMapping) {
    entities = Dictionary(
      mapping.entities.map { ($0.number, $0.entity) }, uniquingKeysWith: { first, _ in first })
  }

  subscript(number: Int64) -> Int? { entities[number] }
}
