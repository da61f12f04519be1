extension TableSchema {
  /// What distinguishes a live table from this one, in words; the order of columns does not count,
  /// nor do further indexes.
  package func differences(from live: TableSchema) -> [String] {
    var texts = columnDifferences(from: live)
    if live.primaryKey != primaryKey {
      texts.append("the primary key is (\(list(live.primaryKey))), not (\(list(primaryKey)))")
    }
    if live.isStrict != isStrict {
      texts.append(isStrict ? "it is not STRICT" : "it is STRICT, and should not be")
    }
    if live.isWithoutRowID != isWithoutRowID {
      texts.append(isWithoutRowID ? "it is not WITHOUT ROWID" : "it is WITHOUT ROWID")
    }
    for key in Set(foreignKeys).subtracting(live.foreignKeys).map(text(of:)).sorted() {
      texts.append("the foreign key \(key) is missing")
    }
    for key in Set(live.foreignKeys).subtracting(foreignKeys).map(text(of:)).sorted() {
      texts.append("the foreign key \(key) is one too many")
    }
    return (texts + indexDifferences(from: live)).map { "table '\(name)': \($0)" }
  }

  private func columnDifferences(from live: TableSchema) -> [String] {
    var texts: [String] = []
    for column in columns {
      guard let other = live.column(named: column.name) else {
        texts.append("the column '\(column.name)' is missing")
        continue
      }
      if other.type != column.type {
        texts.append(
          "the column '\(column.name)' is \(other.type.rawValue), not \(column.type.rawValue)")
      }
      if other.isRequired != column.isRequired {
        texts.append(
          "the column '\(column.name)' is \(column.isRequired ? "not " : "")declared NOT NULL")
      }
    }
    for column in live.columns where self.column(named: column.name) == nil {
      texts.append("the column '\(column.name)' is one too many")
    }
    return texts
  }

  private func indexDifferences(from live: TableSchema) -> [String] {
    indexes.compactMap { index in
      guard let other = live.indexes.first(where: { $0.name == index.name }) else {
        return "the index '\(index.name)' is missing"
      }
      return other == index ? nil : "the index '\(index.name)' is another one"
    }
  }

  private func text(of key: ForeignKeySchema) -> String {
    "'\(key.column)' → '\(key.table)'"
  }

  private func list(_ names: [String]) -> String { names.joined(separator: ", ") }
}
