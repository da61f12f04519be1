import OxbowModel

/// What a store or a context should hold: objects by label, each link at both of its ends.
///
/// Plain values and plain rules, written without a look at how Oxbow does it.
struct OracleState {
  let world: World
  var objects: [Int: Object] = [:]

  struct Object {
    let entity: String
    var values: [String: Value]
    /// To-one ends by index; a label may be that of an object that is gone.
    var ones: [Int: Int] = [:]
    /// To-many ends by index, in the order in which members came; no entry for none.
    var many: [Int: [Int]] = [:]
  }

  init(_ world: World) { self.world = world }

  func entity(_ label: Int) -> String? { objects[label]?.entity }

  func one(_ label: Int, _ end: World.End) -> Int? { objects[label]?.ones[end.index] }

  func many(_ label: Int, _ end: World.End) -> [Int] { objects[label]?.many[end.index] ?? [] }

  /// The labels of the objects that are an `entity`.
  func labels(_ entity: String) -> [Int] {
    objects.filter { world.isKind($0.value.entity, of: entity) }.keys.sorted()
  }

  mutating func insert(_ label: Int, _ entity: String) {
    objects[label] = Object(
      entity: entity,
      values: Dictionary(
        uniqueKeysWithValues: world.attributes(of: entity).map { ($0.name, $0.initial) }))
  }

  mutating func set(_ label: Int, _ attribute: String, _ value: Value) {
    objects[label]?.values[attribute] = value
  }
}

// MARK: - Links

extension OracleState {
  /// Ties two objects; what a to-one end led to before lets go.
  mutating func tie(_ a: Int, _ end: World.End, _ b: Int) {
    if isTied(a, end, b) { return }
    let back = world.inverse(of: end)
    if !end.isToMany, let old = one(a, end) { untie(a, end, old) }
    if let back, !back.isToMany, let old = one(b, back) { untie(b, back, old) }
    put(a, end, b)
    if let back { put(b, back, a) }
  }

  mutating func untie(_ a: Int, _ end: World.End, _ b: Int) {
    drop(a, end, b)
    if let back = world.inverse(of: end) { drop(b, back, a) }
  }

  func isTied(_ a: Int, _ end: World.End, _ b: Int) -> Bool {
    end.isToMany ? many(a, end).contains(b) : one(a, end) == b
  }

  mutating func point(_ a: Int, _ end: World.End, _ b: Int?) {
    if let b {
      tie(a, end, b)
    } else if let old = one(a, end) {
      untie(a, end, old)
    }
  }

  /// Gives a to-many end other members; an ordered one takes over their order.
  mutating func replace(_ a: Int, _ end: World.End, _ members: [Int]) {
    for old in many(a, end) where !members.contains(old) { untie(a, end, old) }
    for new in members { tie(a, end, new) }
    if end.isOrdered { objects[a]?.many[end.index] = members.isEmpty ? nil : members }
  }

  private mutating func put(_ a: Int, _ end: World.End, _ b: Int) {
    guard objects[a] != nil else { return }
    if !end.isToMany {
      objects[a]?.ones[end.index] = b
    } else if !many(a, end).contains(b) {
      objects[a]?.many[end.index, default: []].append(b)
    }
  }

  private mutating func drop(_ a: Int, _ end: World.End, _ b: Int) {
    guard objects[a] != nil else { return }
    if !end.isToMany {
      if one(a, end) == b { objects[a]?.ones[end.index] = nil }
    } else {
      let rest = many(a, end).filter { $0 != b }
      objects[a]?.many[end.index] = rest.isEmpty ? nil : rest
    }
  }
}

// MARK: - Deleting

extension OracleState {
  /// Deletes an object by the rules of its relationships.
  ///
  /// The rule deny is a matter of the save: both ends stay as they are until then. A new object,
  /// which no save will ask, goes with its links.
  mutating func delete(_ label: Int, isNew: (Int) -> Bool) {
    let doomed = closure(of: label)
    for victim in doomed {
      for end in endsWithMembers(of: victim) where world.inverse(of: end) != nil {
        // A link in a row of its own goes with either of its ends, whatever the rule, and so does
        // one to what was never saved.
        guard
          end.rule != .noAction && end.rule != .deny || world.isJoined(end) || isNew(victim)
        else { continue }
        for other in members(victim, end) { untie(victim, end, other) }
      }
    }
    for victim in doomed { objects[victim] = nil }
    forgetMembers(doomed)
  }

  private func closure(of label: Int) -> Set<Int> {
    var doomed: Set<Int> = []
    var queue = [label]
    while let next = queue.popLast() {
      guard objects[next] != nil, doomed.insert(next).inserted else { continue }
      for end in endsWithMembers(of: next) where end.rule == .cascade {
        queue += members(next, end)
      }
    }
    return doomed
  }

  /// Takes what is gone out of to-many ends without inverse.
  private mutating func forgetMembers(_ gone: Set<Int>) {
    for end in world.ends where end.isToMany && end.inverse == nil {
      for owner in labels(end.entity) {
        let rest = many(owner, end).filter { !gone.contains($0) }
        objects[owner]?.many[end.index] = rest.isEmpty ? nil : rest
      }
    }
  }

  private func endsWithMembers(of label: Int) -> [World.End] {
    entity(label).map { world.ends(of: $0) } ?? []
  }

  func members(_ label: Int, _ end: World.End) -> [Int] {
    end.isToMany ? many(label, end) : one(label, end).map { [$0] } ?? []
  }
}

// MARK: - Asking

extension OracleState {
  /// To-one ends that lead to objects which are gone and that no save may write: what a rule
  /// denies, and what has no inverse.
  func dangling() -> [(label: Int, end: World.End)] {
    objects.keys.sorted().flatMap { label in
      endsWithMembers(of: label)
        .filter { world.isNetted($0) && one(label, $0).map { objects[$0] == nil } ?? false }
        .map { (label, $0) }
    }
  }

  /// The same without the order of members.
  var unordered: OracleState {
    var state = self
    for label in objects.keys {
      state.objects[label]?.many = objects[label]?.many.mapValues { $0.sorted() } ?? [:]
    }
    return state
  }

  /// What kind of difference there is to another state: one of order only, or any other.
  func kind(_ kind: String, comparedTo other: OracleState) -> String {
    unordered.differences(to: other.unordered).isEmpty ? "\(kind).order" : kind
  }

  /// Where another state says something else, in words.
  func differences(to other: OracleState) -> [String] {
    var texts: [String] = []
    for label in Set(objects.keys).union(other.objects.keys).sorted() {
      switch (objects[label], other.objects[label]) {
      case (.some, nil): texts.append("o\(label) is missing")
      case (nil, .some): texts.append("o\(label) should not be there")
      case (let mine?, let theirs?): texts += differences(label, mine, theirs)
      default: break
      }
    }
    return texts
  }

  private func differences(_ label: Int, _ mine: Object, _ theirs: Object) -> [String] {
    if mine.entity != theirs.entity {
      return ["o\(label) is a \(theirs.entity), should be a \(mine.entity)"]
    }
    var texts: [String] = []
    for (name, value) in mine.values.sorted(by: { $0.key < $1.key }) {
      let seen = theirs.values[name] ?? .none
      if seen != value { texts.append("o\(label).\(name) is \(seen), should be \(value)") }
    }
    for end in world.ends(of: mine.entity) {
      let (expected, seen) = (named(mine, end), named(theirs, end))
      if expected != seen {
        texts.append("o\(label).\(end.name) is \(seen), should be \(expected)")
      }
    }
    return texts
  }

  private func named(_ object: Object, _ end: World.End) -> String {
    let members = object.many[end.index] ?? []
    return end.isToMany
      ? Self.list(end.isOrdered ? members : members.sorted())
      : object.ones[end.index].map { "o\($0)" } ?? "nil"
  }

  static func list(_ labels: [Int]) -> String {
    "[" + labels.map { "o\($0)" }.joined(separator: ", ") + "]"
  }
}
