internal import OxbowModel
internal import OxbowStore

/// The objects of fetched results at a moment, in their sections.
struct FetchedResultsLayout {
  private(set) var references: ContiguousArray<ObjectReference> = []
  private(set) var sections: [FetchedResultsSection] = []

  init() {}

  /// Creates a layout of objects and the names of their sections; `nil` names for one section.
  init(_ references: ContiguousArray<ObjectReference>, _ names: [String]?) {
    self.references = references
    guard let names else {
      if !references.isEmpty {
        sections = [FetchedResultsSection(name: "", indices: 0..<references.count)]
      }
      return
    }
    var start = 0
    for end in names.indices.dropFirst() where names[end] != names[start] {
      sections.append(FetchedResultsSection(name: names[start], indices: start..<end))
      start = end
    }
    guard let last = names.last else { return }
    sections.append(FetchedResultsSection(name: last, indices: start..<names.count))
  }

  /// The first name that two sections have.
  var repeatedName: String? {
    var seen: Set<String> = []
    return sections.first { !seen.insert($0.name).inserted }?.name
  }

  /// The number of the section of each object.
  fileprivate var sectionNumbers: [Int] {
    sections.enumerated().flatMap { number, section in
      repeatElement(number, count: section.indices.count)
    }
  }
}

extension FetchedResultsChange {
  /// The difference between two layouts; `touched` are the objects that may have other values.
  init(
    from old: FetchedResultsLayout, to new: FetchedResultsLayout, touched: Set<ObjectReference>,
    _ id: (ObjectReference) -> ManagedObjectID
  ) {
    let oldSections = old.sectionNumbers
    let newSections = new.sectionNumbers
    func position(_ index: Int, _ numbers: [Int], _ layout: FetchedResultsLayout)
      -> FetchedResultsPosition
    {
      let section = numbers[index]
      return FetchedResultsPosition(
        section: section, item: index - layout.sections[section].indices.lowerBound, index: index)
    }
    var indices: [ObjectReference: Int] = [:]
    indices.reserveCapacity(old.references.count)
    for (index, reference) in old.references.enumerated() { indices[reference] = index }

    var survivors: [(old: Int, new: Int)] = []
    for (index, reference) in new.references.enumerated() {
      if let before = indices.removeValue(forKey: reference) {
        survivors.append((before, index))
      } else {
        insertions.append(
          Item(objectID: id(reference), position: position(index, newSections, new)))
      }
    }
    deletions = indices.sorted { $0.value < $1.value }.map { reference, index in
      Item(objectID: id(reference), position: position(index, oldSections, old))
    }
    let moved = Self.movedSections(from: old, to: new)
    let staying = Self.longestIncreasing(survivors.map(\.old))
    for (place, survivor) in survivors.enumerated() {
      let reference = new.references[survivor.new]
      let to = position(survivor.new, newSections, new)
      let from = position(survivor.old, oldSections, old)
      let name = new.sections[to.section].name
      if !staying[place] || moved.contains(name) || name != old.sections[from.section].name {
        moves.append(Move(objectID: id(reference), from: from, to: to))
      }
      if touched.contains(reference) {
        updates.append(Item(objectID: id(reference), position: to))
      }
    }
    let kept = Set(old.sections.map(\.name)).intersection(new.sections.map(\.name))
      .subtracting(moved)
    deletedSections = old.sections.indices.filter { !kept.contains(old.sections[$0].name) }
    insertedSections = new.sections.indices.filter { !kept.contains(new.sections[$0].name) }
  }

  /// The names of as few sections as explain the new order of those that remained.
  private static func movedSections(
    from old: FetchedResultsLayout, to new: FetchedResultsLayout
  ) -> Set<String> {
    let numbers = Dictionary(
      old.sections.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    let remaining = new.sections.compactMap { section in
      numbers[section.name].map { (name: section.name, number: $0) }
    }
    let staying = longestIncreasing(remaining.map(\.number))
    return Set(zip(remaining, staying).filter { !$0.1 }.map(\.0.name))
  }

  /// Which of different numbers form a longest subsequence that increases.
  ///
  /// - Complexity: O(n) when they all do, else O(n log n): patience sorting.
  private static func longestIncreasing(_ numbers: [Int]) -> [Bool] {
    var result = [Bool](repeating: false, count: numbers.count)
    // The place of the last number of the best subsequence of each length, and what precedes it.
    var ends: [Int] = []
    var previous = [Int](repeating: -1, count: numbers.count)
    for place in numbers.indices {
      var (low, high) = (0, ends.count)
      if let last = ends.last, numbers[last] < numbers[place] { low = high }
      while low < high {
        let middle = (low + high) / 2
        if numbers[ends[middle]] < numbers[place] { low = middle + 1 } else { high = middle }
      }
      if low > 0 { previous[place] = ends[low - 1] }
      if low == ends.count { ends.append(place) } else { ends[low] = place }
    }
    var place = ends.last ?? -1
    while place >= 0 {
      result[place] = true
      place = previous[place]
    }
    return result
  }
}
