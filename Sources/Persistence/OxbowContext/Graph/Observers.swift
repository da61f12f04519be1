internal import Observation
internal import OxbowModel
internal import OxbowStore

/// Who is notified of changes.
struct Audience {
  /// Who waits for changes of properties, or `nil` when the context is not observable.
  var observers: Observers?

  /// Who is notified of changes and saves, or `nil` if there were never any subscribers.
  var subscribers: ContextSubscribers?

  /// The state that all objects have.
  var stateOfObjects: ObjectState = []

  /// All objects are forgotten.
  mutating func reset() { if observers != nil { observers = Observers() } }
}

/// Who waits for changes of which properties, for a context that is observable.
///
/// Objects have no room for it: each object that was read has its registrar here, under its
/// reference. An address would come again with another object, and one registrar for all would wake
/// everybody for each change.
final class Observers {
  private var registrars: [ObjectReference: ObservationRegistrar] = [:]

  /// The state of the context (`Inverses.confirmation`) in which collections were last
  /// looked at.
  var confirmation = -1

  /// The key path of each property index.
  private var keyPaths: [KeyPath<Subject, Int>] = []

  /// What the registrars know of an object: its properties by index.
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

  /// How many objects have a registrar.
  var count: Int { registrars.count }

  /// Notes that a property was read.
  func noteAccess(_ reference: ObjectReference, _ property: Int) {
    let registrar = registrars[reference] ?? makeRegistrar(reference)
    registrar.access(Subject(), keyPath: keyPath(property))
  }

  private func makeRegistrar(_ reference: ObjectReference) -> ObservationRegistrar {
    let registrar = ObservationRegistrar()
    registrars[reference] = registrar
    return registrar
  }

  /// Tells who waits that a property changes.
  func noteChange(_ reference: ObjectReference, _ property: Int) {
    registrars[reference]?.willSet(Subject(), keyPath: keyPath(property))
  }

  /// Whether anybody may wait for an object.
  func hasRegistrar(_ reference: ObjectReference) -> Bool { registrars[reference] != nil }

  /// The objects that have a registrar.
  var references: [ObjectReference] { Array(registrars.keys) }

  /// Forgets an object.
  func forget(_ reference: ObjectReference) { registrars[reference] = nil }

  /// Forgets the objects for which it holds.
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
  /// What the context does not learn is not reported: saves of others that were not merged
  /// (``automaticallyMergesChangesFromParent``).
  ///
  /// Changes of an object are reported as long as the context has it: hold it, as views do. Objects
  /// of a context with this option take the long way for each read, noted or not; others pay
  /// nothing for it. Off the owner `false`, and the use is reported.
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
