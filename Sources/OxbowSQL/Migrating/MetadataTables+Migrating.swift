extension MetadataTables {
  package static let clearEntities = "DELETE FROM \"_oxbow_entities\""

  /// Gives a root a row in the key table unless it has one.
  package static let addKeys =
    "INSERT INTO \"_oxbow_keys\" (\"root\", \"last\") VALUES (?, 0) ON CONFLICT DO NOTHING"

  /// Lets the keys of a hierarchy go on under the number of its new root.
  package static func move(_ root: MovedRoot) -> String {
    "UPDATE \"_oxbow_keys\" SET \"root\" = \(root.to) WHERE \"root\" = \(root.from)"
  }

  /// Takes the rows of roots that are gone out of the key table.
  package static func dropKeys(except roots: [Int64]) -> String {
    "DELETE FROM \"_oxbow_keys\" WHERE \"root\" NOT IN "
      + "(\(roots.map(String.init).joined(separator: ", ")))"
  }
}
