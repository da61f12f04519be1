internal import Synchronization

/// Something linked that answers requests for an object, its type forgotten.
///
/// Sendable by argument: providers change only while a container is linked, before anybody else sees
/// them, and when its life ends, after everybody has gone; in between each keeps its own guard (see
/// the scopes).
package class AnyObjectProvider: @unchecked Sendable {
  package init() {}

  /// Whether a request returns at once an object that stands already.
  package var isBuilt: Bool { false }

  /// The object by the rules of its scope, as `Any`.
  package func makeAny(_ session: Session?) throws -> Any { preconditionFailure("abstract") }

  /// A new object whatever the scope, as `Any`.
  package func freshAny() throws -> Any { preconditionFailure("abstract") }

  /// The object, if one is kept for everybody.
  package var existing: Any? { nil }

  /// Sets the properties of an object that somebody else has made.
  ///
  /// - Parameters:
  ///   - object: The object.
  ///   - linker: Links what only such objects need.
  /// - Throws: What a setter throws; `typeMismatch`, `unknownProperty`, `containerReleased`.
  package func inject(into object: Any, _ linker: Linker) throws {
    preconditionFailure("abstract")
  }

  /// A provider of the same objects, seen as `V`.
  package func cast<V>(to type: V.Type, named name: String) -> ObjectProvider<V> {
    preconditionFailure("abstract")
  }

  /// Builds no more objects that are shared; those that stand can still be asked for.
  package func seal() {}

  /// Answers no more requests.
  ///
  /// Other threads may be asking, so nothing is taken away that one may hold in its hands.
  package func close() {}

  /// Lets go of objects and of every other provider, so that circles of providers end with their container.
  ///
  /// - Precondition: Nobody can ask for an object any more.
  package func unlink() {}
}

/// Something linked that answers requests for a `T`.
///
/// Providers hold each other typed, so that building a graph casts nothing where the types agree.
package class ObjectProvider<T>: AnyObjectProvider, @unchecked Sendable {
  // Sendable by the argument of `AnyObjectProvider`; nothing is kept here.

  /// Returns the object by the rules of its scope.
  ///
  /// - Parameter session: The component build that this request is a part of, if any.
  /// - Returns: The object.
  /// - Throws: What a constructor or setter throws; `constructionDeadlock`, `containerReleased`.
  package func make(_ session: Session?) throws -> T { preconditionFailure("abstract") }

  /// Returns a new object, constructed and injected, whatever the scope.
  package func fresh() throws -> T { preconditionFailure("abstract") }

  package final override func makeAny(_ session: Session?) throws -> Any { try make(session) }
  package final override func freshAny() throws -> Any { try fresh() }

  package final override func cast<V>(to type: V.Type, named name: String) -> ObjectProvider<V> {
    ConvertingProvider<T, V>(self, named: name)
  }
}

/// Answers with an error.
package final class FailingProvider<T>: ObjectProvider<T>, @unchecked Sendable {
  // Sendable by argument: the error never changes.
  private let error: ContainerError

  package init(_ error: ContainerError) { self.error = error }

  package override func make(_ session: Session?) throws -> T { throw error }
  package override func fresh() throws -> T { throw error }
}

/// Answers with a constant.
package final class ConstantProvider<T>: ObjectProvider<T>, @unchecked Sendable {
  // Sendable by argument: made from a value whose type was Sendable where it was spelled.
  private let value: T

  package init(_ value: T) { self.value = value }

  package override func make(_ session: Session?) throws -> T { value }
  package override func fresh() throws -> T { value }
}

/// A provider whose objects live by a scope's rules; what the providers of all scopes share.
package class ScopedProvider<T>: ObjectProvider<T>, @unchecked Sendable {
  // Sendable by argument: nothing changes but `construction`, which is atomic.

  package let name: String
  package let group: CycleGroup
  /// Whether the object reaches others that are shared within a request.
  package let sharesRequest: Bool
  /// How to make the object, until the container is closed.
  ///
  /// The engine holds it, to its own end, and whoever asks for an object holds the engine: so it is not
  /// retained for each object, which threads would wait for. Guarded by suite K, threads.
  /// An untyped pointer, because a generic type would be looked up at each look.
  private let construction = Atomic<UnsafeMutableRawPointer?>(nil)
  /// What disposes of objects that nobody will ask for.
  package let disposals: Disposals

  package init(name: String, group: CycleGroup, linker: Linker) {
    self.name = name
    self.group = group
    self.sharesRequest = linker.requestSharers.contains(name)
    self.disposals = linker.services.disposals
  }

  /// Links the provider to a construction, which the linker has to hold.
  package final func link(_ construction: Construction<T>) {
    self.construction.store(
      Unmanaged.passUnretained(construction).toOpaque(), ordering: .releasing)
  }

  package override func seal() { group.seal() }

  package override func close() {
    group.close()
    construction.store(nil, ordering: .relaxed)
  }

  package override func unlink() { group.unlink() }

  /// How to make the object.
  ///
  /// - Throws: `containerReleased` when the container was closed.
  package final func linked() throws -> Construction<T> { try held().takeUnretainedValue() }

  /// How to make the object, not retained; see `construction`.
  ///
  /// - Throws: `containerReleased` when the container was closed.
  package final func held() throws -> Unmanaged<Construction<T>> {
    if let construction = construction.load(ordering: .relaxed) {
      return Unmanaged.fromOpaque(construction)
    }
    throw ContainerError(.containerReleased(name), task: "get object \"\(name)\"")
  }

  package override func fresh() throws -> T {
    let session = sharesRequest ? Session(group: nil) : nil
    return try held()._withUnsafeGuaranteedRef { try $0.fresh(session) }
  }

  package final override func inject(into object: Any, _ linker: Linker) throws {
    guard let object = object as? T else {
      throw ContainerError(
        .typeMismatch(name, object: object, wanted: "\(T.self)"), task: "inject as \"\(name)\"")
    }
    let construction = try linked()
    let session = sharesRequest ? Session(group: nil) : nil
    try construction.inject(object, session, madeElsewhere: linker)
    _ = try construction.complete(object, inCircle: true)
  }
}
