#if PostgreSQL
  internal import CPostgres
  internal import OxbowFoundation
  internal import OxbowRelational

  /// The rows that a statement has given, in binary form.
  final class ServerResult {
    private var handle: OpaquePointer

    let count: Int
    let columnCount: Int

    /// Takes over a result of libpq.
    init(_ handle: OpaquePointer) {
      self.handle = handle
      count = Int(PQntuples(handle))
      columnCount = Int(PQnfields(handle))
    }

    /// What a statement gives that has no rows; `nil` where libpq has no memory for it.
    static var empty: ServerResult? {
      PQmakeEmptyPGresult(nil, PGRES_COMMAND_OK).map { ServerResult($0) }
    }

    /// Takes over another result of the same statement, with as many rows, in place of its own.
    func take(_ next: OpaquePointer) {
      PQclear(handle)
      handle = next
    }

    deinit { PQclear(handle) }

    /// The number of the type of a column.
    func type(of column: Int) -> UInt32 { PQftype(handle, Int32(truncatingIfNeeded: column)) }

    func name(of column: Int) -> String {
      PQfname(handle, Int32(truncatingIfNeeded: column)).map { String(cString: $0) } ?? ""
    }

    /// The bytes of a cell, valid as long as the result; `nil` for NULL.
    func cell(_ row: Int, _ column: Int) -> UnsafeRawBufferPointer? {
      let (row, column) = (Int32(truncatingIfNeeded: row), Int32(truncatingIfNeeded: column))
      let length = Int(PQgetlength(handle, row, column))
      guard length > 0 || PQgetisnull(handle, row, column) == 0,
        let start = PQgetvalue(handle, row, column)
      else { return nil }
      return UnsafeRawBufferPointer(start: start, count: length)
    }

    /// A whole number of 64 bits; 0 for NULL and for anything else.
    func integer(_ row: Int, _ column: Int) -> Int64 {
      cell(row, column).flatMap { $0.integer(Int64.self) } ?? 0
    }

    /// A text, or `nil` for NULL and for a text that Oxbow does not write.
    func text(_ row: Int, _ column: Int) -> String? {
      cell(row, column).flatMap { TextCoding.decode($0) }.map {
        String(decoding: $0, as: UTF8.self)
      }
    }

    /// A cell of a column whose values travel as those of a type.
    func value(_ row: Int, _ column: Int, _ type: ServerType) -> SQLValue {
      cell(row, column).flatMap { $0.value(of: type) } ?? .null
    }

    /// The number of rows that a statement without a result has changed.
    var changes: Int { PQcmdTuples(handle).flatMap { Int(String(cString: $0)) } ?? 0 }
  }

  extension UnsafeRawBufferPointer {
    /// A whole number as it travels; `nil` if the bytes are of another size.
    func integer<Number: FixedWidthInteger>(_ type: Number.Type) -> Number? {
      guard count == MemoryLayout<Number>.size else { return nil }
      return Number(bigEndian: loadUnaligned(as: Number.self))
    }

    /// A number with a fraction as it travels.
    var double: Double? { integer(UInt64.self).map { Double(bitPattern: $0) } }

    /// A value as those of a type travel; `nil` for bytes that are not one.
    func value(of type: ServerType) -> SQLValue? {
      switch type.carrier {
      case .boolean: first.map { .integer($0 == 0 ? 0 : 1) }
      case .integer16: integer(Int16.self).map { .integer(Int64($0)) }
      case .integer32: integer(Int32.self).map { .integer(Int64($0)) }
      case .integer64: integer(Int64.self).map { .integer($0) }
      case .double: double.map { .real($0) }
      case .bytes, .uuid: .blob(Array(self))
      case .text, .numeric:
        TextCoding.decode(self).map { .text(String(decoding: $0, as: UTF8.self)) }
      }
    }
  }
#endif
