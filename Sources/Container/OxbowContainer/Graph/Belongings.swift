/// What ends with an object that a container keeps, because the container made it and no request
/// reaches it: what its definition defines in place, and what a post-processor replaced (decision
/// 0342).
///
/// Confined to the build that fills it, then guarded by what keeps the object.
package final class Belongings {
  /// One of the objects.
  struct Item {
    let name: String
    let object: Any
    /// Finds the target of a proxy, which ends in its place.
    let target: TargetSearch?

    /// What ends, in this order: the object, or the target of a proxy with all that belongs to it.
    var endings: [(name: String, object: Any)] {
      target.map { $0(object, name) } ?? [(name, object)]
    }
  }

  /// Finds what ends in place of a proxy, nothing where none was called, and lets it be the last.
  typealias TargetSearch =
    @Sendable (_ proxy: Any, _ name: String) -> [(name: String, object: Any)]

  /// In the order in which they were completed: what needs others comes after them.
  private(set) var items: [Item] = []
  private var seen: Set<ObjectIdentifier> = []

  /// Adds an object that has something to end, or a proxy whose target may have.
  func add(_ object: Any, named name: String, target: TargetSearch? = nil) {
    guard target != nil || object is any ConfinedDisposable else { return }
    if type(of: object) is AnyClass,
      !seen.insert(ObjectIdentifier(object as AnyObject)).inserted
    {
      return
    }
    items.append(Item(name: name, object: object, target: target))
  }

  /// Makes the object with which all end; where that fails, they end at once.
  func filled<T>(
    by make: (Belongings) throws -> T, endingBy container: WeakContainerReference?,
    in others: LocalObjects? = nil
  ) throws -> T {
    do { return try make(self) } catch {
      container?.disposal(of: (), and: items, named: "", in: others)?(())
      throw error
    }
  }
}

/// Whose matter the end of a definition's objects is.
enum Ownership: Sendable {
  /// What asked for one has it.
  case asker
  /// The container, a thread, a task or a proxy keeps the object.
  case kept
  /// The object ends with the kept one in whose definition it is defined.
  case belonging(target: Belongings.TargetSearch?)
}

extension Belongings {
  /// Notes what has become of an object that was constructed.
  func note(_ object: Any, replacedBy result: Any, named name: String, _ ownership: Ownership) {
    if type(of: object) is AnyClass, !(object as AnyObject === result as AnyObject) {
      add(object, named: name)
    }
    if case .belonging(let target) = ownership { add(result, named: name, target: target) }
  }
}

extension [Belongings.Item] {
  /// What ends with all of them, the newest first.
  var endings: [(name: String, object: Any)] { reversed().flatMap(\.endings) }
}
