/// Generates a proxy for a protocol.
///
/// A proxy stands for an object that is built at the first call, or for another object on each
/// thread: its source decides. For
///
/// ```swift
/// @Proxied public protocol Catalog {
///   func titles() throws -> [String]
/// }
/// ```
///
/// the macro writes the protocol `CatalogForwarding`, the Sendable class `CatalogProxy`, and a
/// default for each requirement that asks the proxy's target. A protocol that `Catalog` refines must
/// be `@Proxied` too. Requirements should throw: a proxy whose target cannot be built throws from the
/// call, and stops the process where it may not throw.
///
/// - Parameter protocols: The protocols, as `Name.self`, that this one refines through more than one
///   parent. Without them a call through the proxy would be ambiguous.
@attached(peer, names: suffixed(Forwarding), suffixed(Proxy))
@attached(extension, names: arbitrary)
public macro Proxied(also protocols: Any.Type...) =
  #externalMacro(module: "OxbowMacros", type: "ProxiedMacro")
