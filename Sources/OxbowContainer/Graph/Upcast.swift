/// The way from objects of one type to what a place takes, where the compiler has seen that they fit.
///
/// A description of a class finds it for the type of a definition, once, in place of a cast of each
/// object:
///
/// ```swift
/// upcast: {
///   func open<Object: Quest>(_ type: Object.Type) -> Upcast {
///     Upcast { (object: Object) -> any Quest in object }
///   }
///   return ($0 as? any Quest.Type).map { open($0) }
/// }
/// ```
public struct Upcast {
  private let link: (AnyObjectProvider) -> AnyObjectProvider?

  /// Creates the way from one type to another.
  ///
  /// - Parameter convert: Sees an object as the other type, and does nothing else.
  public init<Source, Target>(_ convert: @escaping (Source) -> Target) {
    link = { provider in
      (provider as? ObjectProvider<Source>).map { ProtocolConvertingProvider($0, convert) }
    }
  }

  /// A provider of the same objects, seen as the other type; nil for a provider of another type's objects.
  func provider(of source: AnyObjectProvider) -> AnyObjectProvider? { link(source) }
}

/// Finds the way from a type to the one that a place takes; nil where there is none.
package typealias UpcastSearch = @Sendable (any Any.Type) -> Upcast?

/// Answers with another provider's object, seen as a `T` by code that the compiler has checked.
///
/// The fast path beside `ConvertingProvider`, which asks the runtime for each object; that counts readers in a place
/// that all threads write to. Guarded by suite K, graph-file and threads.
private final class ProtocolConvertingProvider<Source, T>: ObjectProvider<T>, @unchecked Sendable {
  // Sendable by argument: never changed; `convert` sees an object as one of its protocols, and the linker
  // leaves out conformances that belong to an actor.
  private let source: ObjectProvider<Source>
  private let convert: (Source) -> T

  init(_ source: ObjectProvider<Source>, _ convert: @escaping (Source) -> T) {
    self.source = source
    self.convert = convert
  }

  override var isBuilt: Bool { source.isBuilt }

  override func make(_ session: Session?) throws -> T { convert(try source.make(session)) }
  override func fresh() throws -> T { convert(try source.fresh()) }
}
