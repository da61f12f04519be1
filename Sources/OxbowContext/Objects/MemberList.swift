internal import OxbowStore

/// Objects in an order, each once.
///
/// - Complexity: Adding, removing and looking up take O(1), however long the list is: an object that
///   goes leaves a gap, and gaps are closed when they are most of the list.
struct MemberList {
  private var storage: Storage?

  private final class Storage {
    var elements: ContiguousArray<ObjectReference> = []
    /// Where each object is; empty for a short list, which is searched.
    var places: [ObjectReference: Int] = [:]
    var gaps = 0
    /// How many elements were moved to close gaps.
    var moved = 0

    init() {}

    init(copying other: Storage) {
      elements = other.elements
      places = other.places
      gaps = other.gaps
      moved = other.moved
    }
  }

  private static var gap: ObjectReference { ObjectReference(entity: -1, key: 0) }

  /// Up to this length, a search is faster than a look-up.
  private static var searchedLength: Int { 16 }

  init() {}

  init(_ members: some Sequence<ObjectReference>) {
    for member in members { append(member) }
  }

  var count: Int { storage.map { $0.elements.count - $0.gaps } ?? 0 }
  var isEmpty: Bool { count == 0 }

  /// What holds the elements: the same as long as nothing copied them, for tests of the cost.
  var identity: ObjectIdentifier? { storage.map { ObjectIdentifier($0) } }

  /// How many elements were moved since the list was made, for tests of the cost.
  var movedElements: Int { storage?.moved ?? 0 }

  func contains(_ member: ObjectReference) -> Bool { place(of: member) != nil }

  /// Adds an object at the end, unless the list has it.
  mutating func append(_ member: ObjectReference) {
    if contains(member) { return }
    let storage = uniqueStorage()
    storage.elements.append(member)
    if !storage.places.isEmpty {
      storage.places[member] = storage.elements.count - 1
    } else if storage.elements.count > Self.searchedLength {
      index(storage)
    }
  }

  /// Removes an object.
  ///
  /// - Returns: Whether the list had it.
  @discardableResult
  mutating func remove(_ member: ObjectReference) -> Bool {
    guard let place = place(of: member) else { return false }
    let storage = uniqueStorage()
    if storage.places.isEmpty {
      storage.elements.remove(at: place)
      return true
    }
    storage.places[member] = nil
    storage.elements[place] = Self.gap
    storage.gaps += 1
    if 2 * storage.gaps > storage.elements.count { closeGaps(storage) }
    return true
  }

  private func place(of member: ObjectReference) -> Int? {
    guard let storage else { return nil }
    return storage.places.isEmpty
      ? storage.elements.firstIndex(of: member) : storage.places[member]
  }

  private mutating func uniqueStorage() -> Storage {
    if isKnownUniquelyReferenced(&storage), let storage { return storage }
    let made = storage.map { Storage(copying: $0) } ?? Storage()
    storage = made
    return made
  }

  private func closeGaps(_ storage: Storage) {
    storage.elements.removeAll { $0.entity < 0 }
    storage.moved += storage.elements.count
    storage.gaps = 0
    storage.places.removeAll(keepingCapacity: true)
    if storage.elements.count > Self.searchedLength { index(storage) }
  }

  private func index(_ storage: Storage) {
    storage.places.reserveCapacity(storage.elements.count)
    for (place, member) in storage.elements.enumerated() { storage.places[member] = place }
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
