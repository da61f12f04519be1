/// Delivers a collection of what other makers deliver, made anew for each place.
package final class CollectionMaker<Collection: CollectionSlot>: Maker<Collection>,
  @unchecked Sendable
{
  // Sendable by argument, as makers are: never changed.
  private let elements: [Maker<Collection.Element>]

  package init(_ elements: [Maker<Collection.Element>]) { self.elements = elements }

  package override func make(_ session: Session?) throws -> Collection {
    Collection.collect(try elements.map { try $0.make(session) })
  }

  package override func fresh() throws -> Collection {
    Collection.collect(try elements.map { try $0.fresh() })
  }
}

/// Delivers a dictionary of what other makers deliver, made anew for each place.
package final class DictionaryMaker<Map: DictionarySlot>: Maker<Map>, @unchecked Sendable {
  // Sendable by argument, as makers are: never changed.
  private let items: [(key: String, maker: Maker<Map.Item>)]

  package init(_ items: [(key: String, maker: Maker<Map.Item>)]) { self.items = items }

  package override func make(_ session: Session?) throws -> Map {
    Map.collect(try items.map { ($0.key, try $0.maker.make(session)) })
  }

  package override func fresh() throws -> Map {
    Map.collect(try items.map { ($0.key, try $0.maker.fresh()) })
  }
}
