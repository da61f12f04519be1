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
  var rest: [ForeignSchema.Table] = []

  /// Describes what is unclear.
  var problems: [String] = []

  func objects(of table: String) -> Objects? {
    objects.first { $0.table.name.lowercased() == table.lowercased() }
  }
}

struct ForeignKey {
  let parent: ForeignMatch.Objects

  /// The column of the other table that has the same values.
  let key: String
}
