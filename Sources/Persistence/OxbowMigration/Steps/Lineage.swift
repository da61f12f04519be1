internal import OxbowModel
internal import OxbowRelational

/// Which of the earlier rows belong to which entity afterwards.
///
/// Rows keep their keys and their entity's number, also when an entity is put above a root, or a
/// root goes and those below it stay: where that are several, each gets the rows of its entities,
/// whose keys were different in one table. Rows of two tables cannot become those of one.
struct Lineage {
  let old: StoreMapping
  let new: StoreMapping
  let match: ModelMatch

  /// Why rows would have to move from one table to another.
  private(set) var problems: [String] = []

  /// The root before whose table each root after gets.
  private var origins: [Int: Int] = [:]

  init(old: StoreMapping, new: StoreMapping, match: ModelMatch) {
    (self.old, self.new, self.match) = (old, new, match)
    findOrigins()
  }

  private mutating func findOrigins() {
    for entity in new.model.entities {
      guard let before = predecessor(of: entity) else { continue }
      let root = new.model.entities[entity.root]
      let origin = origins[root.index]
      guard origin == nil || origin == before.root else {
        problems.append(
          "entity '\(entity.name)' moves from the hierarchy of "
            + "'\(old.model.entities[before.root].name)' to that of '\(root.name)'; its rows would "
            + "have to move to another table with new keys. Add a new entity, copy the rows with a "
            + "script, then remove the old one")
        continue
      }
      origins[root.index] = before.root
    }
  }
}

// MARK: - Entities

extension Lineage {
  /// The entity before, of an entity after.
  func predecessor(of entity: CompiledEntity) -> CompiledEntity? {
    match.entities[entity.name].flatMap { old.model.entity(named: $0) }
  }

  /// The root before whose table has the rows of an entity after.
  func oldRoot(of entity: CompiledEntity) -> CompiledEntity? {
    origins[entity.root].map { old.model.entities[$0] }
  }

  /// Whether a root has its table from before, and not only rows of it: of several roots, the one
  /// that was the root before, or the first.
  func isHeir(_ root: CompiledEntity) -> Bool {
    let rivals = origins.filter { $0.value == origins[root.index] }.keys.sorted()
    let heir = rivals.first { predecessor(of: new.model.entities[$0])?.index == origins[$0] }
    return root.index == heir ?? rivals.first
  }

  /// Whether a root's table before becomes a table after.
  func goesOn(root: Int) -> Bool { origins.values.contains(root) }

  /// The roots that continue the keys of another root, by the numbers of both.
  var movedRoots: [MovedRoot] {
    origins.compactMap { root, origin in
      let move = MovedRoot(
        from: old.entities[origin].number, to: new.entities[root].number)
      return move.from == move.to ? nil : move
    }.sorted { $0.to < $1.to }
  }

  /// The entities after that are or inherit from this one and have rows from before, with the
  /// entity that they were.
  func populated(_ entity: CompiledEntity) -> [(entity: CompiledEntity, before: CompiledEntity)] {
    entity.concrete.map { new.model.entities[$0] }.compactMap { entity in
      guard let before = predecessor(of: entity), !before.isAbstract else { return nil }
      return (entity, before)
    }
  }

  /// The numbers of the rows that an entity after has from before.
  func numbers(_ entity: CompiledEntity) -> [Int64] {
    populated(entity).map { old.entities[$0.before.index].number }.sorted()
  }

  /// The numbers of the rows before that stay, of an entity and those below.
  func survivors(_ entity: CompiledEntity) -> [Int64] {
    entity.concrete.map { old.model.entities[$0] }.filter { entity in
      let successor = match.successors[entity.name].flatMap { new.model.entity(named: $0) }
      return successor?.isAbstract == false
    }.map { old.entities[$0.index].number }.sorted()
  }

  /// The numbers as a condition on the rows of a root's table before; `nil` when all rows that stay
  /// are meant.
  func restriction(_ numbers: [Int64], of root: CompiledEntity) -> [Int64]? {
    guard old.entities[root.index].typeColumn != nil,
      !Set(survivors(root)).isSubset(of: numbers)
    else { return nil }
    return numbers
  }

  /// The numbers as a condition on those rows while all of them are there still; `nil` when all are
  /// meant.
  func condition(_ numbers: [Int64], of root: CompiledEntity) -> [Int64]? {
    guard old.entities[root.index].typeColumn != nil,
      !Set(root.concrete.map { old.entities[$0].number }).isSubset(of: numbers)
    else { return nil }
    return numbers
  }

  func table(_ mapping: StoreMapping, ofRoot root: Int) -> TableSchema? {
    let name = mapping.entities[root].table
    return mapping.tables.first { $0.name == name }
  }

  /// A source for each group of entities, as one source for the rows of a root's table before.
  ///
  /// A source that only some rows can have a value by needs no condition.
  func combined(_ parts: [SourcePart], of root: CompiledEntity) -> ColumnSource? {
    var merged: [(source: ColumnSource, numbers: Set<Int64>, holders: Set<Int64>)] = []
    for part in parts {
      guard let source = part.source else { continue }
      if let index = merged.firstIndex(where: { $0.source == source }) {
        merged[index].numbers.formUnion(part.numbers)
        merged[index].holders.formUnion(part.holders)
      } else {
        merged.append((source, Set(part.numbers), Set(part.holders)))
      }
    }
    guard let first = merged.first else { return nil }
    if merged.count == 1,
      first.holders.isSubset(of: first.numbers)
        || restriction(first.numbers.sorted(), of: root) == nil
    {
      return first.source
    }
    return merged.reversed().reduce(nil) { other, part in
      .typed(part.numbers.sorted(), part.source, other: other)
    }
  }
}

/// What a column is made of in the rows of some entities.
struct SourcePart {
  var numbers: [Int64]
  var source: ColumnSource?

  /// The numbers of all rows that would get a value from the source.
  var holders: [Int64]
}
