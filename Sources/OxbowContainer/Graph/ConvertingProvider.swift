/// Answers with another provider's object, seen as a `T`.
///
/// The one place where linked code casts: between a class and a protocol that it has.
package final class ConvertingProvider<Source, T>: ObjectProvider<T>, @unchecked Sendable {
  // Sendable by argument, as providers are: never changed.
  private let source: ObjectProvider<Source>
  private let name: String

  package init(_ source: ObjectProvider<Source>, named name: String) {
    self.source = source
    self.name = name
  }

  package override var isBuilt: Bool { source.isBuilt }

  package override func make(_ session: Session?) throws -> T { try cast(source.make(session)) }
  package override func fresh() throws -> T { try cast(source.fresh()) }

  /// A pattern and not `as?`, which looks up the type `T?` for each object, in a place that all threads
  /// write to; guarded by suite K, threads.
  private func cast(_ object: Source) throws -> T {
    switch object {
    case let object as T: return object
    default:
      throw ContainerError(.typeMismatch(name, object: object, wanted: "\(T.self)"), task: "link")
    }
  }
}
