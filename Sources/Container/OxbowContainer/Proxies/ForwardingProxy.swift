/// A class that conforms to a protocol by forwarding each requirement to a target.
///
/// `@Proxied` writes such a class for a protocol; it can be written by hand in the same shape. For
/// `public protocol Greeter: Named { func greet(_ guest: String) throws -> String }` it emits two
/// peers and an extension, everything `nonisolated` and as public as the protocol:
///
/// ```swift
/// // one `…Forwarding` for each parent
/// public protocol GreeterForwarding: Greeter, CallForwarding, NamedForwarding {
///   typealias _TargetGreeter = any Greeter
///   func _targetGreeter() throws -> any Greeter
///   var _borrowedGreeter: BorrowedTarget<any Greeter>? { get }
/// }
///
/// public final class GreeterProxy: GreeterForwarding, ForwardingProxy {
///   public let _source: any ProxySource<any Greeter>
///   public let _callObserver: (any CallObserver)?
///   public let _targetAccess: TargetAccess<any Greeter>?
///   public nonisolated init(source: any ProxySource<any Greeter>) {
///     _source = source
///     _callObserver = source.callObserver
///     _targetAccess = _callObserver == nil ? source.targetAccess : nil
///   }
///   public nonisolated static func accepts(_ type: any Any.Type) -> Bool {
///     type is any Greeter.Type
///   }
///   public nonisolated func _targetGreeter() throws -> any Greeter { try _source.target() }
///   @inline(__always) public nonisolated var _borrowedGreeter: BorrowedTarget<any Greeter>? {
///     _targetAccess?.borrowed
///   }
///
///   #if objectFormat(MachO)
///     @section("__DATA_CONST,__oxbow") @used
///   #elseif objectFormat(ELF)
///     @section("oxbow_components") @used
///   #endif
///   private static let _record: ComponentRecord = (
///     version: 1,
///     describe: {
///       $0.assumingMemoryBound(to: RegistryEntry.self)
///         .initialize(to: .proxy(ProxyDescriptor(GreeterProxy.self, name: "Greeter")))
///     }
///   )
/// }
///
/// extension GreeterForwarding {
///   // of other classes
///   public nonisolated var _borrowedGreeter: BorrowedTarget<any Greeter>? { nil }
///   // upcasts
///   public nonisolated func _targetNamed() throws -> any Named { try _targetGreeter() }
///   public nonisolated func greet(_ guest: String) throws -> String {
///     if let _borrowed = _borrowedGreeter {
///       return try _borrowed.call(for: self) { try $0.greet(guest) }
///     }
///     _callObserver?.willCall(ForwardedCall("greet(_:)", of: "Greeter", .call, [.of(guest)]))
///     return try _targetGreeter().greet(guest)
///   }
/// }
/// ```
///
/// and factories for sources that are made by hand (`fixed`, `lazy`, `recording`). The conformance
/// of a protocol that only its module sees is stated in the sources, `extension GreeterProxy:
/// GreeterForwarding {}`: optimized builds go by those alone.
///
/// A call first looks for a target on loan, which is neither copied nor retained. There is none
/// for an observer, for a source that keeps no target, and for a requirement of a parent;
/// such a call asks for the target, and so does one that is `async`, limits its
/// errors or takes parameters that a closure cannot pass on (`consuming`, `sending`, packs).
///
/// A proxy written by hand may do without observer, target access and typealias: its calls are not
/// recorded then, they ask for their target each time, and generic protocols cannot refine its
/// protocol.
///
/// A protocol with primary associated types gives a generic proxy class, which has no record:
/// register it with `builder.registerProxy(StoreProxy<Int>.self, name: "Store<Int>")`.
///
/// The class is `Sendable` although the protocol is not: nothing that it stores is a target.
public protocol ForwardingProxy<Target>: AnyObject, Sendable {
  /// What calls are forwarded to: `any P`.
  associatedtype Target

  /// Where targets come from.
  var _source: any ProxySource<Target> { get }

  /// Creates a proxy that asks a source for its target on each call.
  init(source: any ProxySource<Target>)

  /// Whether objects of a type can be targets: `type is any P.Type`.
  static func accepts(_ type: any Any.Type) -> Bool

  /// The methods of the protocol itself around which aspects may run; none unless a proxy has some.
  static var _methods: [ForwardedMethod] { get }

  /// What thread-local sources of this protocol watch for; no hooks unless a proxy has some.
  static var threadLocalHooks: ThreadLocalHooks<Target> { get }
}

extension ForwardingProxy {
  /// None.
  public static var _methods: [ForwardedMethod] { [] }

  /// No hooks.
  public static var threadLocalHooks: ThreadLocalHooks<Target> { ThreadLocalHooks() }

  /// Whether a call that is made now would find its target built; asking builds nothing.
  public var isTargetMaterialized: Bool { _source.isMaterialized }
}

/// Returns the target of a proxy for a requirement that cannot throw.
///
/// `@Proxied` warns where it writes a call of this: without a target such a requirement has no
/// answer, and the process stops with the reason.
public func _requiredTarget<Target>(_ name: String, _ target: () throws -> Target) -> Target {
  do {
    return try target()
  } catch {
    // Not `preconditionFailure`, whose text a release build would not print.
    fatalError(
      "A proxy of '\(name)' has no object to forward to, and the requirement that was called "
        + "cannot throw. Make the requirement throwing to handle this error: \(error)")
  }
}
