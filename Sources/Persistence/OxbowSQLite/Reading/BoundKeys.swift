internal import OxbowRelational

/// The keys of a statement, in the form in which it takes them, however many there are.
struct BoundKeys {
  let parameters: KeyParameters

  /// How many keys there are.
  let count: Int

  private let keys: [Int64]

  /// More keys than this are bound as one array; SQLite allows 32,766 parameters.
  private static let parameterLimit = 16_384

  init(_ keys: [Int64]) {
    guard keys.count <= Self.parameterLimit, let last = keys.last else {
      self.init(parameters: .array, count: keys.count, keys: keys)
      return
    }
    // Filled up to a power of two, so that few texts occur.
    var size = 1
    while size < keys.count { size *= 2 }
    let filler = repeatElement(last, count: size - keys.count)
    self.init(
      parameters: .each(size), count: keys.count, keys: filler.isEmpty ? keys : keys + filler)
  }

  /// The keys of a block in order: where there is no gap, the first and the last say all.
  init(block: ArraySlice<Int64>) {
    guard block.count > 1, let first = block.first, let last = block.last,
      zip(block, block.dropFirst()).allSatisfy({ $1 == $0 &+ 1 })
    else {
      self.init(Array(block))
      return
    }
    self.init(parameters: .range, count: block.count, keys: [first, last])
  }

  private init(parameters: KeyParameters, count: Int, keys: [Int64]) {
    self.parameters = parameters
    self.count = count
    self.keys = keys
  }

  /// The parameter behind those of the keys.
  var nextParameter: Int32 { parameters == .array ? 2 : Int32(keys.count + 1) }

  func bind(to statement: Statement) throws {
    guard parameters != .array else {
      return try statement.bind(SQLiteDialect().array(of: keys), at: 1)
    }
    var index: Int32 = 1
    for key in keys {
      try statement.bind(.integer(key), at: index)
      index += 1
    }
  }
}
