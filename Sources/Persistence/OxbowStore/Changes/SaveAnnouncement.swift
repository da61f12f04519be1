/// A save of a coordinator that follows others, from before it is written until it is announced.
package final class SaveAnnouncement: Sendable {
  private let note: @Sendable (ObjectIdentifier, HistoryPlace?) -> Void

  /// Creates an announcement; `note` learns the places after the save inside its transactions, and
  /// `nil` in the end.
  init(_ note: @escaping @Sendable (ObjectIdentifier, HistoryPlace?) -> Void) { self.note = note }

  deinit { note(ObjectIdentifier(self), nil) }

  /// Notes the place after the save in a store, in its transaction.
  package func written(at place: HistoryPlace) { note(ObjectIdentifier(self), place) }
}
