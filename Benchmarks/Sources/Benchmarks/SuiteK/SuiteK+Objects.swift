import Foundation
import OxbowRuntime

extension SuiteK {
  /// Graphs and leaves of prototypes against the same by hand; their release is in both times.
  static func graphCases() throws -> [Case] {
    let yard = try Shipyard()
    let file = try Shipyard.fromFile()
    let ship = { (count: Int) in for _ in 0..<count { escape(makeShip()) } }
    let kit = { (count: Int) in for _ in 0..<count { escape(makeKit()) } }
    return [
      Case("graph-code", against: "by hand", target: "≤ 4.5") { count in
        for _ in 0..<count { escape(try yard.container.object(yard.ship)) }
      } theirs: {
        ship($0)
      },
      Case("graph-code-setters", against: "by hand", target: "≤ 4.5") { count in
        for _ in 0..<count { escape(try yard.container.object(yard.kit)) }
      } theirs: {
        kit($0)
      },
      Case("graph-file", against: "by hand", target: "≤ 8") { count in
        for _ in 0..<count { escape(try file.object("ship", as: Ship.self)) }
      } theirs: {
        ship($0)
      },
      Case("graph-file-setters", against: "by hand", target: "≤ 8") { count in
        for _ in 0..<count { escape(try file.object("kit", as: Kit.self)) }
      } theirs: {
        kit($0)
      },
      Case("leaf", against: "by hand", target: "≤ 5") { count in
        for _ in 0..<count { escape(try yard.container.object(yard.hull)) }
      } theirs: { count in
        for _ in 0..<count { escape(makeHull()) }
      },
    ]
  }

  /// Singletons that are built, against a dictionary under a lock with as many entries.
  static func hitCases() throws -> [Case] {
    let builder = ContainerBuilder()
    let clock = builder.singleton(named: "system clock", SystemClock.init)
    let table = LockedTable()
    for number in 1..<100 {
      builder.singleton(named: "another clock \(number)", SystemClock.init)
      table.add("another clock \(number)", SystemClock())
    }
    table.add("system clock", SystemClock())
    let container = try builder.build()
    let lookUp = { (count: Int) in
      for _ in 0..<count {
        guard let clock = table.object("system clock") else {
          throw BenchmarkFailure(description: "the table has no clock")
        }
        escape(clock)
      }
    }
    return [
      Case("singleton-handle", against: "dictionary", target: "≤ 0.7") { count in
        for _ in 0..<count { escape(try container.object(clock)) }
      } theirs: {
        try lookUp($0)
      },
      Case("singleton-name", against: "dictionary", target: "≤ 2") { count in
        for _ in 0..<count { escape(try container.object("system clock", as: SystemClock.self)) }
      } theirs: {
        try lookUp($0)
      },
    ]
  }
}

private final class SystemClock: Sendable {
  let zone = 0
}

/// What a program has that keeps its services itself: a dictionary under a mutex.
///
/// Sendable by argument: `objects` is touched only between lock and unlock.
private final class LockedTable: @unchecked Sendable {
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private var objects: [String: AnyObject] = [:]

  init() {
    mutex = .allocate(capacity: 1)
    pthread_mutex_init(mutex, nil)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  func add(_ name: String, _ object: AnyObject) {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    objects[name] = object
  }

  @inline(never) func object(_ name: String) -> AnyObject? {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return objects[name]
  }
}
