package import OxbowModel

/// Values as Core Data keeps them in SQLite.
///
/// Its tables are not STRICT and its columns for dates and decimal numbers have the affinity
/// NUMERIC, so such a value is an INTEGER wherever it is whole.
package struct CoreDataCodecs: CodecSet {
  package init() {}

  package func codec(of type: AttributeType, isExternal: Bool) -> ColumnCodec? {
    switch type {
    case .date: .dateNumber
    case .decimal: .decimalNumber
    case .binaryData where isExternal, .transformable where isExternal: .taggedBlob
    default: SQLiteCodecs().codec(of: type)
    }
  }

  package func type(of codec: ColumnCodec) -> ColumnType { SQLiteCodecs().type(of: codec) }

  package func types(of codec: ColumnCodec) -> [ColumnType] {
    switch codec {
    case .dateNumber, .decimalNumber: [.integer, .real]
    default: [type(of: codec)]
    }
  }

  package func expectation(of codec: ColumnCodec) -> String {
    codec == .entityNumber ? "the number of an entity in Z_PRIMARYKEY" : codec.expectation
  }
}
