#if PostgreSQL
  internal import OxbowRelational

  /// The value of a parameter as it travels: its type, and its bytes in binary form.
  struct Parameter: Sendable {
    let type: UInt32

    /// `nil` for NULL.
    let bytes: [UInt8]?

    /// Whether the bytes are in the binary form of the type; otherwise they are its text.
    let isBinary: Bool

    private init(type: UInt32, bytes: [UInt8]?, isBinary: Bool = true) {
      self.type = type
      self.bytes = bytes
      self.isBinary = isBinary
    }

    /// A value whose type follows from its place in the statement.
    ///
    /// Bytes become a UUID or bytes, texts and numbers become what their text may be.
    init(inferred value: SQLValue) {
      var bytes: [UInt8] = []
      switch value {
      case .null, .blob: break
      case .integer(let number): bytes = Array(String(number).utf8)
      case .real(let number): bytes = Array("\(number == 0 ? 0 : number)".utf8)
      case .text(let text): TextCoding.append(text.utf8, to: &bytes)
      }
      if case .blob(let blob) = value {
        self.init(type: 0, bytes: blob)
      } else {
        self.init(type: 0, bytes: value == .null ? nil : bytes, isBinary: false)
      }
    }

    init(_ value: SQLValue, as type: ServerType) {
      let carrier = type.carrier
      guard value != .null else {
        self.init(type: carrier.rawValue, bytes: nil)
        return
      }
      var bytes: [UInt8] = []
      Self.append(value, carrier, to: &bytes)
      self.init(type: carrier.rawValue, bytes: bytes)
    }

    static func integer(_ number: Int64) -> Parameter {
      Parameter(.integer(number), as: .integer64)
    }

    static func text(_ text: String) -> Parameter { Parameter(.text(text), as: .text) }

    /// An array of values.
    init(_ values: [SQLValue], arrayOf type: ServerType) {
      let carrier = type.carrier
      var bytes: [UInt8] = []
      bytes.reserveCapacity(20 + 12 * values.count)
      Self.appendHead(count: values.count, hasNull: values.contains(.null), carrier, to: &bytes)
      for value in values { Self.append(field: value, carrier, to: &bytes) }
      self.init(type: carrier.array, bytes: bytes)
    }

    /// An array of keys.
    init(keys: [Int64]) {
      var bytes: [UInt8] = []
      bytes.reserveCapacity(20 + 12 * keys.count)
      Self.appendHead(count: keys.count, hasNull: false, .integer64, to: &bytes)
      for key in keys {
        Self.append(Int32(8), to: &bytes)
        Self.append(key, to: &bytes)
      }
      self.init(type: ServerType.integer64.array, bytes: bytes)
    }
  }

  // MARK: - Binary form

  extension Parameter {
    /// Dimensions, whether there are NULLs, the element type, the count, the first index.
    private static func appendHead(
      count: Int, hasNull: Bool, _ type: ServerType, to bytes: inout [UInt8]
    ) {
      append(Int32(1), to: &bytes)
      append(Int32(hasNull ? 1 : 0), to: &bytes)
      append(type.rawValue, to: &bytes)
      append(Int32(truncatingIfNeeded: count), to: &bytes)
      append(Int32(1), to: &bytes)
    }

    /// Appends a value as it is among others, in an array or a row: its length, then its bytes.
    static func append(field value: SQLValue, _ type: ServerType, to bytes: inout [UInt8]) {
      let place = bytes.count
      append(Int32(-1), to: &bytes)
      guard value != .null else { return }
      append(value, type, to: &bytes)
      let length = UInt32(truncatingIfNeeded: bytes.count - place - 4)
      for index in 0..<4 {
        bytes[place + index] = UInt8(truncatingIfNeeded: length >> (24 - 8 * index))
      }
    }

    private static func append(_ value: SQLValue, _ type: ServerType, to bytes: inout [UInt8]) {
      switch value {
      case .null: break
      case .integer(let number): append(number, type, to: &bytes)
      // Minus zero is equal to zero, and a store has one of them.
      case .real(let number): append((number == 0 ? 0 : number).bitPattern, to: &bytes)
      case .text(let text) where type == .numeric: NumericForm(text).append(to: &bytes)
      case .text(var text):
        text.withUTF8 { text in
          if TextCoding.isConcerned(text) {
            TextCoding.append(text, to: &bytes)
          } else {
            bytes += text
          }
        }
      case .blob(let blob): bytes += blob
      }
    }

    private static func append(_ number: Int64, _ type: ServerType, to bytes: inout [UInt8]) {
      switch type {
      case .boolean: bytes.append(number == 0 ? 0 : 1)
      case .integer16: append(Int16(truncatingIfNeeded: number), to: &bytes)
      case .integer32: append(Int32(truncatingIfNeeded: number), to: &bytes)
      case .double: append(Double(number).bitPattern, to: &bytes)
      default: append(number, to: &bytes)
      }
    }

    static func append(_ number: some FixedWidthInteger, to bytes: inout [UInt8]) {
      withUnsafeBytes(of: number.bigEndian) { bytes += $0 }
    }
  }
#endif
