/// The aspects of one method of one object, the outermost first.
public final class AspectChain: Sendable {
  private let aspects: [any Aspect]
  private let quiet: [any NonThrowingAspect]
  private let concurrent: [any AsyncAspect]
  /// The name of the object in its container.
  let objectName: String

  /// Creates the chain of a method.
  init(_ aspects: [any Advice], of objectName: String) {
    self.objectName = objectName
    self.aspects = aspects.compactMap { $0 as? any Aspect }
    quiet = aspects.compactMap { $0 as? any NonThrowingAspect }
    concurrent = aspects.compactMap { $0 as? any AsyncAspect }
  }

  func run(_ call: Invocation, _ target: () throws -> Void) throws {
    try run(call, from: 0, target)
  }

  private func run(_ call: Invocation, from index: Int, _ target: () throws -> Void) throws {
    guard index < aspects.count else { return try target() }
    try aspects[index].around(call) { try run(call, from: index + 1, target) }
  }

  func runQuietly(_ call: Invocation, _ target: () -> Void) {
    runQuietly(call, from: 0, target)
  }

  private func runQuietly(_ call: Invocation, from index: Int, _ target: () -> Void) {
    guard index < quiet.count else { return target() }
    quiet[index].around(call) { runQuietly(call, from: index + 1, target) }
  }

  nonisolated(nonsending) func runAsync(
    _ call: Invocation, _ target: nonisolated(nonsending) () async throws -> Void
  ) async throws {
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

/// The chains of an object's methods, by the keys that `@Proxied` has given them.
public final class AspectTable: Sendable {
  private let chains: [Int: AspectChain]
  /// A bit for each key that may be there: most calls look no further.
  private let mask: UInt64
  /// The name of the object in its container.
  let objectName: String
  /// What has made it: one for each definition.
  let origin: any AnyObject & Sendable

  init(
    _ chains: [Int: AspectChain], of objectName: String, origin: any AnyObject & Sendable
  ) {
    self.chains = chains
    self.objectName = objectName
    self.origin = origin
    mask = chains.keys.reduce(0) { $0 | Self.bit($1) }
  }

  private static func bit(_ key: Int) -> UInt64 { 1 << UInt64(truncatingIfNeeded: key & 63) }

  /// The aspects of a method, if it has any.
  public subscript(key: Int) -> AspectChain? {
    mask & Self.bit(key) == 0 ? nil : chains[key]
  }
}
