/// Returns the names that a typo may have meant, nearest first, three at most.
///
/// A name is near when at most a third of its letters, and at least one, would have to change, or
/// when it differs only in case.
///
/// A name of more than 200 bytes is not a typo, and comparing it would take too long.
///
/// - Complexity: O(names × length²).
package func nearNames(to typed: String, among names: some Sequence<String>) -> [String] {
  guard typed.utf8.count <= longestTyped else { return [] }
  let length = typed.unicodeScalars.count
  let allowance = max(1, typed.count / 3)
  let lowered = Array(typed.lowercased().unicodeScalars)
  return
    names
    // The difference in length is a lower bound of the changes, and cheaper to compute.
    .filter { abs($0.unicodeScalars.count - length) <= allowance }
    .map { name in
      let other = Array(name.lowercased().unicodeScalars)
      return (name: name, distance: editDistance(lowered, other, upTo: allowance))
    }
    .filter { $0.distance <= allowance }
    .sorted { ($0.distance, $0.name) < ($1.distance, $1.name) }
    .prefix(3)
    .map(\.name)
}

/// The largest number of bytes of a name that may be a typo.
private let longestTyped = 200

/// Returns the end of a message about a document that has a typo: `; did you mean "name"?`, or
/// nothing when no name is near.
package func didYouMean(_ typed: String, among names: some Sequence<String>) -> String {
  nearNames(to: typed, among: names).first.map { "; did you mean \"\($0)\"?" } ?? ""
}

/// Near names for many mistakes.
///
/// Finding them takes a comparison with every name, so if there are many names, they are found for
/// the first mistakes only.
package struct NearNamesBudget {
  /// In comparisons of names of `usualLength` bytes.
  private var comparisonsLeft = 200_000
  private static let usualLength = 25

  package init() {}

  /// The near names for one mistake; none after the budget is spent.
  package mutating func nearNames(to typed: String, among names: some Collection<String>)
    -> [String]
  {
    guard comparisonsLeft > 0 else { return [] }
    let length = min(typed.utf8.count, longestTyped) / Self.usualLength + 1
    comparisonsLeft -= names.count * length * length
    return OxbowDocuments.nearNames(to: typed, among: names)
  }
}

/// The Levenshtein distance of two texts, with a swap of neighbours counted as one change; any
/// larger number for texts that are further apart than `limit`.
private func editDistance(
  _ a: [Unicode.Scalar], _ b: [Unicode.Scalar], upTo limit: Int
) -> Int {
  var beforeLast = [Int](repeating: 0, count: b.count + 1)
  var last = Array(0...b.count)
  var row = last
  for i in a.indices {
    row[0] = i + 1
    var least = i + 1
    for j in b.indices {
      var cost = min(last[j + 1] + 1, row[j] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
      if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
        cost = min(cost, beforeLast[j - 1] + 1)
      }
      row[j + 1] = cost
      least = min(least, cost)
    }
    // A swap refers to the row before the last one, and adds one.
    if least > limit + 1 { return least }
    (beforeLast, last, row) = (last, row, beforeLast)
  }
  return last[b.count]
}
