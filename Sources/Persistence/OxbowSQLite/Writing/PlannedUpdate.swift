internal import OxbowModel
internal import OxbowRelational
internal import OxbowStore

/// An update with the columns that it sets: attributes first, then links.
struct PlannedUpdate {
  let update: ChangeSet.Update
  let links: [Assignments.Assignment]
  let columns: [Int]

  /// What it sets, by the index of the column.
  func written(in entity: EntityMapping) -> [Int: SQLValue] {
    var written = entity.written(links)
    for (property, value) in update.values {
      guard let column = entity.column(ofProperty: property) else { continue }
      written[column] = entity.encoded(value, column)
    }
    return written
  }
}

extension EntityMapping {
  /// What an insert sets, by the index of the column.
  func written(
    _ insert: ChangeSet.Insert, _ links: [Assignments.Assignment]
  ) -> [Int: SQLValue] {
    var written = written(links)
    for (index, column) in columns.enumerated() where column.role == .attribute {
      written[index] = encoded(insert.values[column.property], index)
    }
    return written
  }

  fileprivate func written(_ links: [Assignments.Assignment]) -> [Int: SQLValue] {
    var written: [Int: SQLValue] = [:]
    for link in links { written[Int(link.column)] = link.value.map { .integer($0) } ?? .null }
    return written
  }

  fileprivate func encoded(_ value: AttributeValue?, _ column: Int) -> SQLValue {
    value.flatMap { columns[column].codec.encode($0) } ?? .null
  }
}
