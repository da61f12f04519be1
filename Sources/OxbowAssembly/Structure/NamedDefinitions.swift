internal import OxbowContainer

/// Definitions by name; of those with one name the first.
struct NamedDefinitions {
  private let all: [ObjectDefinition]
  private let numbers: [String: Int]
  /// Where other names lead.
  private let aliases: [String: String]

  init(_ all: [ObjectDefinition], aliases: [ObjectAlias] = []) {
    self.all = all
    let numbers = Dictionary(
      all.indices.map { (all[$0].name, $0) }, uniquingKeysWith: { first, _ in first })
    self.numbers = numbers
    self.aliases = Dictionary(
      aliases.filter { numbers[$0.name] == nil }.map { ($0.name, $0.target) },
      uniquingKeysWith: { first, _ in first })
  }

  /// The definition that a reference leads to, by its name or another one of its object.
  func referenced(_ name: String) -> ObjectDefinition? {
    self[end(of: name)]
  }

  /// Where a name leads; nowhere new in a circle.
  func end(of name: String) -> String { aliasPath(from: name).last ?? name }

  /// The names from one on, to the first that is no alias or that came before.
  func aliasPath(from name: String) -> [String] {
    var path = [name]
    var seen: Set<String> = [name]
    while let next = aliases[path[path.count - 1]] {
      path.append(next)
      guard seen.insert(next).inserted else { break }
    }
    return path
  }

  /// Whether a name is another name of something.
  func isAlias(_ name: String) -> Bool { aliases[name] != nil }

  var names: Dictionary<String, Int>.Keys { numbers.keys }

  subscript(name: String) -> ObjectDefinition? { numbers[name].map { all[$0] } }
}
