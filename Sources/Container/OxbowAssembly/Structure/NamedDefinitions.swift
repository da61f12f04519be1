internal import OxbowContainer

/// Definitions by name; of those with one name the first.
struct NamedDefinitions {
  private let all: [ObjectDefinition]
  private let numbers: [String: Int]
  /// The other names, and where they lead.
  private let aliases: Set<String>
  private let followed: AliasEnds

  init(_ all: [ObjectDefinition], aliases: [ObjectAlias] = []) {
    self.all = all
    let numbers = Dictionary(
      all.indices.map { (all[$0].name, $0) }, uniquingKeysWith: { first, _ in first })
    self.numbers = numbers
    let targets = Dictionary(
      aliases.filter { numbers[$0.name] == nil }.map { ($0.name, $0.target) },
      uniquingKeysWith: { first, _ in first })
    self.aliases = Set(targets.keys)
    followed = AliasEnds(targets)
  }

  /// The definition that a reference leads to, by its name or another one of its object.
  func referenced(_ name: String) -> ObjectDefinition? {
    self[end(of: name)]
  }

  /// Where a name leads; nowhere new in a circle.
  func end(of name: String) -> String { followed.ends[name] ?? name }

  /// The aliases that lead to each other, from the one on whose name comes first, which is this.
  func circle(from name: String) -> [String]? { followed.circles[name] }

  /// Whether a name is another name of something.
  func isAlias(_ name: String) -> Bool { aliases.contains(name) }

  var names: Dictionary<String, Int>.Keys { numbers.keys }

  subscript(name: String) -> ObjectDefinition? { numbers[name].map { all[$0] } }
}
