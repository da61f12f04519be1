#if PostgreSQL
  internal import OxbowRelational

  /// Reads the messages of `COPY … TO STDOUT (FORMAT binary)`: a row each, the first one behind a
  /// header.
  struct CopiedRows {
    private let types: [ServerType]
    private var hasBegun = false

    /// The bytes of the signature; behind it are flags, and the length of what follows.
    private static let signature = 11

    init(_ types: [ServerType]) { self.types = types }

    /// Calls `body` with each row of a message.
    ///
    /// - Throws: ``ServerFailure`` for bytes in another form, and what `body` throws.
    mutating func read(
      _ message: UnsafeRawBufferPointer, _ body: ([SQLValue?]) throws -> Void
    ) throws {
      var rest = Rest(bytes: message[...])
      if !hasBegun {
        _ = try rest.take(Self.signature + 4)
        let extensions = try rest.integer(Int32.self)
        _ = try rest.take(Int(extensions))
        hasBegun = true
      }
      while !rest.bytes.isEmpty {
        let count = try rest.integer(Int16.self)
        guard count != -1 else { return }
        guard count == types.count else { throw Self.unreadable }
        try body(types.map { try rest.field($0) })
      }
    }

    fileprivate static let unreadable = ServerFailure(
      "the server has sent rows in a form that is not that of a binary copy")

    /// What is not read yet.
    private struct Rest {
      var bytes: Slice<UnsafeRawBufferPointer>

      mutating func take(_ count: Int) throws(ServerFailure) -> UnsafeRawBufferPointer {
        guard count >= 0, count <= bytes.count else { throw CopiedRows.unreadable }
        defer { bytes = bytes.dropFirst(count) }
        return UnsafeRawBufferPointer(rebasing: bytes.prefix(count))
      }

      mutating func integer<Number: FixedWidthInteger>(
        _ type: Number.Type
      ) throws(ServerFailure) -> Number {
        try take(MemoryLayout<Number>.size).integer(type) ?? 0
      }

      /// A value; `nil` for bytes that are not one of the type.
      mutating func field(_ type: ServerType) throws(ServerFailure) -> SQLValue? {
        let length = try integer(Int32.self)
        return length < 0 ? .null : try take(Int(length)).value(of: type)
      }
    }
  }
#endif
