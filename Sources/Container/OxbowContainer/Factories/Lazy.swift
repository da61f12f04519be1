/// An object that is built when it is first asked for, and kept.
///
/// For objects whose class has no protocol, and so no lazy proxy. What the first use returns
/// follows from the scope of the definition: of a singleton the one object, of a prototype a new
/// one, which is this value's from then on. Objects of thread or task scope have no `Lazy`; they
/// have thread-local and task-local proxies.
///
/// ```swift
/// final class Editor {
///   let dictionary: Lazy<SpellingDictionary>
///   init(dictionary: Lazy<SpellingDictionary>) { self.dictionary = dictionary }
///   func check(_ word: String) throws -> Bool { try dictionary.value.contains(word) }
/// }
/// builder.prototype(named: "editor", Editor.init(dictionary:), dictionary.lazy)
/// ```
///
/// Threads that ask at the same time get the same object. A build that throws leaves nothing
/// behind, so the next use tries again. Copies share their object. Use it after construction: a use
/// inside a constructor is a dependency that validation cannot see.
public struct Lazy<T>: ProviderType {
  /// What is built.
  public typealias Provided = T

  private let cell: Cell

  /// Creates a value that is built by a function, for use without a container.
  public init(_ make: @escaping @Sendable () throws -> T) { self.init("lazy object", make) }

  init(_ name: String, _ make: @escaping @Sendable () throws -> T) {
    cell = Cell(name, make)
  }

  /// The object, built if it was not.
  ///
  /// - Throws: What building throws; ``ContainerError``: `containerReleased` when the container was
  ///   closed before the first use.
  public var value: T {
    get throws { try cell.value() }
  }

  /// Returns the object, built if it was not; see ``value``.
  public func callAsFunction() throws -> T { try value }

  /// Whether the object was built.
  public var isBuilt: Bool { cell.isBuilt }

  /// Sendable by argument: `once` guards `make` and `kept`; whether the object may be used by
  /// several threads is for ``Lazy`` to say.
  private final class Cell: @unchecked Sendable {
    private let once = OnceCell()
    private let name: String
    private var make: (@Sendable () throws -> T)?
    private var kept: T?

    init(_ name: String, _ make: @escaping @Sendable () throws -> T) {
      self.name = name
      self.make = make
    }

    var isBuilt: Bool { once.isReady }

    func value() throws -> T {
      if !once.isReady {
        try once.run(for: name) {
          kept = try make?()
          make = nil  // It holds the container.
        }
      }
      if let kept { return kept }
      throw ContainerError(.containerReleased(name), getting: name)
    }
  }
}

extension Lazy: Sendable where T: Sendable {}

extension Lazy: DeferredReference {
  static var providedType: any Any.Type { T.self }

  static func reference(to name: String, requiresSendable: Bool) -> Ref<Lazy<T>> {
    Ref(
      name, use: .lazy, requiresSendable: requiresSendable, fit: { TypeFit.of($0, in: T.self) }
    ) { linker in
      let name = linker.name(for: name)
      let provider = try linker.provider(named: name, as: T.self)
      return linker.container.deferred(name) { container in
        Lazy(name) { try container.object(of: provider, named: name) }
      }
    }
  }
}

extension Ref {
  /// A reference that delivers a ``Lazy``, which builds the object when it is first asked for.
  public var lazy: Ref<Lazy<T>> {
    var ref = Lazy<T>.reference(to: name, requiresSendable: requiresSendable)
    ref.request = request
    return ref
  }
}
