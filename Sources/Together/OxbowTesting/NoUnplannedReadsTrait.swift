internal import OxbowPlatform
internal import OxbowRuntime
public import Testing

/// Fails a test when a getter has to read the store.
///
/// What a test needs is fetched, prefetched or loaded; a relationship that reads itself when it is
/// touched is an issue at the line that touched it:
///
/// ```swift
/// @Test(
///   .objectContext { try PersistentContainer(.temporary, types: [Book.self]) }, .noUnplannedReads)
/// func `a report reads nothing on the way`() throws { … }
/// ```
///
/// It concerns what the test's task and its child tasks read, through whatever context; other
/// threads are left alone. The getter reads all the same, so one run shows all such lines.
public struct NoUnplannedReadsTrait: TestTrait, SuiteTrait, TestScoping {
  /// Whether it concerns every test of a suite, each for itself.
  public var isRecursive: Bool { true }

  private static func advice(_ read: UnplannedReads.Read) -> String {
    let place = read.site.map { " in \($0.function)" } ?? ""
    return place + "; fetch with 'prefetching', or call 'load' before"
  }

  /// Runs a test and records an issue for each unplanned read.
  public func provideScope(
    for test: Test, testCase: Test.Case?,
    performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    guard testCase != nil else { return try await function() }
    let reads = UnplannedReads()
    defer {
      for read in reads.all {
        test.report("\(read.text)\(Self.advice(read))", at: read.site)
      }
    }
    try await UnplannedReads.$current.withValue(reads) { try await function() }
  }
}

extension Trait where Self == NoUnplannedReadsTrait {
  /// Fails the test when a getter has to read the store.
  public static var noUnplannedReads: NoUnplannedReadsTrait { NoUnplannedReadsTrait() }
}
