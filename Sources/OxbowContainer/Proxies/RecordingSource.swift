internal import OxbowPlatform

/// The source of a recording proxy: calls are noted, then forwarded to a target.
///
/// ```swift
/// let recorder = CallRecorder()
/// let greeter = GreeterProxy.recording(into: recorder) { StubGreeter() }
/// _ = try greeter.greet("Ada")
/// #expect(recorder.calls.map(\.description) == ["greet(Ada)"])
/// ```
///
/// The target comes from any other source, so that lazy, thread-local and task-local objects can be
/// watched; a call that never reaches its target because the source throws is noted too.
public struct RecordingSource<Target>: ProxySource {
  private let recorder: CallRecorder
  private let source: any ProxySource<Target>

  /// Creates a source that forwards to the target of another one.
  public init(into recorder: CallRecorder, from source: any ProxySource<Target>) {
    self.recorder = recorder
    self.source = source
  }

  /// Creates a source that forwards to one target, built by the first call.
  public init(into recorder: CallRecorder, _ target: @escaping @Sendable () throws -> Target)
  where Target: Sendable {
    self.init(into: recorder, from: LazySource("recorded object", target))
  }

  /// Returns a source that forwards to one target that the compiler does not know to be `Sendable`.
  ///
  /// It must be, or one thread makes all calls.
  public static func unchecked(
    into recorder: CallRecorder, _ target: @escaping @Sendable () throws -> Target
  ) -> RecordingSource {
    RecordingSource(into: recorder, from: LazySource.unchecked("recorded object", target))
  }

  /// The recorder, and whatever observes the source that is recorded.
  public var callObserver: (any CallObserver)? {
    guard let other = source.callObserver else { return recorder }
    return BothObservers(recorder, other)
  }

  /// Whether the source that is recorded has its target; asking notes nothing and builds nothing.
  public var isMaterialized: Bool { source.isMaterialized }

  /// The target of the source that is recorded.
  public func target() throws -> Target { try source.target() }
}

/// The calls that went through recording proxies, in the order in which they were made.
///
/// One recorder may serve several proxies; calls of several threads are in the order in which they
/// reached it.
public final class CallRecorder: CallObserver {
  private let noted = Lock<[ForwardedCall]>([])

  /// Creates a recorder that has noted nothing.
  public init() {}

  /// Every call so far.
  public var calls: [ForwardedCall] { noted.withLock { $0 } }

  /// The calls of one requirement, named with its labels: `greet(_:)`.
  public func calls(of name: String) -> [ForwardedCall] { calls.filter { $0.name == name } }

  /// Forgets every call.
  public func removeAll() { noted.withLock { $0.removeAll() } }

  /// Notes a call.
  public func willCall(_ call: ForwardedCall) { noted.withLock { $0.append(call) } }
}

private final class BothObservers: CallObserver {
  private let first: any CallObserver
  private let second: any CallObserver

  init(_ first: any CallObserver, _ second: any CallObserver) {
    self.first = first
    self.second = second
  }

  func willCall(_ call: ForwardedCall) {
    first.willCall(call)
    second.willCall(call)
  }
}
