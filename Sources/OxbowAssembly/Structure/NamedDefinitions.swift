internal import OxbowContainer

/// Definitions by name; of those with one name the first.
struct NamedDefinitions {
  private let all: [ObjectDefinition]
  private let numbers: [String: Int]

  init(_ all: [ObjectDefinition]) {
    self.all = all
    numbers = Dictionary(
      all.indices.map { (all[$0].name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  var names: Dictionary<String, Int>.Keys { numbers.keys }

  subscript(name: String) -> ObjectDefinition? { numbers[name].map { all[$0] } }
}
