internal import Observation
internal import OxbowModel
internal import OxbowStore

/// Who waits for changes of which properties, for a context that is observable.
///
/// Objects have no room for it: each object that was read has its registrar here, under its
/// reference. An address would come again with another object, and one registrar for all would wake
/// everybody for each change.
final class Observers {
  private var registrars: [ObjectReference: ObservationRegistrar] = [:]

  /// The state of the context (`ManagedObjectContext.confirmation`) in which collections were last
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
