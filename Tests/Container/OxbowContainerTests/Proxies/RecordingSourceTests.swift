import OxbowContainer
import Testing

// `@Proxied` writes the same; see the tests of the umbrella for real ones.

private protocol Counter: AnyObject {
  var total: Int { get throws }
  var step: Int { get set }
  func add(_ amount: Int, times: Int) throws -> Int
  subscript(index: Int) -> String { get throws }
}

private protocol CounterForwarding: CallForwarding {
  func _targetCounter() throws -> any Counter
  var _borrowedCounter: BorrowedTarget<any Counter>? { get }
}

private final class CounterProxy: CounterForwarding, Counter, ForwardingProxy {
  let _source: any ProxySource<any Counter>
  let _callObserver: (any CallObserver)?
  let _targetAccess: TargetAccess<any Counter>?
  init(source: any ProxySource<any Counter>) {
    _source = source
    _callObserver = source.callObserver
    _targetAccess = _callObserver == nil ? source.targetAccess : nil
  }
  static func accepts(_ type: any Any.Type) -> Bool { type is any Counter.Type }
  func _targetCounter() throws -> any Counter { try _source.target() }
  var _borrowedCounter: BorrowedTarget<any Counter>? { _targetAccess?.borrowed }
}

extension Counter where Self: CounterForwarding {
  var total: Int {
    get throws {
      if let _borrowed = _borrowedCounter { return try _borrowed.call(for: self) { try $0.total } }
      _callObserver?.willCall(ForwardedCall("total", of: "Counter", .read))
      return try _targetCounter().total
    }
  }
  var step: Int {
    get {
      if let _borrowed = _borrowedCounter { return _borrowed.call(for: self) { $0.step } }
      _callObserver?.willCall(ForwardedCall("step", of: "Counter", .read))
      return _requiredTarget("Counter", _targetCounter).step
    }
    set {
      if let _borrowed = _borrowedCounter {
        return _borrowed.call(for: self) { $0.step = newValue }
      }
      _callObserver?.willCall(ForwardedCall("step", of: "Counter", .write, [.of(newValue)]))
      let target = _requiredTarget("Counter", _targetCounter)
      target.step = newValue
    }
  }
  func add(_ amount: Int, times: Int) throws -> Int {
    if let _borrowed = _borrowedCounter {
      return try _borrowed.call(for: self) { try $0.add(amount, times: times) }
    }
    _callObserver?.willCall(
      ForwardedCall("add(_:times:)", of: "Counter", .call, [.of(amount), .of(times)]))
    return try _targetCounter().add(amount, times: times)
  }
  subscript(index: Int) -> String {
    get throws {
      if let _borrowed = _borrowedCounter { return try _borrowed.call(for: self) { try $0[index] } }
      _callObserver?.willCall(ForwardedCall("subscript(_:)", of: "Counter", .read, [.of(index)]))
      return try _targetCounter()[index]
    }
  }
}

private final class PlainCounter: Counter {
  private(set) var total = 0
  var step = 1
  func add(_ amount: Int, times: Int) -> Int {
    total += amount * times * step
    return total
  }
  subscript(index: Int) -> String { "number \(index)" }
}

private struct Vanished: Error {}

private enum Bound {
  @TaskLocal static var counter: LazySource<any Counter>?
}

@Suite struct RecordingSourceTests {
  @Test func `calls are noted in order and reach the target`() throws {
    let recorder = CallRecorder()
    let counter: any Counter = CounterProxy(
      source: RecordingSource.unchecked(into: recorder) { PlainCounter() })
    counter.step = 2
    #expect(try counter.add(3, times: 4) == 24)
    #expect(try counter.total == 24)
    #expect(try counter[7] == "number 7")
    #expect(
      recorder.calls.map(\.description) == [
        "step = 2", "add(3, times: 4)", "total", "subscript[7]",
      ])
    #expect(recorder.calls.map(\.kind) == [.write, .call, .read, .read])
    #expect(recorder.calls.map(\.protocolName) == Array(repeating: "Counter", count: 4))
  }

  @Test func `a source that has target access and an observer is observed`() throws {
    struct Watched: ProxySource {
      let recorder: CallRecorder
      let source = FixedSource<any Counter>.unchecked(PlainCounter())
      func target() throws -> any Counter { try source.target() }
      var callObserver: (any CallObserver)? { recorder }
      var targetAccess: TargetAccess<any Counter>? { source.targetAccess }
    }
    let recorder = CallRecorder()
    let watched = CounterProxy(source: Watched(recorder: recorder))
    watched.step = 2
    #expect(try watched.add(1, times: 3) == 6)
    #expect(recorder.calls.map(\.description) == ["step = 2", "add(1, times: 3)"])
    let quick = CounterProxy(source: FixedSource.unchecked(PlainCounter()))
    quick.step = 2
    #expect(quick.step == 2)
    #expect(try quick.add(1, times: 3) == 6)
    #expect(try quick.total == 6)
    #expect(try quick[1] == "number 1")
  }

  @Test func `arguments are there as values where they are Sendable`() throws {
    let recorder = CallRecorder()
    let counter = CounterProxy(source: RecordingSource.unchecked(into: recorder) { PlainCounter() })
    _ = try counter.add(3, times: 4)
    let call = try #require(recorder.calls(of: "add(_:times:)").first)
    #expect(call.arguments.map { $0.value(as: Int.self) } == [3, 4])
    #expect(call.arguments[0].value(as: String.self) == nil)

    let shown = ForwardedArgument.of(PlainCounter())
    #expect(shown.value(as: PlainCounter.self) == nil)
    #expect(shown.value(as: (any Sendable).self) == nil)
    #expect(shown.description.contains("PlainCounter"))
    #expect(ForwardedArgument.unseen("function").description == "<function>")
  }

  @Test func `a call whose target cannot be built is noted, and tried again by the next`() throws {
    let recorder = CallRecorder()
    let counter = CounterProxy(
      source: RecordingSource.unchecked(into: recorder) { throw Vanished() })
    #expect(throws: Vanished.self) { try counter.total }
    #expect(throws: Vanished.self) { try counter.total }
    #expect(recorder.calls.map(\.name) == ["total", "total"])
  }

  @Test func `one recorder serves several proxies and threads`() async throws {
    let recorder = CallRecorder()
    let store = try ThreadLocalSource<any Counter> { PlainCounter() }
    let proxy = CounterProxy(source: RecordingSource(into: recorder, from: store))
    let other = CounterProxy(source: RecordingSource(into: recorder, from: store))
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<8 {
        group.addTask {
          for time in 0..<50 { _ = try (number % 2 == 0 ? proxy : other).add(number, times: time) }
        }
      }
      try await group.waitForAll()
    }
    #expect(recorder.calls.count == 400)
    for number in 0..<8 {
      let own = recorder.calls.filter { $0.arguments[0].value(as: Int.self) == number }
      #expect(own.compactMap { $0.arguments[1].value(as: Int.self) } == Array(0..<50))
    }
    recorder.removeAll()
    #expect(recorder.calls.isEmpty)
  }

  @Test func `a recorded source can be recorded again`() throws {
    let (inner, outer) = (CallRecorder(), CallRecorder())
    let source = RecordingSource<any Counter>.unchecked(into: inner) { PlainCounter() }
    _ = try CounterProxy(source: RecordingSource(into: outer, from: source)).total
    #expect(inner.calls.count == 1)
    #expect(outer.calls.count == 1)
  }
}

// MARK: - Asking without building

extension RecordingSourceTests {
  @Test func `OX-21 asking a lazy or recording proxy for its target builds nothing`() throws {
    let recorder = CallRecorder()
    let lazy = LazySource<any Counter>.unchecked { PlainCounter() }
    let plain = CounterProxy(source: lazy)
    let recording = CounterProxy(source: RecordingSource(into: recorder, from: lazy))
    #expect(!plain.isTargetMaterialized)
    #expect(!recording.isTargetMaterialized)
    #expect(recorder.calls.isEmpty)
    _ = try recording.total
    #expect(plain.isTargetMaterialized)
    #expect(recording.isTargetMaterialized)
  }

  @Test func `OX-22 asking a thread-local proxy for its target builds nothing`() throws {
    let tally = Tally()
    let source = try ThreadLocalSource<any Greeter> { ThreadGreeter(tally: tally) }
    let proxy = GreeterProxy(source: source)
    #expect(!proxy.isTargetMaterialized)
    #expect(tally.count == 0)
    try source.scope {
      _ = try proxy.name()
      #expect(proxy.isTargetMaterialized)
    }
    #expect(!proxy.isTargetMaterialized)
    #expect(tally.count == 1)
  }

  @Test func `a task-local proxy has its target where one is bound`() throws {
    let source = TaskLocalSource<any Counter>("counter") { try? Bound.counter?.target() }
    let proxy = CounterProxy(source: source)
    #expect(!proxy.isTargetMaterialized)
    let error = #expect(throws: ContainerError.self) { try proxy.total }
    #expect(error?.code == .unboundTask)
    try Bound.$counter.withValue(LazySource.unchecked { PlainCounter() }) {
      #expect(proxy.isTargetMaterialized)
      let sum = try proxy.add(1, times: 2)
      #expect(sum == 2)
    }
    #expect(!proxy.isTargetMaterialized)
  }
}
