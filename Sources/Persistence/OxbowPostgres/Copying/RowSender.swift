#if PostgreSQL
  internal import OxbowRelational

  /// Rows on their way into a table, by `COPY … FROM STDIN (FORMAT binary)`.
  ///
  /// After some megabytes a copy ends and another one begins, so that an error is known soon.
  struct RowSender {
    private let connection: ServerConnection
    private let copy: String
    private let types: [ServerType]
    private var bytes: [UInt8]
    private var isUnderWay = false

    /// The bytes and the rows of the copy that is under way.
    private var sent = 0
    private var rows = 0

    /// What begins a copy: a signature, and two fields that say nothing.
    private static let header =
      Array("PGCOPY\n".utf8) + [0xff, 0x0d, 0x0a, 0x00] + [UInt8](repeating: 0, count: 8)

    /// The bytes of a message, and those of a copy, unless a row has more.
    private static let bytesOfMessage = 256 << 10
    private static let bytesOfCopy = 32 << 20

    /// Sends rows into a table, named with its columns in parentheses, and their types; one that
    /// the transaction has made takes them as frozen.
    init(
      _ connection: ServerConnection, into table: String, _ types: [ServerType],
      isNew: Bool = true
    ) {
      self.connection = connection
      self.types = types
      copy = "COPY \(table) FROM STDIN (FORMAT binary\(isNew ? ", FREEZE" : ""))"
      bytes = Self.header
    }

    mutating func append(_ row: [SQLValue]) throws(ServerFailure) {
      Parameter.append(Int16(truncatingIfNeeded: types.count), to: &bytes)
      for (value, type) in zip(row, types) { Parameter.append(field: value, type, to: &bytes) }
      rows += 1
      if bytes.count >= Self.bytesOfMessage { try send() }
      if sent >= Self.bytesOfCopy { try finish() }
    }

    /// Ends the copy; after it, another one begins.
    mutating func finish() throws(ServerFailure) {
      guard rows > 0 else { return }
      Parameter.append(Int16(-1), to: &bytes)
      try send()
      isUnderWay = false
      let received = try connection.endSending()
      guard received == rows else { throw .swallowed(rows - received) }
      (bytes, sent, rows) = (Self.header, 0, 0)
    }

    /// Lets the copy fail, so that the connection can go on.
    mutating func cancel() {
      guard isUnderWay, connection.isUsable else { return }
      isUnderWay = false
      _ = try? connection.endSending(because: "the program has stopped it")
    }

    private mutating func send() throws(ServerFailure) {
      if !isUnderWay { try connection.beginSending(copy) }
      isUnderWay = true
      try connection.send(rows: bytes)
      sent += bytes.count
      bytes.removeAll(keepingCapacity: bytes.capacity <= 2 * Self.bytesOfMessage)
    }
  }
#endif
