internal import OxbowSQL

/// The keys of a select, in the form in which one statement takes them, however many there are.
struct BoundKeys {
  let parameters: KeyParameters
  private let keys: [Int64]

  /// More keys than this are bound as one array; SQLite allows 32,766 parameters.
  private static let parameterLimit = 16_384

  init(_ keys: [Int64]) {
    guard keys.count <= Self.parameterLimit, let last = keys.last else {
      self.keys = keys
      parameters = .array
      return
    }
    // Filled up to a power of two, so that few texts occur.
    var size = 1
    while size < keys.count { size *= 2 }
    self.keys = size > keys.count ? keys + repeatElement(last, count: size - keys.count) : keys
    parameters = .each(size)
  }

  func bind(to statement: Statement) throws {
    guard case .each = parameters else {
      return try statement.bind(.text(KeyParameters.array(of: keys)), at: 1)
    }
    var index: Int32 = 1
    for key in keys {
      try statement.bind(.integer(key), at: index)
      index += 1
    }
  }
}
