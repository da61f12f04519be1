internal import OxbowDocuments

extension Recipe where T: ForwardingProxy {
  /// A proxy around an object, with aspects around its methods.
  static func woven(
    _ original: String, _ methods: [WovenMethod], at location: SourceLocation?
  ) -> Recipe<T> {
    let target = Dependency(
      target: original, use: .object, when: .construction, role: .other { "object with aspects" },
      location: location, type: T.Target.self, requiresSendable: false,
      fit: { T.accepts($0) ? .fits : TypeFit.of($0, in: T.Target.self, whereTested: true) })
    let aspects = AspectTables.dependencies(methods, .construction, at: location)
    // The aspects first: what is made later is disposed of earlier, and the target needs them.
    return Recipe(dependencies: aspects + [target]) { linker in
      WeavingConstructor(
        target: try linker.provider(named: original, as: T.Target.self),
        tables: try AspectTables(methods, of: HiddenName.shown(original), linker))
    }
  }
}

/// Makes the proxy of an object with aspects.
private final class WeavingConstructor<Proxy: ForwardingProxy>: Constructor<Proxy> {
  private let target: ObjectProvider<Proxy.Target>
  private let tables: AspectTables

  init(target: ObjectProvider<Proxy.Target>, tables: AspectTables) {
    self.target = target
    self.tables = tables
  }

  override func construct(_ context: BuildContext?) throws -> Proxy {
    let table = try tables.table(context)
    // A caller that may use the proxy may use the target: the definitions are of one scope.
    return Proxy(source: FixedSource(answeredFor: try target.make(context), table))
  }
}
