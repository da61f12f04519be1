internal import OxbowModel
internal import OxbowRelational

/// Finds out which table and column of another tool becomes which entity and property.
///
/// Names decide, and what the user says (``ForeignMap``): case and `_` do not count, a renaming
/// identifier is a name too, and a column of keys may end with `id`. Nothing is guessed from
/// values.
struct ForeignMatcher {
  let schema: ForeignSchema
  let model: CompiledModel
  let mapping: StoreMapping
  let map: ForeignMap
  var match = ForeignMatch()

  static func match(
    _ schema: ForeignSchema, _ mapping: StoreMapping, _ map: ForeignMap
  ) -> ForeignMatch {
    var matcher = ForeignMatcher(schema, mapping, map)
    matcher.checkMap()
    matcher.matchTables()
    for index in matcher.match.objects.indices { matcher.matchColumns(of: index) }
    matcher.matchLinks()
    return matcher.match
  }

  private init(_ schema: ForeignSchema, _ mapping: StoreMapping, _ map: ForeignMap) {
    self.schema = schema
    model = mapping.model
    self.mapping = mapping
    self.map = map
  }

  mutating func refuse(_ problem: String) { match.problems.append(problem) }

  private static func near(_ name: String, _ names: [String]) -> String {
    let near = PersistenceError.nearNames(to: name, among: names)
    return near.isEmpty
      ? "; there are \(PersistenceError.listed(names))"
      : "; did you mean " + near.map { "'\($0)'" }.joined(separator: ", ") + "?"
  }
}

// MARK: - The map

extension ForeignMatcher {
  /// Refuses entries of the map that name what does not exist.
  private mutating func checkMap() {
    for entry in map.entries {
      guard let table = schema.table(entry.table) else {
        refuse(
          "'\(entry.text)': there is no table '\(entry.table)'"
            + Self.near(entry.table, schema.tables.map(\.name)))
        continue
      }
      if let column = entry.column, table.column(column) == nil {
        refuse(
          "'\(entry.text)': the table '\(table.name)' has no column '\(column)'"
            + Self.near(column, table.columns.map(\.name)))
      }
      guard let name = entry.entity else { continue }
      guard let entity = model.entity(named: name) else {
        refuse(
          "'\(entry.text)': the model has no entity '\(name)'"
            + Self.near(name, model.entities.map(\.name)))
        continue
      }
      guard let property = entry.property, entity.property(named: property) == nil else { continue }
      refuse(
        "'\(entry.text)': the entity '\(name)' has no property '\(property)'"
          + Self.near(property, entity.properties.map(\.name)))
    }
  }
}

// MARK: - Tables of objects

extension ForeignMatcher {
  private mutating func matchTables() {
    var owners: [Int: String] = [:]
    for table in schema.tables where table.kind == .ordinary {
      guard let entity = entity(of: table) else { continue }
      guard !entity.isAbstract else {
        refuse("the entity '\(entity.name)' of the table '\(table.name)' is abstract")
        continue
      }
      // The keys of a hierarchy are in one table, and those of two tables would meet there.
      if let other = owners[entity.root] {
        refuse(
          "the tables '\(other)' and '\(table.name)' would both have their rows in the table of "
            + "'\(model.entities[entity.root].name)', with keys of their own; say which of them has "
            + "no target (--map TABLE=-)")
        continue
      }
      owners[entity.root] = table.name
      match.objects.append(.init(table: table, entity: entity))
    }
  }

  private func entity(of table: ForeignSchema.Table) -> CompiledEntity? {
    if let entry = map.entry(of: table.name) {
      return entry.property == nil ? entry.entity.flatMap { model.entity(named: $0) } : nil
    }
    return model.entities.first { $0.description.renamingIdentifier == table.name }
      ?? model.entities.first { entity in
        ForeignName.fits(table.name, entity.name, entity.description.renamingIdentifier)
      }
  }
}

// MARK: - Columns

extension ForeignMatcher {
  private mutating func matchColumns(of index: Int) {
    var objects = match.objects[index]
    var columns: [Int: [String]] = [:]
    for column in objects.table.columns {
      let properties = properties(of: column.name, objects)
      for property in properties { columns[property.index, default: []].append(column.name) }
      guard properties.isEmpty else { continue }
      objects.unused.append(column.name)
      if let entry = map.entry(of: objects.table.name, column.name), entry.entity != nil {
        refuse("'\(entry.text)': a column of '\(objects.entity.name)' does not keep that property")
      }
    }
    for (property, names) in columns.sorted(by: { $0.key < $1.key }) {
      objects.columns[property] = names[0]
      guard names.count > 1 else { continue }
      let target = "\(objects.entity.name).\(objects.entity.properties[property].name)"
      refuse(
        "the columns \(PersistenceError.listed(names)) of '\(objects.table.name)' are both "
          + "'\(target)'; say which of them has no target (--map \(objects.table.name).\(names[1])=-) "
          + "or another one")
    }
    match.objects[index] = objects
  }

  /// The properties that a column has the values of: a key may be an attribute as well.
  private func properties(
    of column: String, _ objects: ForeignMatch.Objects
  ) -> [CompiledProperty] {
    let (table, entity) = (objects.table, objects.entity)
    if let entry = map.entry(of: table.name, column) {
      guard entry.entity == entity.name, let name = entry.property,
        let property = entity.property(named: name), isKept(property, entity)
      else { return [] }
      return [property]
    }
    // Where two columns have nearly one name, the exact one counts.
    let exact = entity.properties.filter { $0.renamingIdentifier == column }
    return entity.properties.filter { property in
      if let other = exact.first(where: { $0.isAttribute == property.isAttribute }) {
        guard property.index == other.index else { return false }
      }
      guard isKept(property, entity), !isSaid(property, of: objects) else { return false }
      guard let relationship = property.relationship else {
        return ForeignName.fits(column, property.name, property.attribute?.renamingIdentifier)
      }
      return isKey(column, of: relationship, objects)
    }
  }

  /// Whether the store keeps a value for a property in the table of its entity, and does not
  /// compute it.
  private func isKept(_ property: CompiledProperty, _ entity: CompiledEntity) -> Bool {
    property.attribute?.derivation == nil
      && mapping.entities[entity.index].column(ofProperty: property.index) != nil
  }

  private func isSaid(_ property: CompiledProperty, of objects: ForeignMatch.Objects) -> Bool {
    map.entries.contains { entry in
      entry.column != nil && entry.table.lowercased() == objects.table.name.lowercased()
        && entry.entity == objects.entity.name && entry.property == property.name
    }
  }

  /// Whether a column is named like the key of a relationship: `author`, `authorId`, `author_uuid`
  /// where `uuid` is the key of the other table.
  private func isKey(
    _ column: String, of relationship: CompiledRelationship, _ objects: ForeignMatch.Objects
  ) -> Bool {
    let reference = objects.table.reference(of: column)
    let parents = match.objects.filter {
      $0.entity.isKind(of: model.entities[relationship.destination])
        && (reference == nil || reference?.table.lowercased() == $0.table.name.lowercased())
    }
    let keys = parents.flatMap { reference.keys(in: $0.table) } + ["", "id"]
    guard !parents.isEmpty else { return false }
    return keys.contains { key in
      ForeignName.fits(
        column, relationship.name + key,
        relationship.description.renamingIdentifier.map { $0 + key })
    }
  }
}

extension CompiledProperty {
  fileprivate var isAttribute: Bool { relationship == nil }

  fileprivate var renamingIdentifier: String? {
    attribute?.renamingIdentifier ?? relationship?.description.renamingIdentifier
  }
}

extension ForeignSchema.Reference? {
  /// The columns that a foreign key leads to, or that one without a declaration would.
  func keys(in parent: ForeignSchema.Table) -> [String] {
    guard let keys = self?.keys, !keys.isEmpty else { return parent.primaryKey }
    return keys
  }
}
