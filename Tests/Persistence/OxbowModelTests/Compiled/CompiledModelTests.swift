import OxbowModel
import Testing

@Suite struct CompiledModelTests {
  /// A forest: the parent of each entity is one of those before it, or there is none.
  private func forest(_ seed: UInt64, _ count: Int) -> ManagedObjectModel {
    var state = seed
    func next(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % bound
    }
    // Names whose order has nothing to do with that of the hierarchy, prefixes among them.
    let names = (0..<count).map { "E\(next(40))_\($0)" }
    let entities = names.enumerated().map { index, name in
      EntityDescription(
        name, parent: index == 0 || next(4) == 0 ? nil : names[next(index)],
        isAbstract: next(3) == 0,
        attributes: [
          AttributeDescription("b\(index)", .string, isOptional: true),
          AttributeDescription("a\(index)", .string, isOptional: true),
        ],
        relationships: [
          RelationshipDescription("c\(index)", to: names[next(count)])
        ])
    }
    return ManagedObjectModel(entities: entities)
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `an entity has below it those whose parents lead to it`(seed: UInt64) throws {
    let model = try CompiledModel(forest(seed, 60))
    func chain(_ entity: CompiledEntity) -> [Int] {
      [entity.index] + (entity.parent.map { chain(model.entities[$0]) } ?? [])
    }
    for entity in model.entities {
      let below = model.entities.indices.filter {
        chain(model.entities[$0]).contains(entity.index)
      }
      #expect(entity.subtree == below)
      #expect(entity.concrete == below.filter { !model.entities[$0].isAbstract })
      #expect(entity.root == chain(entity).last)
      let own = chain(entity).reversed().flatMap { index -> [String] in
        let description = model.entities[index].description
        return (description.attributes.map(\.name) + description.relationships.map(\.name)).sorted()
      }
      #expect(entity.properties.map(\.name) == own)
      for property in entity.relationships {
        let end = try #require(property.relationship)
        #expect(end.destination == model.entity(named: end.description.destination)?.index)
        #expect((end.entitySlot >= 0) == (model.entities[end.destination].subtree.count > 1))
      }
    }
  }
}
