#if PostgreSQL
  internal import OxbowFoundation
  internal import OxbowModel
  internal import OxbowRelational
  internal import OxbowStore

  /// Makes slabs of the rows of a result.
  struct RowDecoder {
    let store: PostgresStore
    let shape: ServerShape

    init(_ store: PostgresStore, _ shape: ServerShape) {
      self.store = store
      self.shape = shape
    }

    /// The rows of a result, or some of them in an order; of those that are known, the header.
    ///
    /// - Throws: ``PersistenceError`` with `invalidStoredValue` for a row that does not fit the
    ///   model.
    func rows(
      _ result: ServerResult, _ order: [Int]? = nil, unless known: RowFilter? = nil
    ) throws(PersistenceError) -> [RowSlab] {
      try requireTypes(result)
      var builder = SlabBuilder(
        store.model, shape.shape.entities, count: order?.count ?? result.count)
      for place in 0..<(order?.count ?? result.count) {
        try append(order?[place] ?? place, result, known, &builder)
      }
      return builder.finish()
    }

    /// The rows of a statement, of which many are made while the server sends those behind them
    /// (docs/performance.md, N/fetch); of those that are known, the header.
    func rows(
      of statement: ServerStatement, _ session: ReadSession, unless known: RowFilter? = nil
    ) throws -> [RowSlab] {
      var builder = SlabBuilder(store.model, shape.shape.entities, count: 0)
      var isChecked = false
      let rest = try session.stream(statement) { result, row in
        if !isChecked {
          try requireTypes(result)
          isChecked = true
          builder.expect(result.count)
        }
        try append(row, result, known, &builder)
      }
      if !isChecked { try requireTypes(rest) }
      return builder.finish()
    }

    /// The keys and entities of a result.
    func references(_ result: ServerResult) throws(PersistenceError) -> [RowSlab] {
      var slabs: [RowSlab] = []
      for row in 0..<result.count {
        if row % RowSlab.usualCapacity == 0 {
          slabs.append(
            RowSlab(
              referencesOf: store.model, capacity: min(RowSlab.usualCapacity, result.count - row)))
        }
        let key = result.integer(row, 0)
        slabs[slabs.count - 1].append(
          ObjectReference(entity: try entity(result, row, column: 1, key), key: key))
      }
      return slabs
    }

    /// Appends a row to a builder, and returns the slab and its place there.
    @discardableResult
    func append(
      _ row: Int, _ result: ServerResult, _ known: RowFilter? = nil, _ builder: inout SlabBuilder
    ) throws(PersistenceError) -> RelatedRows.Position {
      let (key, version) = (result.integer(row, 0), result.integer(row, 1))
      let entity = try entity(result, row, column: 2, key)
      let slab = builder.begin(key: key, version: version, entity: entity)
      guard known?.contains(entity, key, version) != true else {
        return builder.endHeader(key: key, version: version, entity: entity)
      }
      for (place, column) in shape.columns[entity] ?? [] {
        guard let cell = result.cell(row, place) else {
          guard !column.isRequired else { throw unfit("NULL", column, key) }
          continue
        }
        guard let word = word(cell, column.codec, slab) else {
          throw unfit("a value that does not fit", column, key)
        }
        slab._setWord(slab.count - 1, column.slot, word)
        if column.codec.hasBytes { builder.bytes += cell.count }
      }
      return builder.position
    }

    /// The entity of a row, whose number is in a column where the table has several.
    private func entity(
      _ result: ServerResult, _ row: Int, column: Int, _ key: Int64
    ) throws(PersistenceError) -> Int {
      guard shape.shape.mapping.typeColumn != nil else { return shape.shape.mapping.entity }
      let number = result.integer(row, column)
      guard let entity = store.numbers[number], shape.shape.entities.contains(entity) else {
        throw unknownType(number, key)
      }
      return entity
    }
  }

  // MARK: - Values

  extension RowDecoder {
    /// The word of a value, whose bytes are appended to the slab; `nil` for one that does not fit.
    private func word(
      _ cell: UnsafeRawBufferPointer, _ codec: ColumnCodec, _ slab: RowSlab
    ) -> Int64? {
      switch codec {
      case .integer16: cell.integer(Int16.self).map { Int64($0) }
      case .integer32: cell.integer(Int32.self).map { Int64($0) }
      case .integer64, .key, .position: cell.integer(Int64.self)
      case .boolean: cell.first.map { $0 == 0 ? 0 : 1 }
      case .double, .float, .referenceDate, .dateNumber: number(cell, codec)
      case .text: text(cell, slab)
      case .uriText:
        URL(string: String(decoding: cell, as: UTF8.self)) == nil ? nil : text(cell, slab)
      case .decimalText, .decimalNumber: Self.isDecimal(cell) ? text(cell, slab) : nil
      case .blob, .taggedBlob: slab.append(cell.baseAddress, count: cell.count)
      case .uuidBlob: cell.count == 16 ? slab.append(cell.baseAddress, count: 16) : nil
      case .entityNumber:
        cell.integer(Int64.self).flatMap { store.numbers[$0] }.map { Int64($0) }
      }
    }

    private func number(_ cell: UnsafeRawBufferPointer, _ codec: ColumnCodec) -> Int64? {
      guard let number = cell.double, !number.isNaN else { return nil }
      let largest = Double(Float.greatestFiniteMagnitude)
      guard codec != .float || number.isInfinite || number.magnitude <= largest else { return nil }
      return Int64(bitPattern: number.bitPattern)
    }

    private func text(_ cell: UnsafeRawBufferPointer, _ slab: RowSlab) -> Int64? {
      guard TextCoding.isConcerned(cell) else {
        return slab.append(cell.baseAddress, count: cell.count)
      }
      return TextCoding.decode(cell)?.withUnsafeBytes {
        slab.append($0.baseAddress, count: $0.count)
      }
    }

    /// Whether a number that the server has written is one that a `Decimal` keeps.
    private static func isDecimal(_ text: UnsafeRawBufferPointer) -> Bool {
      let digits = text.filter { (48...57).contains($0) }.drop { $0 == 48 }
      let others = text.count { !(48...57).contains($0) && $0 != 45 && $0 != 46 }
      guard others == 0 else { return false }
      return (digits.lastIndex { $0 != 48 }.map { $0 - digits.startIndex + 1 } ?? 0) <= 38
    }

    /// Checks that the columns have the types that the store gave them.
    private func requireTypes(_ result: ServerResult) throws(PersistenceError) {
      for (index, value) in shape.shape.values.enumerated() {
        let place = shape.shape.firstValue + index
        let type = value.column.codec.serverType
        guard place < result.columnCount, result.type(of: place) != type.carrier.rawValue else {
          continue
        }
        throw PersistenceError(
          .notAStore,
          "the column '\(value.column.name)' of \(shape.table) in '\(store.place)' has another type "
            + "than \(type.name): another program changed it; restore a backup")
      }
    }
  }

  // MARK: - Errors

  extension RowDecoder {
    private func unfit(_ seen: String, _ column: MappedColumn, _ key: Int64) -> PersistenceError {
      let expected = column.codec.need + (column.isRequired ? "" : " or NULL")
      return PersistenceError(
        .invalidStoredValue,
        "the column '\(column.name)' of \(shape.table) has \(seen) in the row with "
          + "\(shape.shape.mapping.keyColumn) \(key), where the model needs \(expected); another "
          + "program wrote it: correct the row in the store")
    }

    private func unknownType(_ number: Int64, _ key: Int64) -> PersistenceError {
      let names = shape.shape.entities.map { "'\(store.model.entities[$0].name)'" }
      return PersistenceError(
        .invalidStoredValue,
        "the column '\(shape.shape.mapping.typeColumn ?? "")' of \(shape.table) has \(number) in the "
          + "row with \(shape.shape.mapping.keyColumn) \(key), where the number of "
          + "\(names.joined(separator: ", ")) was expected; another program wrote it: correct the row "
          + "in the store")
    }
  }

  extension ColumnCodec {
    /// Whether values are bytes behind their words.
    fileprivate var hasBytes: Bool {
      switch self {
      case .text, .decimalText, .decimalNumber, .uriText, .blob, .taggedBlob, .uuidBlob: true
      default: false
      }
    }
  }

  /// Fills slabs with rows, one behind the other.
  struct SlabBuilder {
    private let model: CompiledModel
    private let entities: [Int]
    private var remaining: Int
    private(set) var slabs: [RowSlab] = []

    /// The bytes of the last slab.
    var bytes = 0

    /// A slab with more is closed.
    private static let usualBytes = 16 << 20

    /// Makes room for so many rows; if more come, it grows.
    init(_ model: CompiledModel, _ entities: [Int], count: Int) {
      self.model = model
      self.entities = entities
      remaining = count
    }

    /// Makes room for so many further rows, once they are needed.
    mutating func expect(_ count: Int) { remaining = count }

    /// Begins the next row, in which no word has a value yet.
    mutating func begin(key: Int64, version: Int64, entity: Int) -> RowSlab {
      let slab = next()
      slab.beginRow(key: key, version: version, entity: entity)
      remaining -= 1
      return slab
    }

    private mutating func next() -> RowSlab {
      guard let last = slabs.last, bytes <= Self.usualBytes else { return append() }
      if last.count < last.capacity { return last }
      guard last.capacity < RowSlab.usualCapacity else { return append() }
      let larger = last.moved(toCapacity: min(4 * last.capacity, RowSlab.usualCapacity))
      slabs[slabs.count - 1] = larger
      return larger
    }

    private mutating func append() -> RowSlab {
      let slab = RowSlab(
        model: model, entities: entities,
        capacity: remaining > 0 ? min(remaining, RowSlab.usualCapacity) : RowSlab.usualCapacity)
      slabs.append(slab)
      bytes = 0
      return slab
    }

    /// The place of the last row.
    var position: RelatedRows.Position {
      RelatedRows.Position(slab: slabs.count - 1, row: (slabs.last?.count ?? 1) - 1)
    }

    /// Says that the last row is a header only.
    func endHeader(key: Int64, version: Int64, entity: Int) -> RelatedRows.Position {
      if let slab = slabs.last {
        RowSlab.Layout.writeHeader(
          of: slab._rows + (slab.count - 1) * slab._layout.stride, key: key, version: version,
          entity: Int32(truncatingIfNeeded: entity), slots: RowSlab.Layout.noSlots)
      }
      return position
    }

    func finish() -> [RowSlab] { slabs }
  }
#endif
