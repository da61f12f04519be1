internal import OxbowDocuments

/// The source of a proxy around one object, with the aspects of its methods.
struct WovenSource<Target>: ProxySource {
  private let source: FixedSource<Target>
  let aspects: AspectTable?

  init(_ target: Target, _ aspects: AspectTable) {
    // Whoever may use the proxy may use the target: the definitions are of one scope.
    source = .unchecked(target)
    self.aspects = aspects
  }

  var targetAccess: TargetAccess<Target>? { source.targetAccess }
  func target() throws -> Target { try source.target() }
}

extension Recipe where T: ForwardingProxy {
  /// A proxy around an object, with aspects around its methods.
  static func woven(
    _ original: String, _ methods: [WovenMethod], at location: SourceLocation?
  ) -> Recipe<T> {
    var names: [String] = []
    for name in methods.flatMap(\.aspects) where !names.contains(name) { names.append(name) }
    let target = Dependency(
      target: original, use: .object, when: .construction, role: .other { "object with aspects" },
      location: location, type: T.Target.self, requiresSendable: false,
      fit: { T.accepts($0) ? .fits : TypeFit.of($0, in: T.Target.self, whereTested: true) })
    let aspects = names.map { name in
      Dependency(
        target: name, use: .object, when: .construction, role: .other { "aspect" },
        location: location, type: (any Advice).self, requiresSendable: true,
        fit: { TypeFit.of($0, in: (any Advice).self) })
    }
    return Recipe(dependencies: [target] + aspects) { linker in
      WeavingConstructor(
        target: try linker.provider(named: original, as: T.Target.self),
        aspects: try names.map {
          ($0, try linker.provider(named: $0, as: (any Advice).self))
        }, methods: methods)
    }
  }
}

/// Makes the proxy of an object with aspects.
private final class WeavingConstructor<Proxy: ForwardingProxy>: Constructor<Proxy> {
  private let target: ObjectProvider<Proxy.Target>
  private let aspects: [(name: String, provider: ObjectProvider<any Advice>)]
  private let methods: [WovenMethod]

  init(
    target: ObjectProvider<Proxy.Target>,
    aspects: [(name: String, provider: ObjectProvider<any Advice>)], methods: [WovenMethod]
  ) {
    self.target = target
    self.aspects = aspects
    self.methods = methods
  }

  override func construct(_ context: BuildContext?) throws -> Proxy {
    let object = try target.make(context)
    var advice: [String: any Advice] = [:]
    for (name, provider) in aspects { advice[name] = try provider.make(context) }
    let chains = methods.map { woven in
      (woven.method.key, AspectChain(woven.aspects.compactMap { advice[$0] }))
    }
    let table = AspectTable(Dictionary(chains, uniquingKeysWith: { first, _ in first }))
    return Proxy(source: WovenSource(object, table))
  }
}
