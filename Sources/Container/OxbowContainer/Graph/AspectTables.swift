internal import OxbowDocuments

/// Makes the tables of a definition's objects: chains of the aspects that its methods have.
final class AspectTables: Sendable {
  private let aspects: [(name: String, provider: ObjectProvider<any Advice>)]
  private let methods: [WovenMethod]
  let objectName: String

  init(_ methods: [WovenMethod], of objectName: String, _ linker: any Linking) throws {
    self.methods = methods
    self.objectName = objectName
    aspects = try Self.names(methods).map {
      ($0, try linker.provider(named: $0, as: (any Advice).self))
    }
  }

  func table(_ context: BuildContext?) throws -> AspectTable {
    var advice: [String: any Advice] = [:]
    for (name, provider) in aspects { advice[name] = try provider.make(context) }
    let chains = methods.map { woven in
      (woven.method.key, AspectChain(woven.aspects.compactMap { advice[$0] }, of: objectName))
    }
    return AspectTable(
      Dictionary(chains, uniquingKeysWith: { first, _ in first }), of: objectName,
      origin: self)
  }

  /// The names of the aspects, each once.
  private static func names(_ methods: [WovenMethod]) -> [String] {
    var names: [String] = []
    for name in methods.flatMap(\.aspects) where !names.contains(name) { names.append(name) }
    return names
  }

  /// What making a table needs.
  static func dependencies(
    _ methods: [WovenMethod], _ moment: Dependency.Moment, at location: SourceLocation?
  ) -> [Dependency] {
    names(methods).map { name in
      Dependency(
        target: name, use: .object, when: moment, role: .other { "aspect" }, location: location,
        type: (any Advice).self, requiresSendable: true,
        fit: { TypeFit.of($0, in: (any Advice).self) })
    }
  }
}
