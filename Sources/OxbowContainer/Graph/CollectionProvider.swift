/// Delivers a collection of what other providers deliver, made anew for each place.
package final class CollectionProvider<Collection: InjectableCollection>: ObjectProvider<
  Collection
>,
@unchecked Sendable
{
  // Sendable by argument, as providers are: never changed.
  private let elements: [ObjectProvider<Collection.Element>]

  package init(_ elements: [ObjectProvider<Collection.Element>]) { self.elements = elements }

  package override func make(_ session: Session?) throws -> Collection {
    Collection.collect(try elements.map { try $0.make(session) })
  }

  package override func fresh() throws -> Collection {
    Collection.collect(try elements.map { try $0.fresh() })
  }
}

/// Delivers a dictionary of what other providers deliver, made anew for each place.
package final class DictionaryProvider<Map: InjectableDictionary>: ObjectProvider<Map>,
  @unchecked Sendable
{
  // Sendable by argument, as providers are: never changed.
  private let items: [(key: String, provider: ObjectProvider<Map.Item>)]

  package init(_ items: [(key: String, provider: ObjectProvider<Map.Item>)]) { self.items = items }

  package override func make(_ session: Session?) throws -> Map {
    Map.collect(try items.map { ($0.key, try $0.provider.make(session)) })
  }

  package override func fresh() throws -> Map {
    Map.collect(try items.map { ($0.key, try $0.provider.fresh()) })
  }
}
