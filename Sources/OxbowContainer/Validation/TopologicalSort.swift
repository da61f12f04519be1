/// The nodes of a graph with those first that others need, or a circle among them.
///
/// - Complexity: O(nodes + arrows).
package enum TopologicalSort {
  case order([Int])
  /// A circle: each needs the next, the last the first again.
  case circle([Int])

  /// Sorts nodes; targets outside of them are ignored.
  package static func sort(_ nodes: [Int], _ targets: (Int) -> [Int]) -> TopologicalSort {
    enum Mark { case entered, left }
    let members = Set(nodes)
    var marks: [Int: Mark] = [:]
    var order: [Int] = []
    for root in nodes where marks[root] == nil {
      marks[root] = .entered
      var calls = [(node: root, targets: targets(root), next: 0)]
      while let call = calls.last {
        guard call.next < call.targets.count else {
          marks[call.node] = .left
          order.append(call.node)
          calls.removeLast()
          continue
        }
        calls[calls.count - 1].next += 1
        let target = call.targets[call.next]
        guard members.contains(target) else { continue }
        switch marks[target] {
        case .left: continue
        case .entered: return .circle(Array(calls.map(\.node).drop { $0 != target }))
        case nil:
          marks[target] = .entered
          calls.append((target, targets(target), 0))
        }
      }
    }
    return .order(order)
  }
}
