internal import OxbowDocuments
internal import OxbowFoundation
internal import OxbowModel
internal import OxbowRelational
internal import OxbowStore

extension StoreTransfer {
  /// One row that is being copied.
  private struct Row {
    let entity: CompiledEntity
    let rows: Statement
    let key: Int64
    /// The entity that the last key refers to.
    var far: CompiledEntity?
    /// How many keys were read.
    var keys = 0

    var place: String { "\(entity.name)/p\(key)" }

    func subject(_ property: CompiledProperty) -> String { "\(entity.name).\(property.name)" }
  }

  mutating func copy(_ entity: CompiledEntity) throws {
    try each(
      entity.name, generator.rows(of: entity), count: generator.count(of: entity),
      writing: generator.insert(entity)
    ) { transfer, rows, insert in
      try transfer.copy(Row(entity: entity, rows: rows, key: rows.integer(at: 0)), insert)
    }
  }

  private mutating func copy(_ row: Row, _ insert: Statement) throws {
    var row = row
    let (near, mapped) = (from.entities[row.entity.index], to.entities[row.entity.index])
    guard row.key > 0, row.key < .max else { throw unfit(row, near.keyColumn, "a key above 0") }
    noteKey(row.key, root: row.entity.root)
    var values: [SQLValue] = [.integer(row.key), .integer(try version(of: row))]
    for index in mapped.columns.indices {
      values.append(try cell(mapped.columns[index], at: index + 2, &row))
    }
    guard isWriting else { return }
    do { try insert.run(values) } catch let error as SQLiteError
      where error.code == .constraintUnique
    { throw notUnique(row, error) }
    result.objects += 1
  }

  private func notUnique(_ row: Row, _ error: SQLiteError) -> PersistenceError {
    let who = version == nil ? "the model wants" : "Core Data wants, in all of a table,"
    return PersistenceError(
      .invalidStoredValue,
      "\(row.place) and another object have the same values, which \(who) to be unique; nothing was "
        + "written: change one of them in the app",
      details: [.init(label: "SQLite", text: error.message)])
  }

  private mutating func version(of row: Row) throws -> Int64 {
    switch row.rows.value(at: 1) {
    case .integer(let number) where number > Int64(Int32.max) && version != nil:
      lose(.largeVersion, row.entity.name, row.place)
      return RowVersion.first
    case .integer(let number) where number > 0 && number <= 1 << 62: return number
    case .null, .integer(0):
      lose(.noVersion, row.entity.name, row.place)
      return RowVersion.first
    default: throw unfit(row, from.entities[row.entity.index].versionColumn, "a version above 0")
    }
  }

  private mutating func cell(
    _ column: MappedColumn, at index: Int, _ row: inout Row
  ) throws -> SQLValue {
    let property = row.entity.properties[column.property]
    switch column.role {
    case .attribute: return try attribute(property, column, at: index, row)
    case .key: return try key(property, column, at: index, &row)
    case .entity: return row.far.map { .integer(to.entities[$0.index].number) } ?? .null
    case .position: return row.far == nil ? .null : try position(at: index, row)
    }
  }

  private func position(at index: Int, _ row: Row) throws -> SQLValue {
    switch row.rows.value(at: index) {
    case .null: return .null
    case .integer(let position): return .integer(position)
    default: throw unfit(row, "a position", "an INTEGER")
    }
  }

  private mutating func key(
    _ property: CompiledProperty, _ column: MappedColumn, at index: Int, _ row: inout Row
  ) throws -> SQLValue {
    let number = row.rows.value(at: to.entities[row.entity.index].columns.count + 2 + row.keys)
    row.keys += 1
    row.far = nil
    let cell = row.rows.value(at: index)
    if case .integer(let key) = cell, let relationship = property.relationship {
      row.far = far(
        number, key, model.entities[relationship.destination], row.subject(property), row.place)
    } else if cell != .null {
      throw unfit(row, property.name, "a key")
    }
    if row.far != nil { return cell }
    if column.isRequired { lose(.noLink, row.subject(property), row.place) }
    return .null
  }

  private func unfit(_ row: Row, _ what: String, _ expected: String) -> PersistenceError {
    let mapped = from.entities[row.entity.index]
    return PersistenceError(
      .invalidStoredValue,
      "the row with \(mapped.keyColumn) \(row.key) of the table '\(mapped.table)' has something else "
        + "than \(expected) for '\(what)'; nothing was written: another program wrote it, so correct "
        + "the row in the store")
  }
}

// MARK: - Values

extension StoreTransfer {
  private mutating func attribute(
    _ property: CompiledProperty, _ column: MappedColumn, at index: Int, _ row: Row
  ) throws -> SQLValue {
    let mapped = from.entities[row.entity.index]
    guard let place = mapped.column(ofProperty: property.index) else { return .null }
    let codec = mapped.columns[place].codec
    let cell = row.rows.value(at: index)
    var value = SQLValue.null
    switch (codec, cell) {
    case (_, .null): break
    case (.decimalNumber, .text("NaN")): lose(.notANumber, row.subject(property), row.place)
    case (.taggedBlob, .blob(let bytes)), (.blob, .blob(let bytes)):
      value = try self.bytes(of: bytes, codec, property, row).map { .blob($0) } ?? .null
    default: value = try converted(cell, codec, column, at: index, property, row)
    }
    if case .blob(let bytes) = value { return try stored(bytes, property, column, row) }
    guard value == .null, column.isRequired, property.attribute?.derivation == nil else {
      return value
    }
    return byDefault(property, column, row)
  }

  private mutating func converted(
    _ cell: SQLValue, _ codec: ColumnCodec, _ column: MappedColumn, at index: Int,
    _ property: CompiledProperty, _ row: Row
  ) throws -> SQLValue {
    guard let decoded = codec.decode(cell), row.rows.isWhole(cell, at: index) else {
      throw unfit(row, property.name, codec.expectation)
    }
    let value = decoded.rounded(for: property.attribute?.type)
    if codec == column.codec { return codec == .float ? codec.encode(value) ?? cell : cell }
    if let converted = column.codec.encode(value), converted.isFinite { return converted }
    guard column.codec == .decimalNumber, case .decimal(let number) = value else {
      throw unfit(row, property.name, column.codec.expectation)
    }
    lose(.longDecimal, row.subject(property), row.place)
    return .text(number.description)
  }

  /// The bytes of a cell, which may be in a file; `nil` for those of a file that is missing.
  private mutating func bytes(
    of cell: [UInt8], _ codec: ColumnCodec, _ property: CompiledProperty, _ row: Row
  ) throws -> [UInt8]? {
    do throws(ExternalFileError) {
      switch codec {
      case .taggedBlob:
        switch TaggedCell(cell) {
        case .inline(let bytes): return bytes
        case .file: return try CoreDataFolder(row.rows.handle)?.bytes(of: cell) ?? []
        case nil: break
        }
      default:
        guard readsFiles else { return cell }
        return try ExternalFolder(row.rows.handle)?.bytes(of: cell) ?? cell
      }
    } catch {
      guard error.reason == .missing else {
        throw PersistenceError.unreadable("'\(property.name)' of \(row.place)", error)
      }
      lose(.missingFile, row.subject(property), row.place)
      return nil
    }
    throw unfit(row, property.name, codec.expectation)
  }

  /// The cell of a value of bytes, which is written into a file where it is large.
  private mutating func stored(
    _ bytes: [UInt8], _ property: CompiledProperty, _ column: MappedColumn, _ row: Row
  ) throws -> SQLValue {
    if version != nil, property.attribute?.type == .transformable, Self.isJSON(bytes) {
      lose(.json, row.subject(property), row.place)
    }
    let isLarge = property.isExternal && bytes.count > store.externalStorageThreshold
    let isTagged = column.codec == .taggedBlob
    return try bytes.withUnsafeBytes { buffer in
      let needsFile = isLarge || !isTagged && hasFiles && FileReference(buffer) != nil
      guard isTagged || hasFiles, needsFile, isWriting else {
        return .blob(isTagged ? TaggedCell.tagged(bytes) : bytes)
      }
      do {
        let cell =
          isTagged
          ? try target.values.write(buffer, permissions: target.permissions)
          : try connection.writeFile(buffer).bytes
        result.files += 1
        return .blob(cell)
      } catch let error as ExternalFileError {
        throw PersistenceError.unwritable("a value of '\(property.name)'", error)
      }
    }
  }

  /// Whether bytes are what `TransformableValue` writes; archives and property lists never are.
  private static func isJSON(_ bytes: [UInt8]) -> Bool {
    guard let first = bytes.first, first < 0x80, first != UInt8(ascii: "b") else { return false }
    return (try? JSONReader.parse(bytes, file: "")) != nil
  }

  /// The value of an object that has none where the model needs one.
  private mutating func byDefault(
    _ property: CompiledProperty, _ column: MappedColumn, _ row: Row
  ) -> SQLValue {
    let value = property.attribute?.defaultValue.flatMap(column.codec.encode)
    lose(value == nil ? .noValue : .emptyValue, row.subject(property), row.place)
    return value ?? .null
  }
}
