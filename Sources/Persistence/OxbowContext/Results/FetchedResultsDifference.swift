internal import OxbowModel
internal import OxbowStore

/// The objects of fetched results at a moment, in their sections.
struct FetchedResultsLayout {
  private(set) var references: ContiguousArray<ObjectReference> = []
  private(set) var sections: [FetchedResultsSection] = []

  init() {}

  /// Creates a layout of objects and the names of their sections; `nil` for one section.
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

  /// The number of the first section of each name.
  fileprivate var numbersOfNames: [String: Int] {
    Dictionary(sections.enumerated().map { ($1.name, $0) }) { first, _ in first }
  }

  /// The first name that two sections have.
  var repeatedName: String? {
    var seen: Set<String> = []
    return sections.first { !seen.insert($0.name).inserted }?.name
  }

  /// The range of objects that differ from an older layout; before and after it, both are the same.
  fileprivate func changedRange(from old: Self) -> Range<Int> {
    let shorter = min(references.count, old.references.count)
    var start = 0
    while start < shorter, references[start] == old.references[start] { start += 1 }
    var same = 0
    while same < shorter - start,
      references[references.count - 1 - same] == old.references[old.references.count - 1 - same]
    { same += 1 }
    return start..<(references.count - same)
  }

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
    let changed = new.changedRange(from: old)
    let growth = new.references.count - old.references.count
    var indices: [ObjectReference: Int] = [:]
    indices.reserveCapacity(changed.count)
    for index in changed.lowerBound..<(changed.upperBound - growth) {
      indices[old.references[index]] = index
    }
    var survivors: [(old: Int, new: Int)] = []
    for (index, reference) in new.references.enumerated() {
      if index < changed.lowerBound {
        survivors.append((index, index))
      } else if index >= changed.upperBound {
        survivors.append((index - growth, index))
      } else if let before = indices.removeValue(forKey: reference) {
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
    let homes = Self.homes(of: new, in: old, besides: moved)
    let candidates = survivors.indices.filter { place in
      homes[newSections[survivors[place].new]] == oldSections[survivors[place].old]
    }
    // One untouched object weighs more than all touched ones.
    let staying = Self.heaviestIncreasing(candidates.map { survivors[$0].old }) { place in
      touched.contains(new.references[survivors[candidates[place]].new]) ? 1 : candidates.count + 1
    }
    var isMove = [Bool](repeating: true, count: survivors.count)
    for (place, stays) in zip(candidates, staying) where stays { isMove[place] = false }
    for (survivor, isMove) in zip(survivors, isMove) {
      let reference = new.references[survivor.new]
      let isUpdate = touched.contains(reference)
      guard isMove || isUpdate else { continue }
      let to = position(survivor.new, newSections, new)
      if isMove {
        let from = position(survivor.old, oldSections, old)
        moves.append(Move(objectID: id(reference), from: from, to: to))
      }
      if isUpdate { updates.append(Item(objectID: id(reference), position: to)) }
    }
    let kept = Set(old.sections.map(\.name)).intersection(new.sections.map(\.name))
      .subtracting(moved)
    deletedSections = old.sections.indices.filter { !kept.contains(old.sections[$0].name) }
    insertedSections = new.sections.indices.filter { !kept.contains(new.sections[$0].name) }
  }

  /// For each new section, the old one of its name unless it has moved, or -1.
  private static func homes(
    of new: FetchedResultsLayout, in old: FetchedResultsLayout, besides moved: Set<String>
  ) -> [Int] {
    let numbers = old.numbersOfNames
    return new.sections.map { moved.contains($0.name) ? -1 : numbers[$0.name] ?? -1 }
  }

  /// The names of as few sections as explain the new order of those that remained.
  private static func movedSections(
    from old: FetchedResultsLayout, to new: FetchedResultsLayout
  ) -> Set<String> {
    let numbers = old.numbersOfNames
    let remaining = new.sections.compactMap { section in
      numbers[section.name].map { (name: section.name, number: $0) }
    }
    let staying = heaviestIncreasing(remaining.map(\.number)) { _ in 1 }
    return Set(zip(remaining, staying).filter { !$0.1 }.map(\.0.name))
  }

  /// Marks the heaviest increasing subsequence of distinct numbers from 0 on; `weight` is the
  /// weight of the number at a place.
  ///
  /// - Complexity: O(n), and O(m log m) for the m numbers from the first to the last that are not
  ///   in it.
  private static func heaviestIncreasing(_ numbers: [Int], _ weight: (Int) -> Int) -> [Bool] {
    var result = [Bool](repeating: true, count: numbers.count)
    let range = disorder(of: numbers)
    result.replaceSubrange(range, with: heaviest(numbers[range], weight))
    return result
  }

  /// The places from the first to the last that are not in order with all others.
  private static func disorder(of numbers: [Int]) -> Range<Int> {
    var (start, end) = (numbers.count, 0)
    var (least, greatest) = (Int.max, Int.min)
    for place in numbers.indices.reversed() {
      if numbers[place] > least { start = place }
      least = min(least, numbers[place])
    }
    for place in numbers.indices {
      if numbers[place] < greatest { end = place + 1 }
      greatest = max(greatest, numbers[place])
    }
    return start < end ? start..<end : 0..<0
  }

  /// Marks a heaviest increasing subsequence of distinct numbers.
  private static func heaviest(_ numbers: ArraySlice<Int>, _ weight: (Int) -> Int) -> [Bool] {
    guard let least = numbers.min(), let greatest = numbers.max() else { return [] }
    let first = numbers.startIndex
    var result = [Bool](repeating: false, count: numbers.count)
    // The weight of the best subsequence that ends at a place, and the place before it there. The
    // best of those that end below a number are in a Fenwick tree.
    var weights = [Int](repeating: 0, count: numbers.count)
    var previous = [Int](repeating: -1, count: numbers.count)
    var tree = [Int](repeating: -1, count: greatest - least + 2)
    func isBetter(_ place: Int, than other: Int) -> Bool {
      place >= 0 && (other < 0 || weights[place] > weights[other])
    }
    for place in weights.indices {
      let number = numbers[first + place] - least
      var node = number
      while node > 0 {
        if isBetter(tree[node], than: previous[place]) { previous[place] = tree[node] }
        node &= node - 1
      }
      weights[place] =
        weight(first + place) + (previous[place] < 0 ? 0 : weights[previous[place]])
      node = number + 1
      while node < tree.count {
        if isBetter(place, than: tree[node]) { tree[node] = place }
        node += node & -node
      }
    }
    var place = weights.indices.max { weights[$0] < weights[$1] } ?? -1
    while place >= 0 {
      result[place] = true
      place = previous[place]
    }
    return result
  }
}
