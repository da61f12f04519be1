internal import OxbowPlatform

/// An observer of the calls that go through a proxy, before each is forwarded.
///
/// A source names its observer when a proxy is made (``ProxySource/callObserver``). A proxy without
/// one pays at most a comparison with nil for each call: no arguments are collected. Observers are
/// classes, so that the comparison needs no copy.
public protocol CallObserver: AnyObject, Sendable {
  /// Called on the thread of the caller, before the target is asked for.
  func willCall(_ call: ForwardedCall)
}

/// What a forwarding protocol that `@Proxied` writes refines: the way from a requirement to the
/// observer.
///
/// Only the classes that `@Proxied` writes have an observer; a class that adopts a forwarding
/// protocol by hand has none unless it says so.
public protocol CallForwarding {
  /// The observer of the calls, if there is one.
  var _callObserver: (any CallObserver)? { get }

  /// The aspects of methods, if there are any.
  var _aspects: AspectTable? { get }

  /// The methods that a protocol has from one that no macro has seen: no aspect runs around them.
  static var _unseenMethods: [String] { get }
}

extension CallForwarding {
  /// None.
  public var _callObserver: (any CallObserver)? { nil }

  /// None.
  public var _aspects: AspectTable? { nil }

  /// None.
  public static var _unseenMethods: [String] { [] }
}

/// One call of a requirement through a proxy.
public struct ForwardedCall: Sendable, CustomStringConvertible {
  /// What is done with a requirement.
  public enum Kind: Sendable, Hashable {
    /// A method is called.
    case call
    /// A property or subscript is read.
    case read
    /// A property or subscript is set; the last argument is the new value.
    case write
  }

  /// The name of the protocol that declares the requirement.
  public let protocolName: String
  /// The requirement with its labels: `lend(to:days:)`, `price`, `subscript(_:)`.
  public let name: String
  /// What is done with it.
  public let kind: Kind
  /// The arguments, in order.
  public let arguments: [ForwardedArgument]

  /// Describes a call.
  public init(
    _ name: String, of protocolName: String, _ kind: Kind = .call,
    _ arguments: [ForwardedArgument] = []
  ) {
    self.name = name
    self.protocolName = protocolName
    self.kind = kind
    self.arguments = arguments
  }

  /// The call as source would spell it: `lend(to: Ada, days: 14)`, `price`, `price = 12`.
  public var description: String {
    let base = name.prefix { $0 != "(" }
    var values = arguments.map(\.description)
    let written = kind == .write ? values.popLast().map { " = \($0)" } ?? "" : ""
    guard base.count < name.count else { return base + written }
    let labels = name.dropFirst(base.count + 1).dropLast().split(separator: ":")
    let list = zip(labels, values).map { $0 == "_" ? $1 : "\($0): \($1)" }
    let brackets = base == "subscript" ? ("[", "]") : ("(", ")")
    return base + brackets.0 + list.joined(separator: ", ") + brackets.1 + written
  }
}

/// An argument of a call through a proxy: always a text, and the value where it is `Sendable`.
public struct ForwardedArgument: Sendable, CustomStringConvertible {
  /// The argument as text.
  public let description: String
  private let sendable: (any Sendable)?

  /// The argument, if its type is `Sendable` where the protocol spells it, and a `T`.
  public func value<T>(as type: T.Type = T.self) -> T? { sendable.flatMap { $0 as? T } }

  /// An argument of which only the text may be kept.
  public static func of<T>(_ value: T) -> ForwardedArgument {
    ForwardedArgument(description: String(describing: value), sendable: nil)
  }

  /// An argument that may be kept.
  public static func of<T: Sendable>(_ value: T) -> ForwardedArgument {
    ForwardedArgument(description: String(describing: value), sendable: value)
  }

  /// An argument that cannot be kept: a function, something evaluated later, a parameter pack.
  public static func unseen(_ typeName: String) -> ForwardedArgument {
    ForwardedArgument(description: "<\(typeName)>", sendable: nil)
  }
}

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
    return CallRecorder.Pair(recorder, other)
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

extension CallRecorder {
  /// Two observers of one call, in order.
  fileprivate final class Pair: CallObserver {
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
}
