/// The names that tables and columns have during a migration only.
package enum MigrationNames {
  package static let newPrefix = MetadataTables.prefix + "new_"
  package static let oldPrefix = MetadataTables.prefix + "old_"

  /// Of what is made beside programs, and is the store's from the end of the step on.
  package static let nextPrefix = MetadataTables.prefix + "next_"
}

/// Renames whose names may be taken by each other.
package struct Renames {
  private var taken: Set<String>
  private var pairs: [(String, String)] = []
  private let prefix: String

  package init(names: [String], prefix: String) {
    taken = Set(names.map { $0.lowercased() })
    self.prefix = prefix
  }

  package mutating func add(_ from: String, _ to: String) {
    if from != to { pairs.append((from, to)) }
  }

  /// The renames in an order in which no name is taken; some go by a name between.
  package mutating func ordered() -> [(from: String, to: String)] {
    var first: [(String, String)] = []
    var second: [(String, String)] = []
    for (from, to) in pairs {
      guard taken.contains(to.lowercased()) else {
        first.append((from, to))
        taken.remove(from.lowercased())
        taken.insert(to.lowercased())
        continue
      }
      let between = prefix + "\(second.count + 1)"
      first.append((from, between))
      second.append((between, to))
      taken.remove(from.lowercased())
    }
    return first + second
  }
}
