internal import OxbowFoundation
internal import OxbowRuntime

/// The values of each attribute that stores lose most easily.
enum ContractValues {
  static let all: [(name: String, values: [AttributeValue])] = [
    ("integer16", [.min, -1, 0, 1, .max].map { (n: Int16) in .integer(Int64(n)) }),
    ("integer32", [.min, -1, 0, 1, .max].map { (n: Int32) in .integer(Int64(n)) }),
    ("integer64", [.min, -1, 0, 1, (1 << 53) + 1, .max].map { .integer($0) }),
    ("decimal", decimals.compactMap { Decimal(string: $0) }.map { .decimal($0) }),
    ("double", doubles.map { .double($0) }),
    ("float", floats.map { .double(Double($0)) }),
    ("string", texts.map { .string($0) }),
    ("boolean", [.boolean(false), .boolean(true)]),
    ("date", seconds.map { .date(Date(timeIntervalSinceReferenceDate: $0)) }),
    ("data", bytes.map { .data($0) }),
    ("uuid", [UUID(uuid: zero), UUID(uuid: ones), UUID()].map { .uuid($0) }),
    ("url", urls.compactMap { URL(string: $0) }.map { .url($0) }),
    ("transformable", bytes.map { .data($0) }),
  ]

  private static let decimals = [
    "0", "1", "-1", "0.1", "123456789.987654321", "99999999999999999999999999999999999999",
    "-99999999999999999999999999999999999999", "0.00000000000000000000000000000000000001",
  ]

  private static let doubles: [Double] = [
    0, 0.1, -0.1, 1.0 / 3, 1, 1e15 + 0.3, .pi, 9_007_199_254_740_992, .ulpOfOne,
    .leastNonzeroMagnitude, .leastNormalMagnitude, .greatestFiniteMagnitude,
    -.greatestFiniteMagnitude, 1e22, 1e23, .infinity, -.infinity,
  ]

  private static let floats: [Float] = [
    0, 0.1, 1.0 / 3, .leastNonzeroMagnitude, .greatestFiniteMagnitude, -.greatestFiniteMagnitude,
    .infinity, -.infinity,
  ]

  static let texts: [String] = [
    "", " ", "\n", "\r\n", "\t\u{1}\u{7F}", "a\u{0}b", "\u{0}", "\"quoted\" \\ 'and' <tag> & ;,",
    "caf\u{E9}", "cafe\u{301}", "\u{FEFF}mark", "\u{FFFE}\u{FFFF}", "👩‍👩‍👧‍👦 \u{10FFFF}",
    "null", "NaN", " spaces ", "-- ?", String(repeating: "long text ü ", count: 20_000),
  ]

  private static let seconds: [Double] = [
    0, 0.1, -0.000001, 781_234_567.123456, -63_114_076_800, 252_423_993_599.999, 1e12, 1e-9,
  ]

  private static let bytes: [Data] = [
    Data(), Data([0]), Data([0xFF, 0xFE, 0x00, 0x80]), Data(0...255),
    Data(repeating: 0xA5, count: 100_000),
  ]

  private static let urls = [
    "https://example.com/a%20b?q=1&r=%C3%BC#part", "file:///tmp/x", "mailto:a@example.com", "x",
    "urn:isbn:0",
  ]

  private static let zero: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
  private static let ones: uuid_t = (
    255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255
  )
}

extension ManagedObject {
  /// Sets an attribute of the contract's model.
  func set(_ value: AttributeValue, for name: String) throws {
    switch value {
    case .integer(let number) where name == "integer16":
      try setValue(Int16(truncatingIfNeeded: number), for: name)
    case .integer(let number) where name == "integer32":
      try setValue(Int32(truncatingIfNeeded: number), for: name)
    case .integer(let number): try setValue(number, for: name)
    case .double(let number) where name == "float": try setValue(Float(number), for: name)
    case .double(let number): try setValue(number, for: name)
    case .boolean(let truth): try setValue(truth, for: name)
    case .string(let text): try setValue(text, for: name)
    case .date(let date): try setValue(date, for: name)
    case .data(let data) where name == "transformable":
      try setValue(TransformedData(data), for: name)
    case .data(let data): try setValue(data, for: name)
    case .uuid(let uuid): try setValue(uuid, for: name)
    case .url(let url): try setValue(url, for: name)
    case .decimal(let number): try setValue(number, for: name)
    }
  }
}

extension ManagedObjectContext {
  /// Makes an object of the contract's model that has every type of an attribute.
  @discardableResult
  func insertThing(_ title: String) throws -> ManagedObject {
    let thing = try insert(entityNamed: "Thing")
    try thing.setValue(title, for: "title")
    return thing
  }

  /// The objects of an entity, in the order of their keys.
  func objects(_ entity: String) throws -> [ManagedObject] {
    try fetch(FetchRequest<ManagedObject>(entityNamed: entity)).sorted {
      $0.objectID.key < $1.objectID.key
    }
  }

  func things() throws -> [ManagedObject] { try objects("Thing") }
}
