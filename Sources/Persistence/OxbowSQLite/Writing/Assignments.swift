internal import OxbowModel
internal import OxbowRelational
internal import OxbowStore

/// The columns that links and unlinks set, gathered by row, so that a row is written once.
///
/// Chains in one array instead of an array for each row: a save of 100,000 new objects has as many
/// links.
struct Assignments {
  struct Assignment {
    /// The index in the mapping's columns.
    let column: Int32
    /// What is set; NULL when nothing.
    let value: Int64?
    /// For the key column of an unlink: what must be there now.
    let expected: Int64?
    /// Whether it comes from an unlink.
    let isUnlink: Bool
    fileprivate var next: Int32
  }

  private var heads: [ObjectKey: (entity: Int32, head: Int32)] = [:]
  private var list: ContiguousArray<Assignment> = []

  var isEmpty: Bool { heads.isEmpty }

  /// Adds what a link or unlink sets in a row; a link that came before wins over an unlink.
  mutating func add(
    _ reference: ObjectReference, root: Int, column: Int, value: Int64?, expected: Int64? = nil,
    isUnlink: Bool = false
  ) {
    let key = ObjectKey(root: root, key: reference.key)
    let head = heads[key]?.head ?? -1
    var index = head
    while index >= 0 {
      if list[Int(index)].column == Int32(column) { return }
      index = list[Int(index)].next
    }
    list.append(
      Assignment(
        column: Int32(column), value: value, expected: expected, isUnlink: isUnlink, next: head))
    heads[key] = (Int32(reference.entity), Int32(list.count - 1))
  }

  /// Takes what is set in a row, in the order of columns.
  mutating func take(root: Int, key: Int64) -> [Assignment] {
    guard !heads.isEmpty,
      let found = heads.removeValue(forKey: ObjectKey(root: root, key: key))
    else { return [] }
    return chain(from: found.head)
  }

  /// Takes the rows that have not been taken, in the order of their keys.
  mutating func takeRest() -> [(ObjectReference, [Assignment])] {
    let rest = heads.sorted { ($0.key.root, $0.key.key) < ($1.key.root, $1.key.key) }
    heads = [:]
    return rest.map { key, value in
      (ObjectReference(entity: Int(value.entity), key: key.key), chain(from: value.head))
    }
  }

  private func chain(from head: Int32) -> [Assignment] {
    var chain: [Assignment] = []
    var index = head
    while index >= 0 {
      chain.append(list[Int(index)])
      index = list[Int(index)].next
    }
    return chain.sorted { $0.column < $1.column }
  }
}
