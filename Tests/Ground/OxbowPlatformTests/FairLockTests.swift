import OxbowPlatform
import Testing

@Suite struct FairLockTests {
  @Test func `no caller is lost and none overlaps`() async {
    let lock = FairLock()
    let inside = Lock((now: 0, most: 0, total: 0))
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask {
          for _ in 0..<500 {
            lock.withLock {
              inside.withLock { state in
                state.now += 1
                state.most = max(state.most, state.now)
              }
              inside.withLock { state in
                state.now -= 1
                state.total += 1
              }
            }
          }
        }
      }
    }
    #expect(inside.withLock { $0.most } == 1)
    #expect(inside.withLock { $0.total } == 4000)
  }

  @Test func `a monitor wakes who waits and gives up in time`() async {
    let monitor = Monitor(0)
    async let seen = Task.detached { monitor.wait(milliseconds: 5000) { $0 > 2 ? $0 : nil } }.value
    for _ in 0..<3 { monitor.update { $0 += 1 } }
    #expect(await seen == 3)
    #expect(monitor.wait(milliseconds: 1) { $0 > 3 ? $0 : nil } == nil)
  }
}
