package import OxbowModel

/// What the numbers in a history mean, and what the model's entities and properties are called
/// there.
package struct HistoryNames: Sendable {
  /// An entity, or a property of one.
  package struct Name: Hashable, Sendable {
    package let number: Int64
    package let entity: String
    package let property: String?

    /// What it is called now; `nil` if the model no longer has it.
    package var nowEntity: String?
    package var nowProperty: String?

    /// Whether the model calls it so: what is saved now has this name.
    package var isCurrent: Bool { nowEntity == entity && nowProperty == property }
  }

  /// All names by number.
  package let names: [Int64: Name]

  /// The numbers of the model's entities and of their properties, by their indices; 0 for those of
  /// other stores.
  private let entities: [Int64]
  private let properties: [[Int64]]

  /// Reads the names, as far as a model has them.
  package init(_ session: some Session, _ model: CompiledModel) throws {
    self.init(try Self.read(session), model)
  }

  /// The names that were read, as far as a model has them.
  package init(_ all: [Name], _ model: CompiledModel) {
    names = Dictionary(all.map { ($0.number, $0) }, uniquingKeysWith: { $1 })
    let numbers = Self.numbers(all)
    entities = model.entities.map { numbers[Key(entity: $0.name, property: nil)] ?? 0 }
    properties = model.entities.map { entity in
      entity.properties.map { numbers[Key(entity: entity.name, property: $0.name)] ?? 0 }
    }
  }

  /// The number of an entity.
  package func number(of entity: Int) -> Int64 { entities[entity] }

  /// The number of a property of an entity.
  package func number(of entity: Int, _ property: Int) -> Int64 { properties[entity][property] }

  /// The entities and properties of a model that have no number yet.
  package static func missing(
    _ session: some Session, _ model: CompiledModel, _ part: ModelPart
  ) throws -> [(entity: String, property: String?)] {
    let numbers = numbers(try read(session))
    var missing: [(entity: String, property: String?)] = []
    for entity in model.entities where part.entities.contains(entity.index) {
      let names = [nil] + entity.properties.map { Optional($0.name) }
      missing += names.filter { numbers[Key(entity: entity.name, property: $0)] == nil }
        .map { (entity.name, $0) }
    }
    return missing
  }

  /// Gives entities and properties numbers.
  package static func add(
    _ names: [(entity: String, property: String?)], _ session: some Session
  ) throws {
    for name in names {
      try session.run(
        HistoryTables.addName(in: session.dialect),
        [.text(name.entity), name.property.map { .text($0) } ?? .null])
    }
  }

  private struct Key: Hashable {
    let entity: String
    let property: String?
  }

  /// The numbers of the names that the model has.
  private static func numbers(_ names: [Name]) -> [Key: Int64] {
    let current = names.filter(\.isCurrent)
    return Dictionary(
      current.map { (Key(entity: $0.entity, property: $0.property), $0.number) },
      uniquingKeysWith: { $1 })
  }

  package static func read(_ session: some Session) throws -> [Name] {
    names(of: try session.rows(HistoryTables.readNames, []))
  }

  /// The names in the rows of ``HistoryTables/readNames``.
  package static func names(of rows: [[SQLValue]]) -> [Name] {
    rows.compactMap { row in
      guard case .integer(let number) = row[0], let entity = row[1].textValue else { return nil }
      return Name(
        number: number, entity: entity, property: row[2].textValue, nowEntity: row[3].textValue,
        nowProperty: row[4].textValue)
    }
  }
}

extension SQLValue {
  /// The text, if it is one.
  package var textValue: String? { if case .text(let text) = self { text } else { nil } }

  /// The whole number, if it is one.
  package var integerValue: Int64? { if case .integer(let number) = self { number } else { nil } }
}
