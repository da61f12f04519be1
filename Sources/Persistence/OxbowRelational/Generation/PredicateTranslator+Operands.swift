internal import OxbowFoundation
import OxbowModel

extension PredicateTranslator {
  /// An expression in SQL, with what its value is.
  struct Operand {
    var fragment: SQLFragment
    var kind: Kind
    var codec: ColumnCodec?
    var isNeverNull = false

    /// For an object, the root entity below which its key means something.
    var root: Int?

    /// The attribute that it is, if its values may be in files beside the store.
    var external: ExternalAttribute?

    /// A constant that is equal to nothing: NaN, or an object that the other side cannot have.
    var isForeign = false

    /// The numbers that mean a decimal constant, where columns have such numbers.
    var number: DecimalNumber?

    /// Whether it is a column of decimal numbers that may have a text, which is not a number.
    var mayBeText = false
  }

  /// An attribute that is not compared.
  struct ExternalAttribute {
    let name: String
    let entity: String

    var refusal: PersistenceError { .external(name, of: entity) }
  }

  /// What a value is, as far as comparisons care.
  enum Kind: String {
    case integer = "a whole number"
    case real = "a number"
    case decimal = "a decimal number"
    case boolean = "a truth value"
    case text = "text"
    case date = "a date"
    case bytes = "bytes"
    case uuid = "a UUID"
    case uri = "a URI"
    case object = "an object"
    case null = "no value"

    func compares(with other: Kind) -> Bool {
      if self == other || self == .null || other == .null { return true }
      switch (self, other) {
      case (.integer, .real), (.real, .integer), (.integer, .decimal), (.decimal, .integer):
        return true
      // A truth value is 1 or 0, and equal to such a number.
      case (.boolean, .integer), (.integer, .boolean): return true
      default: return false
      }
    }

    var isNumber: Bool { self == .integer || self == .real }
  }

  /// A constant that is compared with `other`; a decimal one that is whole becomes a whole number
  /// where it meets whole numbers, so that an index of the column is of use.
  func compared(_ value: FetchValue, with other: Operand) throws(PersistenceError) -> Operand {
    if case .attribute(.decimal(let number)) = value, other.kind == .integer,
      let whole = Int64(number.description)
    {
      return try constant(.attribute(.integer(whole)), for: other)
    }
    if case .attribute(.double(let number)) = value, other.kind == .decimal {
      return decimal(number)
    }
    return try constant(value, for: other)
  }

  /// A number with a binary fraction that meets decimal ones: what is written, so 0.1 is a tenth.
  private func decimal(_ number: Double) -> Operand {
    let areNumbers = dialect.codecs.keepsNumbers
    if areNumbers, let operand = self.number(asWritten: number) { return operand }
    let fragment: SQLFragment =
      Self.isWritten(number) && !areNumbers
      ? .value(.text("\(number)"))
      // No decimal text is infinite, or as large or as small: numbers are compared here.
      : dialect.cast(.value(.real(number)), to: .real)
    return Operand(
      fragment: fragment, kind: .decimal, codec: areNumbers ? .decimalNumber : .decimalText,
      isNeverNull: true, isForeign: number.isNaN)
  }

  /// Two expressions that meet: a constant takes the form of the other side's column.
  mutating func operands(
    _ left: FetchExpression, _ right: FetchExpression, areCompared: Bool
  ) throws(PersistenceError) -> (Operand, Operand) {
    let a: Operand
    let b: Operand
    switch (left, right) {
    case (.value(let value), _):
      b = try operand(right, isPresence: areCompared && value == .null)
      a = areCompared ? try compared(value, with: b) : try constant(value, for: b)
    case (_, .value(let value)):
      a = try operand(left, isPresence: areCompared && value == .null)
      b = areCompared ? try compared(value, with: a) : try constant(value, for: a)
    default:
      a = try operand(left)
      b = try operand(right)
    }
    let isMixed = !areCompared && a.kind != b.kind && (a.kind == .boolean || b.kind == .boolean)
    guard a.kind.compares(with: b.kind), !isMixed || a.kind == .null || b.kind == .null else {
      throw PersistenceError.incomparable(a.kind, b.kind).adding("in", "\(left) and \(right)")
    }
    if a.kind == .decimal, b.kind == .integer { return (a, decimal(b)) }
    if a.kind == .integer, b.kind == .decimal { return (decimal(a), b) }
    return (a, b)
  }

  /// A whole number in the form of a decimal one, which may be a text.
  private func decimal(_ operand: Operand) -> Operand {
    guard !dialect.codecs.keepsNumbers else { return operand }
    return Operand(
      fragment: dialect.cast(operand.fragment, to: .text), kind: .decimal, codec: .decimalText,
      isNeverNull: operand.isNeverNull)
  }

  /// Two expressions of which one is taken.
  private mutating func choices(_ first: FetchExpression, _ second: FetchExpression)
    throws(PersistenceError) -> (Operand, Operand)
  {
    var (a, b) = try operands(first, second, areCompared: false)
    (a, b) = inOneForm(numeric(a), numeric(b))
    guard !a.isForeign, !b.isForeign, a.root == nil || b.root == nil || a.root == b.root else {
      let seen = a.kind == .object ? "objects of different entities or stores" : "NaN"
      throw PersistenceError(
        .invalidPredicate,
        "\(seen) cannot be in one expression with '\(first)' and '\(second)'; compare directly")
    }
    return (a, b)
  }

  /// Says an expression; `isPresence` when all that counts is whether there is a value.
  mutating func operand(
    _ expression: FetchExpression, isPresence: Bool = false
  ) throws(PersistenceError) -> Operand {
    switch expression {
    case .value(let value): return try constant(value, for: nil)
    case .path(let path):
      let operand: Operand
      if let column = column(at: path) { operand = column } else { operand = try value(at: path) }
      if !isPresence, let external = operand.external { throw external.refusal }
      return operand
    case .count(let path): return try memberCount(path)
    case .subqueryCount(let path, let variable, let condition):
      return try memberCount(path, variable, where: condition)
    case .aggregate(let aggregate, let path): return try self.aggregate(aggregate, path)
    case .folded(let inner, let options): return try folded(inner, options)
    case .now: return try constant(.attribute(.date(Date())), for: nil)
    case .arithmetic(let left, let sign, let right):
      return try arithmetic(left, sign, right)
    case .negated(let inner):
      let operand = try operand(inner)
      try requireNumber(operand)
      return Operand(fragment: "(-" + operand.fragment + ")", kind: operand.kind)
    case .coalesced(let first, let second):
      let (a, b) = try choices(first, second)
      return Operand(
        fragment: "coalesce(" + a.fragment + ", " + b.fragment + ")", kind: common(a, b),
        codec: codec(a, b), isNeverNull: a.isNeverNull || b.isNeverNull,
        root: a.root ?? b.root)
    case .conditional(let predicate, let first, let second):
      let test = try condition(predicate, isExact: false)
      let (a, b) = try choices(first, second)
      return Operand(
        fragment: "CASE WHEN " + test + " THEN " + a.fragment + " ELSE " + b.fragment + " END",
        kind: common(a, b), codec: codec(a, b), root: a.root ?? b.root)
    case .condition(let predicate):
      return Operand(
        fragment: "(" + (try condition(predicate, isExact: true)) + ")", kind: .boolean,
        isNeverNull: true)
    }
  }

  private func common(_ a: Operand, _ b: Operand) -> Kind {
    if a.kind == .null { return b.kind }
    return b.kind == .real || b.kind == .decimal ? b.kind : a.kind
  }

  /// How one of two values is kept; a number that either may be is not kept as one of them.
  private func codec(_ a: Operand, _ b: Operand) -> ColumnCodec? {
    let isEither = a.kind.isNumber && b.kind.isNumber && a.codec != b.codec
    return isEither ? nil : a.codec ?? b.codec
  }

  private mutating func arithmetic(
    _ left: FetchExpression, _ sign: ArithmeticOperator, _ right: FetchExpression
  ) throws(PersistenceError) -> Operand {
    let a = try operand(left)
    let b = try operand(right)
    try requireNumber(a)
    try requireNumber(b)
    if sign.needsWholeNumbers, a.kind == .real || b.kind == .real {
      throw PersistenceError(
        .invalidPredicate, "'\(sign.rawValue)' needs whole numbers on both sides")
    }
    let function: SQLFunction? =
      switch sign {
      case .power: .power
      case .bitwiseExclusiveOr: .exclusiveOr
      default: nil
      }
    if let function {
      return Operand(
        fragment: dialect.call(function, a.fragment, b.fragment),
        kind: sign == .power ? .real : .integer)
    }
    return Operand(
      fragment: "(" + a.fragment + " \(sign.rawValue) " + b.fragment + ")",
      kind: a.kind == .real || b.kind == .real ? .real : .integer)
  }

  private func requireNumber(_ operand: Operand) throws(PersistenceError) {
    guard operand.kind.isNumber || operand.kind == .null else {
      let hint =
        operand.kind == .decimal ? "; a store does not calculate with decimals" : ""
      throw PersistenceError(
        .invalidPredicate, "\(operand.kind.rawValue) cannot be calculated with\(hint)")
    }
  }

  /// A text without what the options overlook.
  private mutating func folded(
    _ expression: FetchExpression, _ options: TextOptions
  ) throws(PersistenceError) -> Operand {
    if case .value(.attribute(.string(let text))) = expression {
      let folded = TextFolding.folded(text, options)
      return Operand(fragment: .value(.text(folded)), kind: .text, isNeverNull: true)
    }
    var operand = try operand(expression)
    guard operand.kind == .text || operand.kind == .null else {
      throw PersistenceError(
        .invalidPredicate,
        "\(operand.kind.rawValue) has neither case nor diacritics; '[c]' and '[d]' need text")
    }
    operand.fragment = dialect.call(
      .folded, operand.fragment, SQLFragment("\(options.rawValue)"))
    return operand
  }

  /// The value at the end of a path of to-one relationships.
  private mutating func value(at path: [String]) throws(PersistenceError) -> Operand {
    let (table, last) = try endpoint(at: path)
    guard let name = last else {
      return Operand(
        fragment: SQLFragment(table.key), kind: .object, codec: .key, isNeverNull: true,
        root: table.mapping.root)
    }
    let property = try table.entity.requireProperty(named: name)
    guard !property.isComposite else { throw .composite(name, of: table.entity.name) }
    guard let column = table.mapping.column(ofProperty: property.index) else {
      throw PersistenceError(
        .invalidPredicate,
        property.relationship == nil
          ? "'\(name)' of '\(table.entity.name)' is not stored, so no store can compare it"
          : "'\(name)' of '\(table.entity.name)' leads to many objects; use 'any', 'all' or 'count'"
      )
    }
    let mapped = table.mapping.columns[column]
    return Operand(
      fragment: SQLFragment(table.column(mapped.name)), kind: Kind(mapped.codec),
      codec: mapped.codec,
      root: property.relationship.map { mapping.entities[$0.destination].root },
      external: property.isExternal
        ? ExternalAttribute(name: name, entity: table.entity.name) : nil,
      mayBeText: mapped.codec == .decimalNumber)
  }

  /// A constant, in the form of the column that it is compared with.
  func constant(_ value: FetchValue, for other: Operand?) throws(PersistenceError) -> Operand {
    switch value {
    case .null: return Operand(fragment: SQLFragment("NULL"), kind: .null)
    case .object(let id): return object(id, for: other)
    case .attribute(let attribute):
      if let number = number(attribute, for: other) { return number }
      let (kind, encoded) = Self.encode(attribute, for: other)
      return Operand(
        fragment: .value(encoded), kind: kind, isNeverNull: encoded != .null,
        isForeign: encoded == .null)
    }
  }

  /// An object, as its key where it can be equal to the other side.
  private func object(_ id: ManagedObjectID, for other: Operand?) -> Operand {
    let root = mapping.model.entity(named: id.rootEntityName)?.root
    let isForeign = id.store != store || root == nil || (other?.root).map { $0 != root } ?? false
    // No key is half a number.
    return Operand(
      fragment: .value(isForeign ? .real(0.5) : .integer(id.key)), kind: .object, codec: .key,
      isNeverNull: true, root: other?.root ?? root, isForeign: isForeign)
  }

  static func encode(_ value: AttributeValue, for other: Operand?) -> (Kind, SQLValue) {
    if let codec = other?.codec, let encoded = codec.encode(value) { return (Kind(codec), encoded) }
    switch value {
    case .integer(let n) where other?.kind == .decimal: return (.decimal, .text(String(n)))
    case .integer(let n): return (.integer, .integer(n))
    case .double(let x): return (.real, x.isNaN ? .null : .real(x))
    case .boolean(let truth): return (.boolean, .integer(truth ? 1 : 0))
    case .string(let text): return (.text, .text(text))
    case .date: return (.date, ColumnCodec.referenceDate.encode(value) ?? .null)
    case .data: return (.bytes, ColumnCodec.blob.encode(value) ?? .null)
    case .uuid: return (.uuid, ColumnCodec.uuidBlob.encode(value) ?? .null)
    case .url: return (.uri, ColumnCodec.uriText.encode(value) ?? .null)
    case .decimal: return (.decimal, ColumnCodec.decimalText.encode(value) ?? .null)
    }
  }
}

extension PredicateTranslator.Kind {
  init(_ codec: ColumnCodec) {
    switch codec {
    case .integer16, .integer32, .integer64, .position, .entityNumber: self = .integer
    case .boolean: self = .boolean
    case .double, .float: self = .real
    case .referenceDate, .dateNumber: self = .date
    case .text: self = .text
    case .decimalText, .decimalNumber: self = .decimal
    case .uriText: self = .uri
    case .blob, .taggedBlob: self = .bytes
    case .uuidBlob: self = .uuid
    case .key: self = .object
    }
  }
}

extension PersistenceError {
  static func incomparable(_ a: PredicateTranslator.Kind, _ b: PredicateTranslator.Kind)
    -> PersistenceError
  {
    PersistenceError(
      .invalidPredicate, "\(a.rawValue) cannot be compared with \(b.rawValue)")
  }

  static func notOrdered(_ comparison: ComparisonOperator, _ kind: PredicateTranslator.Kind)
    -> PersistenceError
  {
    PersistenceError(
      .invalidPredicate, "\(kind.rawValue) has no order: '\(comparison.rawValue)' needs one")
  }

  static func notCondition(_ kind: PredicateTranslator.Kind) -> PersistenceError {
    PersistenceError(
      .invalidPredicate, "\(kind.rawValue) is not a condition; compare it with something")
  }
}
