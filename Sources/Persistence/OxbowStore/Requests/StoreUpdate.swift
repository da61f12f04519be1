package import OxbowModel

/// An update in the store of attributes of all objects that a fetch finds.
package struct StoreUpdate: Sendable {
  /// The objects; with a limit or an offset, those of its order.
  package var fetch: StoreFetch

  /// The new values of attributes by property index: constants, or expressions of the same row.
  package let assignments: [(property: Int, value: FetchExpression)]

  /// Who updates, for the history: the author and the name of the context.
  package var author: String?
  package var contextName: String?

  /// What gives the update its place among the saves of others.
  package var announcement: SaveAnnouncement?

  package init(_ fetch: StoreFetch, _ assignments: [(property: Int, value: FetchExpression)]) {
    self.fetch = fetch
    self.assignments = assignments
  }
}

/// The changes of an update in the store.
package struct UpdatedRows: Sendable {
  package var objects: [ObjectReference]
  package var derived: [DerivedValue]

  /// The place after the update in the history of the store, where it has one.
  package var historyToken: HistoryToken?

  package init(objects: [ObjectReference], derived: [DerivedValue] = []) {
    self.objects = objects
    self.derived = derived
  }
}
