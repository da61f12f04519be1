internal import OxbowModel
internal import OxbowRelational

/// Which table of another tool becomes what of a model.
struct ForeignMatch {
  /// A table whose rows become objects.
  struct Objects {
    let table: ForeignSchema.Table
    let entity: CompiledEntity

    /// The column of each stored property that has one, by the property's index.
    var columns: [Int: String] = [:]

    /// The columns that have no target, or whose only target is the key.
    var unused: [String] = []
  }

  /// A table whose rows become links.
  struct Links {
    let table: ForeignSchema.Table

    /// The end whose links are kept: the one with the join table.
    let relationship: CompiledRelationship
    let ownerColumn: String
    let memberColumn: String
  }

  var objects: [Objects] = []
  var links: [Links] = []

  /// The tables that have no target.
  var rest: [ForeignSchema.Table] = []

  /// What is not clear, in words.
  var problems: [String] = []

  /// The objects of a table.
  func objects(of table: String) -> Objects? {
    objects.first { $0.table.name.lowercased() == table.lowercased() }
  }
}

/// Where a column of keys leads.
struct ForeignKey {
  let parent: ForeignMatch.Objects

  /// The column of the other table that has the same values.
  let key: String
}
