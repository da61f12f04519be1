import OxbowPlatform
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

@Suite(.timeLimit(.minutes(30))) struct FileWatchTests {
  /// A file that is there for one test.
  private final class Scratch {
    let path = FileManager.default.temporaryDirectory.path + "/oxbow-watch-\(UUID().uuidString)"

    init() throws { try append() }

    func append() throws {
      let file = FileManager.default.contents(atPath: path) ?? Data()
      try (file + [1]).write(to: URL(filePath: path))
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
  }

  /// The calls of a watch.
  private final class Looks: Sendable {
    private let monitor = Monitor((count: 0, threads: Set<UInt>()))

    var count: Int { monitor.update { $0.count } }
    var threads: Set<UInt> { monitor.update { $0.threads } }

    func add() {
      monitor.update { looks in
        looks.count += 1
        looks.threads.insert(currentThreadNumber())
      }
    }

    /// Waits for a call.
    func wait(for count: Int) {
      _ = monitor.wait { $0.count >= count ? true : nil }
    }
  }

  @Test func `a write is noticed by all who watch the file, on one thread`() throws {
    let file = try Scratch()
    let (first, second) = (Looks(), Looks())
    let watches = [first, second].map { looks in
      FileWatch(file.path) {
        looks.add()
        return .found
      }
    }
    #if os(Linux)
      #expect(watches.map(\.isReported) == [true, true])
    #endif
    try file.append()
    first.wait(for: 1)
    second.wait(for: 1)
    #expect(first.threads.union(second.threads).count == 1)
    withExtendedLifetime(watches) {}
  }

  @Test func `a file that cannot be watched is looked at from time to time`() {
    let looks = Looks()
    let watch = FileWatch("/nowhere/file") {
      looks.add()
      return .found
    }
    #expect(!watch.isReported)
    looks.wait(for: 2)
  }

  @Test func `a look that is not done is made again`() throws {
    let file = try Scratch()
    let looks = Looks()
    let watch = FileWatch(file.path) {
      looks.add()
      return looks.count < 4 ? .again : .found
    }
    try file.append()
    looks.wait(for: 4)
    #expect(looks.count >= 4)
    withExtendedLifetime(watch) {}
  }

  @Test func `after a look that finds nothing, the next write is looked at`() throws {
    let file = try Scratch()
    let looks = Looks()
    let watch = FileWatch(file.path) {
      looks.add()
      return .nothing
    }
    for _ in 0..<3 {
      let seen = looks.count
      try file.append()
      looks.wait(for: seen + 1)
      #expect(looks.count > seen)
    }
    withExtendedLifetime(watch) {}
  }

  @Test func `a watch that is gone calls no longer, and others go on`() throws {
    let file = try Scratch()
    let (gone, other) = (Looks(), Looks())
    var watches = [gone, other].map { looks in
      FileWatch(file.path) {
        looks.add()
        return .found
      }
    }
    try file.append()
    gone.wait(for: 1)
    watches.removeFirst()
    let (before, seen) = (gone.count, other.count)
    try file.append()
    other.wait(for: seen + 1)
    #expect(gone.count <= before + 1)
    withExtendedLifetime(watches) {}
  }

  @Test func `a lock that is taken is not waited for`() {
    let lock = FairLock()
    let inside = lock.withLock { lock.withLockIfFree { 1 } }
    let other = lock.withLockIfFree { 2 }
    #expect(inside == nil && other == 2)
  }
}
