/// SQL that a program writes itself, with values and names of the model in it.
///
/// A literal with interpolations keeps text, values and names apart:
///
/// ```swift
/// let sql: SQLText = """
///   SELECT \(\Book.title) FROM \(Book.self) WHERE \(\Book.pages) > \(500)
///   """
/// ```
///
/// | Written | Becomes |
/// | --- | --- |
/// | `\(500)`, `\(name)`, `\(author)`, `\(nil as Int?)` | a parameter; of an object, its key |
/// | `\([1, 2, 3])` | a list of parameters in parentheses, for `IN` |
/// | `\(Book.self)` | the table of an entity |
/// | `\(\Book.title)`, `\(\Book.author)` | the column of an attribute or of a to-one key |
/// | `\(keyOf: Book.self)` | the column of the key |
/// | `\(isKindOf: Novel.self)` | the condition that a row is of the entity or below it |
/// | `\(raw: text)` | text as it is |
///
/// A table has the rows of a whole hierarchy of entities: where there are sub-entities, ask for
/// those that are meant with `isKindOf`.
///
/// Values are bound, never written into the text. `?` takes the next of ``arguments``; a text has
/// either interpolated values or arguments.
public struct SQLText: Sendable, Hashable {
  package enum Part: Sendable, Hashable {
    case text(String)
    case value(FetchValue)
    case list([FetchValue])
    /// The table of an entity.
    case table(entity: String)
    /// The column of a property.
    case column(entity: String, property: String)
    /// The column of the key.
    case key(entity: String)
    /// The condition that a row is of an entity, which is asked of an alias.
    case isKind(entity: String, alias: String?)
    /// Something that has no name in a store, and why.
    case problem(String)
  }

  package private(set) var parts: [Part]

  /// The values of the parameters that the text has as `?`, in order.
  public private(set) var arguments: [FetchValue] = []

  /// The names of the entities that the text names, sorted.
  package var entityNames: [String] {
    let names = parts.compactMap { part -> String? in
      switch part {
      case .table(let entity), .column(let entity, _), .key(let entity), .isKind(let entity, _):
        entity
      case .text, .value, .list, .problem: nil
      }
    }
    return Set(names).sorted()
  }

  /// Creates a text as it is.
  ///
  /// - Important: Never pass what somebody else has typed.
  public init(raw text: String) { parts = [.text(text)] }

  /// Returns the text with values for its parameters.
  public func with(arguments: [(any FetchValueConvertible)?]) -> SQLText {
    var copy = self
    copy.arguments += arguments.map { $0?.fetchValue ?? .null }
    return copy
  }
}

extension SQLText: ExpressibleByStringInterpolation {
  /// Creates a text without values.
  public init(stringLiteral text: String) { parts = [.text(text)] }

  /// Creates a text from a literal with interpolations.
  public init(stringInterpolation interpolation: StringInterpolation) {
    parts = interpolation.parts
  }

  /// Collects the pieces of a literal.
  public struct StringInterpolation: StringInterpolationProtocol {
    var parts: [Part] = []

    /// Begins a literal.
    public init(literalCapacity: Int, interpolationCount: Int) {
      parts.reserveCapacity(2 * interpolationCount + 1)
    }

    /// Adds text of the literal.
    public mutating func appendLiteral(_ text: String) {
      if !text.isEmpty { parts.append(.text(text)) }
    }

    /// Adds text as it is; never pass what somebody else has typed.
    public mutating func appendInterpolation(raw text: String) { parts.append(.text(text)) }

    /// Adds a parameter with a value.
    public mutating func appendInterpolation(_ value: some FetchValueConvertible) {
      parts.append(.value(value.fetchValue))
    }

    /// Adds a list of parameters in parentheses.
    public mutating func appendInterpolation(_ values: [some FetchValueConvertible]) {
      parts.append(.list(values.map(\.fetchValue)))
    }

    /// Adds the table of an entity, for entities without a class.
    public mutating func appendInterpolation(entity name: String) {
      parts.append(.table(entity: name))
    }

    /// Adds the column of a property, for entities without a class.
    public mutating func appendInterpolation(property name: String, of entity: String) {
      parts.append(.column(entity: entity, property: name))
    }
  }
}

extension SQLText: CustomStringConvertible {
  /// The text with `?` for values and the names of the model for those of the store.
  public var description: String {
    parts.map { part in
      switch part {
      case .text(let text): text
      case .value: "?"
      case .list(let values): "(\(repeatElement("?", count: values.count).joined(separator: ", ")))"
      case .table(let entity): entity
      case .column(let entity, let property): "\(entity).\(property)"
      case .key(let entity): "\(entity) key"
      case .isKind(let entity, _): "is \(entity)"
      case .problem: "…"
      }
    }
    .joined()
  }
}
