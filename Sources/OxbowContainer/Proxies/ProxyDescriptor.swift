package import OxbowDocuments

/// What the container knows of a proxy class, so that files can ask for lazy and thread-local objects.
public struct ProxyDescriptor: Sendable {
  /// The name of the protocol.
  public let name: String

  /// The type of the targets, `any P`.
  public var targetType: any Any.Type { body.targetType }

  package let body: any ProxyBody

  /// Describes a proxy class.
  ///
  /// - Parameters:
  ///   - type: The proxy class.
  ///   - name: The name of the protocol.
  public init<Proxy: ForwardingProxy>(_ type: Proxy.Type, name: String) {
    self.name = name
    self.body = TypedProxy<Proxy>()
  }

  /// Whether objects of a type can be targets.
  public func accepts(_ type: any Any.Type) -> Bool { body.accepts(type) }
}

/// A proxy class, its type forgotten.
package protocol ProxyBody: Sendable {
  var targetType: any Any.Type { get }
  var proxyType: any Any.Type { get }
  func accepts(_ type: any Any.Type) -> Bool
  func lazyBinding(_ name: String, of target: String, scope: any Scope, at: SourceLocation?)
    -> AnyBinding
  func threadBinding(
    _ name: String, of target: String, slot: String?, scope: any Scope, at: SourceLocation?
  ) -> AnyBinding
  func taskBinding(_ name: String, of target: String, scope: any Scope, at: SourceLocation?)
    -> AnyBinding
}

private struct TypedProxy<Proxy: ForwardingProxy>: ProxyBody {
  var targetType: any Any.Type { Proxy.Target.self }
  var proxyType: any Any.Type { Proxy.self }

  func accepts(_ type: any Any.Type) -> Bool {
    type == Proxy.Target.self || Proxy.accepts(type)
  }

  func lazyBinding(
    _ name: String, of target: String, scope: any Scope, at location: SourceLocation?
  ) -> AnyBinding {
    Binding<Proxy>(
      name, scope: scope, location: location, isSendable: true,
      recipe: .lazyProxy(of: target, named: name, at: location))
  }

  func taskBinding(
    _ name: String, of target: String, scope: any Scope, at location: SourceLocation?
  ) -> AnyBinding {
    Binding<Proxy>(
      name, scope: scope, location: location, isSendable: true,
      recipe: .taskProxy(of: target, named: name, at: location))
  }

  func threadBinding(
    _ name: String, of target: String, slot: String?, scope: any Scope,
    at location: SourceLocation?
  ) -> AnyBinding {
    Binding<Proxy>(
      name, scope: scope, location: location, isSendable: true,
      recipe: .threadProxy(of: target, named: name, slot: slot, at: location))
  }
}
