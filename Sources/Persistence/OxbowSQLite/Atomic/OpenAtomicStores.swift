internal import OxbowFoundation
internal import OxbowModel
internal import OxbowPlatform
internal import OxbowStore

/// The stores of programs that coordinators of this process have open.
///
/// With two of them over the same contents, the last save would win.
enum OpenAtomicStores {
  private struct Open {
    var objects: Set<ObjectIdentifier> = []
    var identifiers: [UUID: ObjectIdentifier] = [:]
  }

  private static let open = Lock(Open())

  /// Notes that a store is open.
  ///
  /// - Throws: ``PersistenceError`` with `storeLocked` when it is already.
  static func register(_ store: any AtomicStore) throws -> Registration {
    let object = ObjectIdentifier(store)
    guard open.withLock({ $0.objects.insert(object).inserted }) else {
      throw alreadyOpen(store.name)
    }
    return Registration(object: object)
  }

  private static func alreadyOpen(_ name: String) -> PersistenceError {
    PersistenceError(
      .storeLocked,
      "the store '\(name)' is open in another coordinator of this process; share that coordinator, or "
        + "close it first")
  }

  /// An open store.
  struct Registration: Sendable {
    fileprivate let object: ObjectIdentifier

    /// Notes which store it is.
    ///
    /// - Throws: ``PersistenceError`` with `storeLocked` when another object has it open.
    func add(_ identifier: UUID, _ name: String) throws {
      let owner = open.withLock { open in
        let owner = open.identifiers[identifier] ?? object
        open.identifiers[identifier] = owner
        return owner
      }
      if owner != object { throw alreadyOpen(name) }
    }

    /// Notes that it was closed.
    func end() {
      open.withLock { open in
        open.objects.remove(object)
        open.identifiers = open.identifiers.filter { $0.value != object }
      }
    }
  }
}
