package import OxbowDocuments

/// What the container knows of a proxy class, so that files can ask for lazy and thread-local
/// objects.
public struct ProxyDescriptor: Sendable {
  /// The name of the protocol.
  public let name: String

  /// The type of the targets, `any P`.
  public let targetType: any Any.Type

  package let proxyType: any Any.Type
  private let acceptsType: @Sendable (any Any.Type) -> Bool
  private let bind:
    @Sendable (ProxyKind, String, String, String?, any Scope, SourceLocation?) -> AnyBinding

  /// Describes a proxy class.
  ///
  /// - Parameters:
  ///   - type: The proxy class.
  ///   - name: The name of the protocol.
  public init<Proxy: ForwardingProxy>(_ type: Proxy.Type, name: String) {
    self.name = name
    targetType = Proxy.Target.self
    proxyType = Proxy.self
    acceptsType = { $0 == Proxy.Target.self || Proxy.accepts($0) }
    bind = { kind, name, target, slot, scope, location in
      Binding<Proxy>(
        name, scope: scope, location: location, isSendable: true,
        recipe: .proxy(kind, of: target, named: name, slot: slot, at: location))
    }
  }

  /// Whether objects of a type can be targets.
  public func accepts(_ type: any Any.Type) -> Bool { acceptsType(type) }

  /// The binding of a proxy of the objects of a definition.
  package func binding(
    _ name: String, _ kind: ProxyKind, of target: String, slot: String? = nil, scope: any Scope,
    at location: SourceLocation?
  ) -> AnyBinding {
    bind(kind, name, target, slot, scope, location)
  }
}
