import Foundation
import Oxbow

// A protocol for each kind of source, each with one implementation in the sources: that is where
// the optimizer takes an `any P` for its only implementation.

@Proxied protocol Plain { func count() throws -> Int }
extension PlainProxy: PlainForwarding {}
final class OnlyPlain: Plain, Sendable {
  let words = ["a", "b"]
  func count() throws -> Int { words.count }
}

@Proxied protocol Delayed { func words() throws -> [String] }
extension DelayedProxy: DelayedForwarding {}
final class OnlyDelayed: Delayed, Sendable {
  let kept: [String]
  init(_ kept: [String]) { self.kept = kept }
  func words() throws -> [String] { kept }
}

@Proxied protocol Threaded { func mark(_ word: String) throws -> [String] }
extension ThreadedProxy: ThreadedForwarding {}
final class OnlyThreaded: Threaded {
  var marks: [String] = []
  func mark(_ word: String) throws -> [String] {
    marks.append(word)
    return marks
  }
}

@Proxied protocol Tasked { var number: Int { get throws } }
extension TaskedProxy: TaskedForwarding {}
final class OnlyTasked: Tasked {
  let drawn = [7, 8, 9]
  var number: Int { drawn[1] }
}

@Proxied protocol Recorded { func deliver(_ parcel: String, to address: String) throws -> Int }
extension RecordedProxy: RecordedForwarding {}
struct OnlyRecorded: Recorded {
  var minutes = 45
  func deliver(_ parcel: String, to address: String) throws -> Int { minutes + parcel.count }
}

@Proxied protocol Waiting: Sendable { func wait(_ turns: Int) async throws -> String }
extension WaitingProxy: WaitingForwarding {}
final class OnlyWaiting: Waiting {
  let signs = ["-", "+"]
  func wait(_ turns: Int) async throws -> String {
    await Task.yield()
    return String(repeating: signs[1], count: turns)
  }
}

@Proxied protocol Tuned: AnyObject {
  var pitch: Int { get set }
  subscript(_: Int) -> String { get throws }
}
extension TunedProxy: TunedForwarding {}
final class OnlyTuned: Tuned {
  let names = ["c", "d", "e"]
  var pitch = 1
  subscript(index: Int) -> String { names[index] }
}

// What callers see is the protocol, so every call below could be taken for one of the
// implementation.

func show(_ plain: any Plain) throws { print("fixed", try plain.count()) }
func show(_ delayed: any Delayed & Sendable) throws { print("lazy", try delayed.words()) }
func show(_ threaded: any Threaded, _ word: String) throws -> [String] { try threaded.mark(word) }
func show(_ tasked: some Tasked) throws { print("task-local", try tasked.number) }
func show(_ recorded: any Recorded) throws {
  print("recording", try recorded.deliver("lamp", to: "Ada"))
}
func show(_ waiting: any Waiting) async throws { print("async", try await waiting.wait(3)) }
func show(_ tuned: any Tuned) throws {
  tuned.pitch += 4
  print("settable", tuned.pitch, try tuned[2])
}

func kindsOfProxies() async throws {
  try show(PlainProxy.fixed(OnlyPlain()))
  try show(PlainProxy.lazy { OnlyPlain() })
  let recorder = CallRecorder()
  try show(RecordedProxy.recording(into: recorder) { OnlyRecorded() })
  print("recording", recorder.calls.map(\.description))
  try await show(WaitingProxy.lazy { OnlyWaiting() })
  try show(TunedProxy(source: FixedSource.unchecked(OnlyTuned())))
  try await proxiesOfAContainer()
}

func proxiesOfAContainer() async throws {
  let builder = ContainerBuilder()
  let delayed = builder.singleton(named: "delayed", { OnlyDelayed(["x", "y"]) })
  builder.proxy(named: "proxy", .lazy, of: delayed, as: DelayedProxy.self)
  builder.singleton(named: "lazy", lazy: DelayedProxy.self, { OnlyDelayed(["z"]) })
  let threaded = builder.prototype(named: "own", { OnlyThreaded() })
  let marks = builder.proxy(named: "marks", .threadLocal, of: threaded, as: ThreadedProxy.self)
  let tasked = builder.prototype(named: "tasked", in: .task, { OnlyTasked() })
  let number = builder.proxy(named: "number", .taskLocal, of: tasked, as: TaskedProxy.self)
  let container = try builder.build()
  try show(try container.object("proxy", as: DelayedProxy.self))
  try show(try container.object("lazy", as: DelayedProxy.self))
  let shared = try container.object(marks)
  _ = try show(shared, "main")
  print(
    "thread-local", try show(shared, "again"), try onAnotherThread { try show(shared, "other") })
  let drawn = try container.object(number)
  try await container.withTaskScope { try show(drawn) }
  try container.shutDown()
}

func onAnotherThread<R: Sendable>(_ work: @escaping @Sendable () throws -> R) throws -> R {
  let done = DispatchSemaphore(value: 0)
  nonisolated(unsafe) var result: Result<R, any Error>?  // by the semaphore
  Thread {
    result = Result { try work() }
    done.signal()
  }.start()
  done.wait()
  guard let result else { throw CancellationError() }
  return try result.get()
}
