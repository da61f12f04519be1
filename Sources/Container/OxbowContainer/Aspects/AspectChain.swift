/// The aspects of one method of one object, the outermost first.
public final class AspectChain: Sendable {
  private let steps: [any AspectStep]
  private let quietSteps: [any QuietStep]
  private let concurrent: [any AsyncAspect]
  /// The name of the object in its container.
  private let objectName: String

  /// Creates the chain of a method.
  init(_ aspects: [any Advice], of objectName: String) {
    self.objectName = objectName
    steps = aspects.compactMap { $0 as? any Aspect }.map { Self.step($0) }
    quietSteps = aspects.compactMap { $0 as? any NonThrowingAspect }.map { Self.quietStep($0) }
    concurrent = aspects.compactMap { $0 as? any AsyncAspect }
  }

  private static func step(_ aspect: some Aspect) -> any AspectStep { StepOf(aspect) }

  private static func quietStep(_ aspect: some NonThrowingAspect) -> any QuietStep {
    QuietStepOf(aspect)
  }

  @usableFromInline func run(_ call: Invocation, _ target: () throws -> Void) throws {
    call.objectName = objectName
    if steps.count == 1 { return try steps[0].around(call, proceed: target) }
    try run(call, from: 0, target)
  }

  private func run(_ call: Invocation, from index: Int, _ target: () throws -> Void) throws {
    guard index < steps.count else { return try target() }
    try steps[index].around(call) { try run(call, from: index + 1, target) }
  }

  @usableFromInline func runQuietly(_ call: Invocation, _ target: () -> Void) {
    call.objectName = objectName
    if quietSteps.count == 1 { return quietSteps[0].around(call, proceed: target) }
    runQuietly(call, from: 0, target)
  }

  private func runQuietly(_ call: Invocation, from index: Int, _ target: () -> Void) {
    guard index < quietSteps.count else { return target() }
    quietSteps[index].around(call) { runQuietly(call, from: index + 1, target) }
  }

  nonisolated(nonsending) func runAsync(
    _ call: Invocation, _ target: nonisolated(nonsending) () async throws -> Void
  ) async throws {
    call.objectName = objectName
    try await runAsync(call, from: 0, target)
  }

  nonisolated(nonsending) private func runAsync(
    _ call: Invocation, from index: Int,
    _ target: nonisolated(nonsending) () async throws -> Void
  ) async throws {
    guard index < concurrent.count else { return try await target() }
    try await concurrent[index].around(call) {
      try await runAsync(call, from: index + 1, target)
    }
  }
}

/// An aspect in a chain: a reference, because each use of an `any Aspect` would copy it
/// (`docs/performance.md`, K/aspects-empty).
private protocol AspectStep: AnyObject, Sendable {
  func around(_ call: Invocation, proceed: () throws -> Void) throws
}

private final class StepOf<A: Aspect>: AspectStep {
  private let aspect: A

  init(_ aspect: A) { self.aspect = aspect }

  func around(_ call: Invocation, proceed: () throws -> Void) throws {
    try aspect.around(call, proceed: proceed)
  }
}

/// The same of an aspect that adds no errors.
private protocol QuietStep: AnyObject, Sendable {
  func around(_ call: Invocation, proceed: () -> Void)
}

private final class QuietStepOf<A: NonThrowingAspect>: QuietStep {
  private let aspect: A

  init(_ aspect: A) { self.aspect = aspect }

  func around(_ call: Invocation, proceed: () -> Void) { aspect.around(call, proceed: proceed) }
}

/// The chains of an object's methods, by the keys that `@Proxied` has given them.
///
/// A hash table: keys are hashes, so each is looked for at its own place, and behind it where
/// others have come first. At least half of the places are empty.
public final class AspectTable: Sendable {
  private let places: [(key: Int, chain: AspectChain?)]
  /// The name of the object in its container.
  let objectName: String
  /// What has made it: one for each definition.
  let origin: any AnyObject & Sendable

  init(
    _ chains: [Int: AspectChain], of objectName: String, origin: any AnyObject & Sendable
  ) {
    var count = 2
    while count < 2 * chains.count { count *= 2 }
    var places = [(key: Int, chain: AspectChain?)](repeating: (0, nil), count: count)
    for (key, chain) in chains { places[Self.place(of: key, in: places)] = (key, chain) }
    self.places = places
    self.objectName = objectName
    self.origin = origin
  }

  /// The place that a key has, or would have.
  @inline(__always)
  private static func place(of key: Int, in places: [(key: Int, chain: AspectChain?)]) -> Int {
    var place = key & (places.count - 1)
    while places[place].chain != nil, places[place].key != key {
      place = (place + 1) & (places.count - 1)
    }
    return place
  }

  /// The aspects of a method, if it has any.
  public subscript(key: Int) -> AspectChain? { places[Self.place(of: key, in: places)].chain }
}
