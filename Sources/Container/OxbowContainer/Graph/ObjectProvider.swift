internal import OxbowPlatform

/// Something linked that answers requests for an object, its type forgotten.
///
/// Sendable by argument: providers change only while a container is linked, before anybody else
/// sees them, and when its life ends, after everybody has gone; in between each keeps its own guard
/// (see the scopes).
class AnyObjectProvider: @unchecked Sendable, Unreflected {
  /// Whether a request returns at once an object that is built already.
  var isBuilt: Bool { false }

  /// The object by the rules of its scope, as `Any`.
  func makeAny(_ context: BuildContext?) throws -> Any { preconditionFailure("abstract") }

  /// The object, if one is kept for everybody.
  var existing: Any? { nil }

  /// What ends with that object.
  var belongings: [Belongings.Item] { [] }

  /// A provider of the same objects, seen as `V`.
  func cast<V>(to type: V.Type, named name: String) -> ObjectProvider<V> {
    preconditionFailure("abstract")
  }

  /// Builds no more objects that are shared; those that are built can still be asked for.
  func seal() {}

  /// Answers no more requests.
  ///
  /// Other threads may be asking, so no object is released that one may be about to use.
  func close() {}

  /// Releases objects and every other provider, so that circles of providers end with their
  /// container.
  ///
  /// - Precondition: No caller can ask for an object any more.
  func takeApart() {}
}

/// Something linked that answers requests for a `T`.
///
/// Providers hold each other typed, so that building a graph casts nothing where the types agree.
class ObjectProvider<T>: AnyObjectProvider, @unchecked Sendable {
  // Sendable by the argument of `AnyObjectProvider`; nothing is kept here.

  /// Returns the object by the rules of its scope.
  ///
  /// - Parameter context: The build that this request is a part of, if any.
  /// - Returns: The object.
  /// - Throws: What a constructor or setter throws; `constructionDeadlock`, `containerReleased`.
  func make(_ context: BuildContext?) throws -> T { preconditionFailure("abstract") }

  /// The object by the rules of its scope, for a proxy that keeps it; `belongings` takes what ends
  /// with it.
  final func make(for belongings: Belongings) throws -> T {
    try make(BuildContext(belongings: belongings))
  }

  /// Returns a new object, constructed and injected, whatever the scope.
  final func fresh() throws -> T { try fresh(for: nil) }

  /// The same for a proxy that keeps the object, if `belongings` is not nil.
  func fresh(for belongings: Belongings?) throws -> T { preconditionFailure("abstract") }

  final override func makeAny(_ context: BuildContext?) throws -> Any { try make(context) }

  final override func cast<V>(to type: V.Type, named name: String) -> ObjectProvider<V> {
    ConvertingProvider(self, castingTo: type, named: name)
  }
}

/// Answers with a constant.
final class ConstantProvider<T>: ObjectProvider<T>, @unchecked Sendable {
  // Sendable by argument: made from a value whose type was Sendable where it was spelled.
  private let value: T

  init(_ value: T) { self.value = value }

  override func make(_ context: BuildContext?) throws -> T { value }
  override func fresh(for belongings: Belongings?) throws -> T { value }
}

/// Answers with what a function returns, which has no scope: a collection, a way back to the
/// container, an error.
final class ComputedProvider<T>: ObjectProvider<T>, @unchecked Sendable {
  // Sendable by argument: the functions never change, and refer to providers and constants alone.
  private let compute: (BuildContext?) throws -> T
  private let computeFresh: () throws -> T

  init(
    fresh: (() throws -> T)? = nil, _ compute: @escaping (BuildContext?) throws -> T
  ) {
    self.compute = compute
    computeFresh = fresh ?? { try compute(nil) }
  }

  /// Answers with an error.
  convenience init(throwing error: ContainerError) { self.init { _ in throw error } }

  override func make(_ context: BuildContext?) throws -> T { try compute(context) }
  override func fresh(for belongings: Belongings?) throws -> T { try computeFresh() }
}

extension ObjectProvider where T: InjectableGroup {
  /// Answers with a group of what other providers answer, made anew for each request.
  static func group(of parts: [ObjectProvider<T.Part>], keys: [String] = []) -> ObjectProvider<T> {
    ComputedProvider(fresh: { T.collect(try parts.map { try $0.fresh() }, keys: keys) }) {
      context in
      T.collect(try parts.map { try $0.make(context) }, keys: keys)
    }
  }
}

// MARK: - Conversions

/// Answers with another provider's object, seen as a `T`.
private final class ConvertingProvider<Source, T>: ObjectProvider<T>, @unchecked Sendable {
  // Sendable by argument: never changed; `convert` sees an object as another type, and the linker
  // leaves out conformances that belong to an actor.
  private let source: ObjectProvider<Source>
  private let convert: (Source) throws -> T

  init(_ source: ObjectProvider<Source>, _ convert: @escaping (Source) throws -> T) {
    self.source = source
    self.convert = convert
  }

  /// Casts each object: the one place where linked code does.
  ///
  /// By a pattern and not `as?`, which looks up the type `T?` for each object, in memory that all
  /// threads write to (`docs/performance.md`, K/threads).
  convenience init(_ source: ObjectProvider<Source>, castingTo type: T.Type, named name: String) {
    self.init(source) { object in
      switch object {
      case let object as T: return object
      default:
        throw ContainerError(.typeMismatch(name, object: object, wanted: "\(T.self)"), task: "link")
      }
    }
  }

  override var isBuilt: Bool { source.isBuilt }

  override func make(_ context: BuildContext?) throws -> T { try convert(source.make(context)) }
  override func fresh(for belongings: Belongings?) throws -> T {
    try convert(source.fresh(for: belongings))
  }
}

extension ObjectProvider {
  /// A provider of the same objects, which are never nil.
  var optional: ObjectProvider<T?> { ConvertingProvider(self) { $0 } }
}

/// The conversion of objects of one type to what an injection point takes, where the compiler has
/// seen that they fit.
///
/// A description of a class finds it for the type of a definition, once: a cast of each object
/// would ask the runtime and count readers in memory that all threads write to
/// (`docs/performance.md`, K/graph-file and K/threads):
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
  /// Finds the conversion of a type; nil where there is none.
  typealias Search = @Sendable (any Any.Type) -> Upcast?

  private let link: (AnyObjectProvider) -> AnyObjectProvider?

  /// Creates the conversion of one type to another.
  ///
  /// - Parameter convert: Sees an object as the other type, and does nothing else.
  public init<Source, Target>(_ convert: @escaping (Source) -> Target) {
    link = { provider in
      (provider as? ObjectProvider<Source>).map { ConvertingProvider($0, convert) }
    }
  }

  /// A provider of the same objects, seen as the other type; nil for a provider of another type's
  /// objects.
  func provider(of source: AnyObjectProvider) -> AnyObjectProvider? { link(source) }
}
