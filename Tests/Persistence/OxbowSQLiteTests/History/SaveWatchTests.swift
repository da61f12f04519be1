import Foundation
import OxbowModel
import OxbowPlatform
import OxbowStore
import OxbowStoreContract
import OxbowTestSupport
import Testing

@testable import OxbowSQLite

/// Who is called when a store has new saves.
@Suite struct SaveWatchTests {
  /// Waits for a signal, ten seconds at most.
  private func wait(_ signal: DispatchSemaphore) -> Bool {
    signal.wait(timeout: .now() + 10) == .success
  }

  @Test func `PS-11 one who begins to wait while the first one looks hears of what was saved then`()
    throws
  {
    let scratch = try Scratch()
    let options = SQLiteStoreOptions(history: .keys)
    let library = try Library(.file, options: options, in: scratch)
    let writer = try Library(.file, options: options, in: scratch)
    defer {
      library.store.close()
      writer.store.close()
    }
    // No write is reported before the first look is over.
    let other = try scratch.write("", to: "other")
    let (isHeld, mayGo) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let isFirst = Lock(true)
    let holder = FileWatch(other) {
      guard
        isFirst.withLock({ isFirst in
          defer { isFirst = false }
          return isFirst
        })
      else { return .nothing }
      isHeld.signal()
      mayGo.wait()
      return .nothing
    }
    defer { withExtendedLifetime(holder) {} }
    _ = try scratch.write("x", to: "other")
    #expect(wait(isHeld))
    // The first one waits for the connection that looks.
    let (isLooking, mayLook) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    Thread {
      _ = try? library.store.database.looking { _ in
        isLooking.signal()
        mayLook.wait()
      }
    }.start()
    #expect(wait(isLooking))
    let began = (0..<2).map { _ in DispatchSemaphore(value: 0) }
    let heard = DispatchSemaphore(value: 0)
    let watches = Lock<[any Sendable & AnyObject]>([])
    for number in 0..<2 {
      Thread {
        let watch = library.store.watch { _ in
          if number == 1 { heard.signal() }
          return false
        }
        watches.withLock { $0.append(watch) }
        began[number].signal()
      }.start()
      Thread.sleep(forTimeInterval: 0.2)
    }
    #expect(wait(began[1]))
    try writer.save { changes in changes.inserts = [try writer.insert("Tag", 1)] }
    mayLook.signal()
    #expect(wait(began[0]))
    mayGo.signal()
    #expect(wait(heard))
  }
}
