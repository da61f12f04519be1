/// Waits for a state that is not reported.
///
/// A condition that never holds ends with the time limit of its suite, which cancels the test.
///
/// - Throws: `CancellationError`, and what `condition` throws.
public nonisolated(nonsending) func wait(
  until condition: nonisolated(nonsending) () async throws -> Bool
) async throws {
  while try await !condition() {
    try Task.checkCancellation()
    await Task.yield()
  }
}
