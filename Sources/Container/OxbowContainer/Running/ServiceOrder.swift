/// Who waits for whom when a container's objects are started and stopped.
///
/// The order is that of disposal, and an arrow counts where it leads down in it: so what is needed
/// through providers and proxies counts, as far as that closes no circle.
struct ServiceOrder: Sendable {
  /// The numbers of all objects, those first that no other needs.
  let byDependents: [Int]
  /// What each object needs, and who needs it; an arrow that counts twice is there twice.
  private(set) var (needs, users): ([[Int]], [[Int]])

  /// Creates the order of the objects that are `selected`, together with all that they need.
  init(_ graph: DependencyGraph, _ selected: (Int) -> Bool = { _ in true }) {
    byDependents = graph.byDependents
    let none = [[Int]](repeating: [], count: byDependents.count)
    (needs, users) = (none, none)
    var rank = [Int](repeating: 0, count: byDependents.count)
    for (place, number) in byDependents.enumerated() { rank[number] = place }
    for number in byDependents where selected(number) {
      for arrow in graph.arrows(of: number) where rank[number] < rank[arrow.target] {
        needs[number].append(arrow.target)
        users[arrow.target].append(number)
      }
    }
  }

  /// Adds an arrow, which must lead down.
  mutating func add(_ need: Int, neededBy user: Int) {
    needs[user].append(need)
    users[need].append(user)
  }
}

extension DependencyGraph {
  /// The numbers of the objects with those first that no other needs, arrows of providers and
  /// proxies included as far as they close no circle.
  var byDependents: [Int] {
    let all = DirectedGraph(nodes.count) { arrows(of: $0).map(\.target) }.stronglyConnected()
    let built = components.flatMap(\.self)
    let rank = Dictionary(uniqueKeysWithValues: zip(built, built.indices))
    let order = all.flatMap { members in
      members.sorted { rank[$0, default: 0] < rank[$1, default: 0] }
    }
    return order.reversed()
  }
}
