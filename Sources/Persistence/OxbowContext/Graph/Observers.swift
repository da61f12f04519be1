internal import Observation
internal import OxbowModel
internal import OxbowStore

/// What is notified of changes.
struct Audience {
  /// The observers of properties, or `nil` if the context is not observable.
  var observers: Observers?

  /// The subscribers to changes and saves, or `nil` if there were never any.
  var subscribers: ContextSubscribers?

  /// The state that all objects have.
  var stateOfObjects: ObjectState = []
  mutating func reset() { if observers != nil { observers = Observers() } }
}

/// The observers of properties of an observable context.
///
/// Objects have no room for them: each object that was read has its registrar here, by reference.
/// An address would be reused by another object, and one registrar for all would wake every
/// observer for each change.
final class Observers {
  private var registrars: [ObjectReference: ObservationRegistrar] = [:]

  /// The context's `Inverses.confirmation` when collections were last looked at.
  var confirmation = -1
  private var keyPaths: [KeyPath<Subject, Int>] = []

  /// An object for the registrars: its properties by index.
  private struct Subject: Observable {
    subscript(property: Int) -> Int { property }
  }

  private func keyPath(_ property: Int) -> KeyPath<Subject, Int> {
    while keyPaths.count <= property {
      let index = keyPaths.count
      keyPaths.append(\Subject[index])
    }
    return keyPaths[property]
  }
  var count: Int { registrars.count }

  func noteAccess(_ reference: ObjectReference, _ property: Int) {
    let registrar = registrars[reference] ?? makeRegistrar(reference)
    registrar.access(Subject(), keyPath: keyPath(property))
  }

  private func makeRegistrar(_ reference: ObjectReference) -> ObservationRegistrar {
    let registrar = ObservationRegistrar()
    registrars[reference] = registrar
    return registrar
  }

  /// Notes that a property is about to change.
  func noteChange(_ reference: ObjectReference, _ property: Int) {
    registrars[reference]?.willSet(Subject(), keyPath: keyPath(property))
  }

  /// Whether an object may have observers.
  func hasRegistrar(_ reference: ObjectReference) -> Bool { registrars[reference] != nil }
  var references: [ObjectReference] { Array(registrars.keys) }
  func forget(_ reference: ObjectReference) { registrars[reference] = nil }

  func forget(where isGone: (ObjectReference) -> Bool) {
    for reference in references where isGone(reference) { registrars[reference] = nil }
  }
}

// MARK: - Properties of objects as live values

extension ManagedObjectContext {
  /// Whether reading a property inside of `withObservationTracking` reports its next change;
  /// `false` at first.
  ///
  /// ```swift
  /// context.isObservable = true
  /// withObservationTracking {
  ///   label.text = book.title
  /// } onChange: {
  ///   signal.send(id)   // not the object: it stays with its context
  /// }
  /// ```
  ///
  /// Every change is reported, wherever it comes from: setters, links from the other end,
  /// increments, undo and rollback, refreshing, and rows that a fetch, a merge or a save brings.
  /// Attributes and relationships are distinguished. `onChange` runs once, on the thread of the
  /// change, when the value is about to change or has just done so: it must not read it, but have
  /// it read later.
  ///
  /// Saves of others are not reported until they are merged
  /// (``automaticallyMergesChangesFromParent``).
  ///
  /// Changes of an object are reported as long as the context has it: hold it, as views do. Every
  /// read of an object of such a context is slower, observed or not; other contexts pay nothing.
  /// Off the owner `false`, and the use is reported.
  public var isObservable: Bool {
    get { isOwned("isObservable") && audience.observers != nil }
    set {
      guard isOwned("isObservable"), newValue != (audience.observers != nil) else { return }
      if !newValue { noteAllChanged() }
      audience.observers = newValue ? Observers() : nil
      audience.stateOfObjects = newValue ? .observed : []
      identity.forEach { object in
        if newValue { object._state.insert(.observed) } else { object._state.remove(.observed) }
      }
    }
  }
}
