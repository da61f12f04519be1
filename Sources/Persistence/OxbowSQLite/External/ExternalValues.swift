internal import OxbowModel
internal import OxbowRelational
internal import OxbowStore

/// The columns of a store that may refer to files.
struct ExternalColumns: Sendable {
  /// An attribute of data.
  struct Column: Sendable {
    let property: Int
    let slot: Int
    /// Whether the model allows external storage.
    ///
    /// Where it did before, references may remain.
    let isAllowed: Bool
  }

  /// The columns of each entity, by dense index.
  let byEntity: [[Column]]

  /// The columns of all tables.
  let all: [FileColumn]

  init(_ mapping: StoreMapping) {
    byEntity = mapping.entities.map { entity in
      let properties = mapping.model.entities[entity.entity].properties
      return entity.columns.filter { $0.role == .attribute && $0.codec == .blob }.map {
        Column(property: $0.property, slot: $0.slot, isAllowed: properties[$0.property].isExternal)
      }
    }
    all = mapping.fileColumns
  }
}

/// Which values of a save go into files.
struct ExternalValues {
  private let columns: ExternalColumns
  private let threshold: Int

  init(_ columns: ExternalColumns, threshold: Int) {
    self.columns = columns
    self.threshold = threshold
  }

  /// Whether an entity has attributes of data.
  func isConcerned(_ entity: Int) -> Bool { !columns.byEntity[entity].isEmpty }

  func columns(of entity: Int) -> [ExternalColumns.Column] { columns.byEntity[entity] }

  /// Whether a value goes into a file.
  func takes(_ bytes: UnsafeRawBufferPointer, _ column: ExternalColumns.Column) -> Bool {
    column.isAllowed && bytes.count > threshold || FileReference(bytes) != nil
  }
}
