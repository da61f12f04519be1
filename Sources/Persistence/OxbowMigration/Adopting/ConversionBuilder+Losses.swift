internal import OxbowModel
internal import OxbowRelational

extension ConversionBuilder {
  mutating func addLosses() {
    for objects in match.objects {
      let table = objects.table
      loseValues(of: objects.unused.filter { $0 != table.keyColumn }, in: table)
      addIndexes(of: table, to: objects.entity, objects.columns)
    }
    for links in match.links {
      let ends = [links.ownerColumn, links.memberColumn]
      loseValues(of: links.table.columns.map(\.name).filter { !ends.contains($0) }, in: links.table)
    }
    for table in match.rest {
      // Not every module says how many rows it has.
      losses.append(
        table.kind == .virtual
          ? ForeignLoss(
            kind: .table, subject: "the table '\(table.name)' of a module of SQLite", condition: nil
          )
          : ForeignLoss(
            kind: .rows, subject: "rows of '\(table.name)'", condition: nil, count: table.rows))
    }
    for part in schema.parts {
      lose(part.type == "view" ? .view : .trigger, "the \(part.type) '\(part.name)'")
    }
  }

  private mutating func loseValues(of columns: [String], in table: ForeignSchema.Table) {
    let rows = ForeignRows(table)
    for name in columns {
      lose(.values, "values of '\(table.name).\(name)'", rows.count(with: rows.column(name)))
    }
  }

  /// Adds the indexes that have no counterpart in the model.
  private mutating func addIndexes(
    of table: ForeignSchema.Table, to entity: CompiledEntity, _ columns: [Int: String]
  ) {
    let own = mapping.entities[entity.index]
    let target = mapping.tables.first { $0.name == own.table }
    var names: [String: String] = [:]
    for (property, name) in columns {
      names[name] = own.column(ofProperty: property).map { own.columns[$0].name }
    }
    if let key = table.keyColumn, names[key] == nil { names[key] = own.keyColumn }
    for index in table.indexes + table.keyIndexes {
      let wanted = index.columns.map { names[$0] ?? "" }
      let isKept = target?.indexes.contains { other in
        let found = other.columns.map(\.name)
        return index.isUnique
          ? other.isUnique && Set(found) == Set(wanted)
          : found.starts(with: wanted)
      }
      guard isKept != true || !index.isPlain else { continue }
      let list = index.columns.joined(separator: ", ")
      lose(
        .index,
        index.name.map { "the index '\($0)'" } ?? "the uniqueness of '\(table.name)' (\(list))")
    }
  }
}

extension ForeignSchema.Table {
  /// The primary key, where it is not a number of the row.
  fileprivate var keyIndexes: [ForeignSchema.Index] {
    primaryKey.isEmpty || keyColumn != nil
      ? [] : [.init(name: nil, columns: primaryKey, isUnique: true)]
  }
}
