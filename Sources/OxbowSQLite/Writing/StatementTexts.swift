internal import OxbowModel
internal import OxbowSQL

/// The texts of the statements that change rows, made once for each entity and shape.
final class StatementTexts: Sendable {
  private enum Key: Hashable {
    case insert(Int)
    case update(Int, ChangeGenerator.UpdateShape)
    case clear(Int, [Int], Int)
    case delete(Int, Bool)
    case link(String, [Int])
    case positionInRow(Int, Int)
    case positionInJoin(String, String)
    case lastPosition(String, String, String)
    case unlink(String)
    case derive(Int)
    case origins(RelationshipID)
  }

  private let mapping: StoreMapping
  private let texts = Memo<Key, String>()
  private let unlinkAll: [[String]]

  init(_ mapping: StoreMapping) {
    self.mapping = mapping
    unlinkAll = mapping.model.entities.map { entity in
      mapping.joinEnds(ofRoot: entity.index).map(ChangeGenerator.unlinkAll)
    }
  }

  private func text(_ key: Key, _ make: () -> String) -> String { texts.value(key, make) }

  func insert(_ entity: EntityMapping) -> String {
    text(.insert(entity.entity)) { ChangeGenerator.insert(entity) }
  }

  func update(_ entity: EntityMapping, _ shape: ChangeGenerator.UpdateShape) -> String {
    text(.update(entity.entity, shape)) { ChangeGenerator.update(entity, shape) }
  }

  func clear(_ entity: EntityMapping, _ columns: [Int], key: Int) -> String {
    text(.clear(entity.entity, columns, key)) { ChangeGenerator.clear(entity, columns, key: key) }
  }

  func delete(_ entity: EntityMapping, hasVersion: Bool) -> String {
    text(.delete(entity.entity, hasVersion)) {
      ChangeGenerator.delete(entity, hasVersion: hasVersion)
    }
  }

  func link(_ join: JoinMapping, moving: [Int]) -> String {
    text(.link(join.table, moving)) { ChangeGenerator.link(join, moving: moving) }
  }

  func setPosition(_ entity: EntityMapping, position: Int, key: Int) -> String {
    text(.positionInRow(entity.entity, position)) {
      ChangeGenerator.setPosition(entity, position: position, key: key)
    }
  }

  func setPosition(_ join: JoinMapping, position: String) -> String {
    text(.positionInJoin(join.table, position)) {
      ChangeGenerator.setPosition(join, position: position)
    }
  }

  func lastPosition(in table: String, position: String, of column: String) -> String {
    text(.lastPosition(table, position, column)) {
      ChangeGenerator.lastPosition(in: table, position: position, of: column)
    }
  }

  func unlink(_ join: JoinMapping) -> String {
    text(.unlink(join.table)) { ChangeGenerator.unlink(join) }
  }

  /// Computes a derived attribute, by its index among those of the model.
  func derive(_ index: Int) -> String {
    text(.derive(index)) {
      DerivationGenerator(mapping: mapping).update(mapping.model.derivations[index])
    }
  }

  func origins(of step: CompiledRelationship) -> String {
    text(.origins(step.id)) { DerivationGenerator(mapping: mapping).origins(of: step) }
  }

  /// The statements that remove all links of an object of a hierarchy in tables of links.
  func unlinkAll(root: Int) -> [String] { unlinkAll[root] }
}
