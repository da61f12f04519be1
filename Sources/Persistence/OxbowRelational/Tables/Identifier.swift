/// Returns an identifier in double quotes, quotes inside doubled.
///
/// The only way by which a name gets into SQL text. Values never do: they are bound.
package func quoted(_ identifier: String) -> String {
  var result = "\""
  for character in identifier.unicodeScalars {
    if character == "\"" { result += "\"" }
    result.unicodeScalars.append(character)
  }
  return result + "\""
}

/// Hands out names that differ in more than the case of their letters, as SQLite needs.
package struct NamePool {
  private var taken: Set<String> = []

  /// Creates a pool in which `reserved` are taken.
  package init(reserved: [String] = []) { taken = Set(reserved.map { $0.lowercased() }) }

  /// Whether a name is still free.
  package func isFree(_ name: String) -> Bool { !taken.contains(name.lowercased()) }

  /// Takes the first of `candidates` that is free, or the last of them with a number from 2 on.
  package mutating func take(_ candidates: String...) -> String {
    let last = candidates[candidates.count - 1]
    var name = candidates.first(where: isFree) ?? last
    var number = 2
    while !isFree(name) {
      name = "\(last)_\(number)"
      number += 1
    }
    taken.insert(name.lowercased())
    return name
  }
}
