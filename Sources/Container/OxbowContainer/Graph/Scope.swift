internal import Synchronization

/// How long an object lives and who may see it.
///
/// A scope is one file: a value that names itself, states how its objects are shared, and makes the
/// provider that keeps them. Everything else (validation, linking, dialects) asks for nothing more.
protocol Scope: Sendable {
  /// The name that files use.
  var name: String { get }
  var sharing: Sharing { get }
  /// Whether everything that is made for one request shares one object.
  var isSharedWithinRequest: Bool { get }
  /// Whether the scope keeps objects of classes only, and no values.
  var needsClass: Bool { get }
  /// What the scope means: "a new object for each request".
  var meaning: String { get }
  func makeProvider<T>(of type: T.Type, _ setup: ProviderSetup) throws -> ScopedProvider<T>
}

extension Scope {
  var isSharedWithinRequest: Bool { false }
  var needsClass: Bool { false }

  var meaning: String {
    switch sharing {
    case .shared: "one object for the whole container"
    case .fresh: "a new object for each request and each place where it is injected"
    case .confined: "one object for each \(name), which it never leaves"
    }
  }
}

/// Who may see an object of a scope.
public enum Sharing: Sendable {
  /// One object for everybody, so it must be `Sendable`.
  case shared
  /// A new object for each request.
  case fresh
  /// One object for a thread or task, which must not leave it.
  case confined
}

/// What a scope's provider is made of: the facts that it needs of its definition and container.
struct ProviderSetup {
  let name: String
  let group: CycleGroup
  /// Whether the object reaches others that are shared within a request.
  let sharesRequest: Bool
  let services: ContainerServices
}

/// A provider whose objects live by a scope's rules; what the providers of all scopes share.
class ScopedProvider<T>: ObjectProvider<T>, @unchecked Sendable {
  // Sendable by argument: nothing changes but `pointer`, which is atomic.

  let name: String
  let group: CycleGroup
  let sharesRequest: Bool
  /// The construction, until the container is closed.
  ///
  /// The engine holds it, to its own end, and a caller that asks for an object holds the engine: so
  /// it is not retained for each object, which threads would wait for (`docs/performance.md`,
  /// K/threads).
  /// An untyped pointer, because a generic type would be looked up at each look.
  private let pointer = Atomic<UnsafeMutableRawPointer?>(nil)
  /// What disposes of objects that will not be asked for.
  let disposals: Disposals
  private let container: WeakContainerReference?

  init(_ setup: ProviderSetup) {
    name = setup.name
    group = setup.group
    sharesRequest = setup.sharesRequest
    disposals = setup.services.disposals
    container = setup.services.container
  }

  /// Links the provider to a construction, which the linker has to hold.
  final func link(_ construction: Construction<T>) {
    pointer.store(Unmanaged.passUnretained(construction).toOpaque(), ordering: .releasing)
  }

  override func seal() { group.seal() }

  override func close() {
    group.close()
    pointer.store(nil, ordering: .relaxed)
  }

  override func takeApart() { group.takeApart() }

  /// How to make the object.
  ///
  /// - Throws: `containerReleased` when the container was closed.
  final func construction() throws -> Construction<T> {
    try unretainedConstruction().takeUnretainedValue()
  }

  /// How to make the object, not retained; see `pointer`.
  ///
  /// - Throws: `containerReleased` when the container was closed.
  final func unretainedConstruction() throws -> Unmanaged<Construction<T>> {
    if let pointer = pointer.load(ordering: .relaxed) { return Unmanaged.fromOpaque(pointer) }
    throw ContainerError(.containerReleased(name), getting: name)
  }

  /// A context for a request that has not been made yet; none where no object of it is shared, nor
  /// kept.
  final func ownContext(for belongings: Belongings? = nil) -> BuildContext? {
    sharesRequest || belongings != nil ? BuildContext(belongings: belongings) : nil
  }

  override func fresh(for belongings: Belongings?) throws -> T {
    try fresh(in: ownContext(for: belongings))
  }

  /// What ends an object of a thread or task, then what belongs to it; nil where nothing has to be
  /// done.
  final func disposal(
    of object: T, and belongings: [Belongings.Item], in others: LocalObjects?
  ) -> (@Sendable (T) -> Void)? {
    container?.disposal(of: object, and: belongings, named: name, in: others)
  }

  /// As a member of a group whose objects are kept when all are complete: constructs the object.
  func construct(in context: BuildContext) throws { _ = try early(in: context) }

  /// Likewise: disposes of the object if the group could not be finished.
  func discard(
    _ context: BuildContext, in objects: LocalObjects?, _ ended: inout Set<ObjectIdentifier>
  ) {
    if let object = context.object(of: self) { discard(object, in: objects, &ended) }
  }

  /// Disposes of an object whose build has failed; not of one that others only handed on.
  final func discard(_ object: T, in others: LocalObjects?, _ ended: inout Set<ObjectIdentifier>) {
    discard(object, named: name, in: others, &ended)
  }

  final func discard(
    _ object: Any, named name: String, in others: LocalObjects?,
    _ ended: inout Set<ObjectIdentifier>
  ) {
    // A value has no identity by which others could be distinguished.
    guard type(of: object) is AnyClass,
      let end = container?.disposal(of: object, named: name, in: others),
      ended.insert(ObjectIdentifier(object as AnyObject)).inserted
    else { return }
    end(object)
  }

  final func abandon(_ belongings: [Belongings.Item]) {
    for item in belongings.endings { disposals.abandon(item.object, named: item.name) }
  }

  /// The object in a build of its group, constructed on first demand; its injection is put off.
  final func early(in context: BuildContext) throws -> T {
    if let object = context.object(of: self) { return object }
    return try context.apart {
      let construction = try construction()
      let object = try construction.construct(context)
      try check(object)
      context.keep(object, of: self)
      context.inject(object, by: construction) { [self] in $1.keep($0, of: self) }
      return object
    }
  }

  /// Refuses an object that the scope cannot keep.
  func check(_ object: T) throws {}

  /// Makes a new object, whatever the scope, as a part of a build.
  final func fresh(in context: BuildContext?) throws -> T {
    try unretainedConstruction()._withUnsafeGuaranteedRef { try $0.fresh(context) }
  }
}

/// A provider that can set the properties of an object that somebody else has made.
protocol InjectingProvider {
  /// Sets the properties; the linker links what only such objects need.
  ///
  /// - Throws: What a setter throws; `typeMismatch`, `unknownProperty`, `containerReleased`.
  func inject(into object: Any, _ linker: any Linking) throws
}

extension ScopedProvider: InjectingProvider {
  final func inject(into object: Any, _ linker: any Linking) throws {
    guard let object = object as? T else {
      throw ContainerError(
        .typeMismatch(name, object: object, wanted: "\(T.self)"), task: "inject as \"\(name)\"")
    }
    let construction = try construction()
    try construction.inject(object, ownContext(), madeElsewhere: linker)
    _ = try construction.complete(object, in: nil, inCircle: true)
  }
}
