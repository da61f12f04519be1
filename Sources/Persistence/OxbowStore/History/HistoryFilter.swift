public import OxbowFoundation
public import OxbowModel

/// Which saves of a history one wants to see.
///
/// ```swift
/// try coordinator.history(after: token, where: .author("web") && .entity("Book"))
/// ```
///
/// A save that does not fit is left out, and of one that does, the changes that do not fit are.
/// Migrations and what is missing are never left out.
public struct HistoryFilter: Sendable {
  private let acceptsSave: @Sendable (HistoryTransaction) -> Bool

  /// `nil` where any change fits.
  private let acceptsChange: (@Sendable (HistoryChange) -> Bool)?

  /// The saves of an author.
  public static func author(_ name: String) -> Self {
    Self(acceptsSave: { $0.author == name }, acceptsChange: nil)
  }

  /// The saves of all but an author.
  public static func notAuthor(_ name: String) -> Self {
    Self(acceptsSave: { $0.author != name }, acceptsChange: nil)
  }

  /// The saves of all but one opening of the store's file (`HistoryTransaction.session`).
  public static func notSession(_ session: UUID) -> Self {
    Self(acceptsSave: { $0.session != session }, acceptsChange: nil)
  }

  /// The saves of one of several stores, by its identifier.
  public static func store(_ identifier: UUID) -> Self {
    Self(acceptsSave: { $0.place.store == identifier }, acceptsChange: nil)
  }

  /// The changes of objects of an entity, by the name that it had then; of its sub-entities none.
  public static func entity(_ name: String) -> Self {
    Self(acceptsSave: { _ in true }, acceptsChange: { $0.entityName == name })
  }

  /// The changes of one object.
  public static func object(_ id: ManagedObjectID) -> Self {
    Self(acceptsSave: { _ in true }, acceptsChange: { $0.objectID == id })
  }

  /// What fits both.
  public static func && (a: Self, b: Self) -> Self {
    let acceptsChange: (@Sendable (HistoryChange) -> Bool)? =
      switch (a.acceptsChange, b.acceptsChange) {
      case (let first?, let second?): { first($0) && second($0) }
      case (let first, let second): first ?? second
      }
    return Self(
      acceptsSave: { a.acceptsSave($0) && b.acceptsSave($0) }, acceptsChange: acceptsChange)
  }

  /// What fits of a save, or `nil`.
  package func filtered(_ save: HistoryTransaction) -> HistoryTransaction? {
    guard acceptsSave(save) else { return nil }
    guard let acceptsChange else { return save }
    let changes = save.changes.filter(acceptsChange)
    return changes.isEmpty ? nil : save.with(changes)
  }

  /// What fits of saves, which are whole: of a large one, the last part that fits ends it.
  package func filtered(_ saves: [HistoryTransaction]) -> [HistoryTransaction] {
    var fitting: [HistoryTransaction] = []
    for save in saves {
      if let part = filtered(save) { fitting.append(part) }
      guard !save.isContinued, let last = fitting.last, last.isContinued else { continue }
      fitting[fitting.count - 1] = last.ending(at: save.token)
    }
    return fitting
  }
}
