internal import OxbowStore

/// Objects in an order, each once.
///
/// - Complexity: O(1) to add, remove and look up: a removed object leaves a gap, and gaps are
///   closed when they are most of the list. The first look-up in a long list makes its index,
///   because most lists are only walked.
struct MemberList {
  private var storage: Storage?

  init() {}

  init(_ members: some Sequence<ObjectReference>) {
    for member in members { append(member) }
  }

  /// Creates a list of distinct objects.
  init(unique members: ContiguousArray<ObjectReference>) {
    if !members.isEmpty { storage = Storage(members) }
  }

  var count: Int { storage.map { $0.elements.count - $0.gaps } ?? 0 }
  var isEmpty: Bool { count == 0 }

  /// The storage: the same as long as nothing copied it, for tests of the cost.
  var identity: ObjectIdentifier? { storage.map { ObjectIdentifier($0) } }

  /// How many elements were moved since the list was made, for tests of the cost.
  var movedElements: Int { storage?.moved ?? 0 }

  func contains(_ member: ObjectReference) -> Bool { storage?.index(of: member) != nil }

  /// Adds an object at the end, unless the list has it.
  mutating func append(_ member: ObjectReference) {
    if !contains(member) { uniqueStorage().append(member) }
  }

  @discardableResult
  mutating func remove(_ member: ObjectReference) -> Bool {
    guard let index = storage?.index(of: member) else { return false }
    uniqueStorage().remove(member, at: index)
    return true
  }

  /// The list with the objects of `order` in that order; its other objects keep their places.
  func arranged(as order: MemberList) -> MemberList {
    guard count > order.count else { return order }
    var result = MemberList()
    var next = order.makeIterator()
    for member in self {
      if !order.contains(member) {
        result.append(member)
      } else if let placed = next.next() {
        result.append(placed)
      }
    }
    while let placed = next.next() { result.append(placed) }
    return result
  }

  private mutating func uniqueStorage() -> Storage {
    if isKnownUniquelyReferenced(&storage), let storage { return storage }
    let made = storage.map { Storage(copying: $0) } ?? Storage([])
    storage = made
    return made
  }
}

extension MemberList {
  private final class Storage {
    var elements: ContiguousArray<ObjectReference>
    var gaps = 0
    /// How many elements were moved to close gaps.
    var moved = 0

    /// The index of each object, made by the first look-up in a long list.
    ///
    /// Without it, a list has no gaps.
    private var indices: [ObjectReference: Int]?

    /// Up to this length, a search is faster than a look-up.
    private static let searchedLength = 16

    private static let gap = ObjectReference(entity: -1, key: 0)

    init(_ elements: ContiguousArray<ObjectReference>) { self.elements = elements }

    init(copying other: Storage) {
      elements = other.elements
      gaps = other.gaps
      moved = other.moved
      indices = other.indices
    }

    func index(of member: ObjectReference) -> Int? {
      if let indices { return indices[member] }
      if elements.count <= Self.searchedLength { return elements.firstIndex(of: member) }
      return makeIndices()[member]
    }

    func append(_ member: ObjectReference) {
      elements.append(member)
      indices?[member] = elements.count - 1
    }

    func remove(_ member: ObjectReference, at index: Int) {
      guard indices != nil else {
        elements.remove(at: index)
        return
      }
      indices?[member] = nil
      elements[index] = Self.gap
      gaps += 1
      if 2 * gaps > elements.count { closeGaps() }
    }

    private func closeGaps() {
      elements.removeAll { $0.entity < 0 }
      moved += elements.count
      gaps = 0
      indices = nil
      if elements.count > Self.searchedLength { _ = makeIndices() }
    }

    private func makeIndices() -> [ObjectReference: Int] {
      var made = [ObjectReference: Int](minimumCapacity: elements.count)
      for (index, member) in elements.enumerated() where member.entity >= 0 {
        made[member] = index
      }
      indices = made
      return made
    }
  }
}

extension MemberList: Sequence {
  struct Iterator: IteratorProtocol {
    fileprivate var elements: IndexingIterator<ContiguousArray<ObjectReference>>

    mutating func next() -> ObjectReference? {
      while let element = elements.next() {
        if element.entity >= 0 { return element }
      }
      return nil
    }
  }

  func makeIterator() -> Iterator {
    Iterator(elements: (storage?.elements ?? []).makeIterator())
  }

  var underestimatedCount: Int { count }
}
