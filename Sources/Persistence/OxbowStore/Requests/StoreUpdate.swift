package import OxbowModel

/// An update in the store of attributes of all objects that a fetch finds.
package struct StoreUpdate: Sendable {
  /// The entity and the condition; without an order, a limit and an offset.
  package let fetch: StoreFetch

  /// The new values of attributes by property index: constants, or expressions of the same row.
  package let assignments: [(property: Int, value: FetchExpression)]

  package init(_ fetch: StoreFetch, _ assignments: [(property: Int, value: FetchExpression)]) {
    self.fetch = fetch
    self.assignments = assignments
  }
}

/// The changes of an update in the store.
package struct UpdatedRows: Sendable {
  package var objects: [ObjectReference]
  package var derived: [DerivedValue]

  package init(objects: [ObjectReference], derived: [DerivedValue] = []) {
    self.objects = objects
    self.derived = derived
  }
}
