internal import OxbowRelational

/// The names that tables and columns have during a migration only.
enum MigrationNames {
  static let newPrefix = MetadataTables.prefix + "new_"
  static let oldPrefix = MetadataTables.prefix + "old_"
}

extension TableSchema {
  /// The table under the name that it has until the earlier one is gone.
  var new: TableSchema {
    var table = self
    table.name = MigrationNames.newPrefix + name
    return table
  }

  /// The statement that gives it its own name.
  var naming: String { "ALTER TABLE \(quoted(new.name)) RENAME TO \(quoted(name))" }
}

/// Renames whose names may be taken by each other.
struct Renames {
  private var taken: Set<String>
  private var pairs: [(String, String)] = []
  private let prefix: String

  init(names: [String], prefix: String) {
    taken = Set(names.map { $0.lowercased() })
    self.prefix = prefix
  }

  mutating func add(_ from: String, _ to: String) {
    if from != to { pairs.append((from, to)) }
  }

  /// The renames in an order in which no name is taken; some go by a name between.
  mutating func ordered() -> [(from: String, to: String)] {
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
