// What a context has to look at when an end of a relationship arrives or goes.

extension CompiledEntity {
  static func oneToOnes(of entities: [CompiledEntity]) -> ContiguousArray<[CompiledProperty]> {
    ContiguousArray(
      entities.map { $0.relationships.filter { $0.relationship?.isOneToOne == true } })
  }

  static func referrers(in entities: [CompiledEntity]) -> ContiguousArray<[CompiledProperty]> {
    var referrers = ContiguousArray(repeating: [CompiledProperty](), count: entities.count)
    for entity in entities {
      for property in entity.relationships where property.declaringEntity == entity.index {
        guard let relationship = property.relationship, relationship.inverse == nil else {
          continue
        }
        for destination in entities[relationship.destination].subtree {
          referrers[destination].append(property)
        }
      }
    }
    return referrers
  }
}
