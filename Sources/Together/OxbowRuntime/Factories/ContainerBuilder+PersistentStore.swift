public import OxbowContainer
public import OxbowContext
internal import OxbowDocuments
public import OxbowModel
public import OxbowSQLite
internal import OxbowStore

extension ContainerBuilder {
  /// Defines a store and a context for each thread, in one call.
  ///
  /// ```swift
  /// let context = builder.persistentStore(
  ///   at: .file("library.sqlite"), types: [Author.self, Book.self])
  /// builder.singleton(Library.init(context:), context)
  /// ```
  ///
  /// It makes four definitions, which can be asked for, explained and patched by name as if they
  /// were written one by one:
  ///
  /// | Name | Object |
  /// | --- | --- |
  /// | `model` | the ``ManagedObjectModel``, by a ``ModelFactory`` |
  /// | `coordinator` | the ``PersistentStoreCoordinator``, by a ``StoreCoordinatorFactory`` |
  /// | `threadContext` | a new context for the calling thread, by a ``ContextFactory`` |
  /// | `context` | the ``ObjectContextProxy`` that gives each thread its own |
  ///
  /// Nothing is opened before an object asks for it, and the store is closed when the container is
  /// shut down. Where this function lacks a parameter, write the definitions with the factories.
  ///
  /// - Parameters:
  ///   - name: A word before the four names, for a container with several stores: with `archive`
  ///     they are `archiveModel`, `archiveCoordinator`, `archiveThreadContext` and
  ///     `archiveContext`.
  ///   - location: Where the store is; it is made if it does not exist.
  ///   - types: The classes of the entities; without documents, they declare the model.
  ///   - documents: The paths of `.xcdatamodel` and `.xcdatamodeld` documents that declare the
  ///     model.
  ///   - options: How the store is opened.
  ///   - migrations: What happens when the store is not at its last migration.
  ///   - file: The source file of the call, for messages.
  ///   - line: The line in that file.
  ///   - contexts: Sets further properties of the contexts' factory:
  ///     `{ $0.set(\.mergePolicy, to: .mergeByProperty) }`.
  /// - Returns: A reference to the context, for initializers and properties of type
  ///   `any ObjectContext & Sendable`.
  @discardableResult
  public func persistentStore(
    _ name: String = "", at location: StoreLocation, types: [any ModelObject.Type] = [],
    documents: [String] = [], options: SQLiteStoreOptions = SQLiteStoreOptions(),
    migrations: StoreMigrations = StoreMigrations(.never), file: String = #fileID,
    line: Int = #line,
    contexts: (inout Injections<ContextFactory>) -> Void = { _ in }
  ) -> Ref<any ObjectContext & Sendable> {
    let place = SourceLocation(file: file, line: line)
    return persistentStore(name, types, documents, at: place, contexts) {
      $0.set(\.location, to: location)
      $0.set(\.options, to: options)
      $0.set(\.storeMigrations, to: migrations)
    }
  }

  /// Defines several stores behind one coordinator, and a context for each thread, in one call.
  ///
  /// ```swift
  /// let context = builder.persistentStore(
  ///   stores: [.init(.file("cache.sqlite"), configuration: "Cache"), .init(.file("main.sqlite"))],
  ///   types: [Visit.self, Book.self], configurations: ["Cache": ["Visit"]])
  /// ```
  ///
  /// The definitions, and the parameters with the same names, are those of
  /// ``persistentStore(_:at:types:documents:options:migrations:file:line:contexts:)``. Each store
  /// has the entities of its configuration, and one without a configuration has the rest;
  /// `configurations` adds to those of documents. A folder of migrations belongs to one store, so
  /// `migrations` has none here.
  ///
  /// - Returns: A reference to the context, for initializers and properties of type
  ///   `any ObjectContext & Sendable`.
  @discardableResult
  public func persistentStore(
    _ name: String = "", stores: [SQLiteStoreDescription], types: [any ModelObject.Type] = [],
    documents: [String] = [], configurations: [String: [String]] = [:],
    migrations: StoreMigrations = StoreMigrations(.never), file: String = #fileID,
    line: Int = #line,
    contexts: (inout Injections<ContextFactory>) -> Void = { _ in }
  ) -> Ref<any ObjectContext & Sendable> {
    let place = SourceLocation(file: file, line: line)
    return persistentStore(name, types, documents, configurations, at: place, contexts) {
      $0.set(\.stores, to: stores)
      $0.set(\.storeMigrations, to: migrations)
    }
  }

  /// The four definitions; `configure` sets the coordinator's factory, apart from model and
  /// classes.
  private func persistentStore(
    _ name: String, _ types: [any ModelObject.Type], _ documents: [String],
    _ configurations: [String: [String]] = [:], at place: SourceLocation,
    _ contexts: (inout Injections<ContextFactory>) -> Void,
    _ configure: (inout Injections<StoreCoordinatorFactory>) -> Void
  ) -> Ref<any ObjectContext & Sendable> {
    let (file, line) = (place.file, place.line)
    let names = StoreNames(prefix: name)
    let classes = EntityClasses(types)
    let model = singleton(
      named: names.model, factory: ModelFactory.init, file: file, line: line
    ) {
      if documents.isEmpty {
        $0.set(\.classes, to: classes)
      } else {
        $0.set(\.documents, to: documents)
      }
      if !configurations.isEmpty { $0.set(\.configurations, to: configurations) }
    }
    let coordinator = singleton(
      named: names.coordinator, factory: StoreCoordinatorFactory.init, file: file, line: line
    ) {
      configure(&$0)
      $0.set(\.model, model)
      $0.set(\.classes, to: classes)
    }
    // The entities of documents are known when those are read.
    if documents.isEmpty {
      check(StoreModelCheck(types: types, opener: (names.coordinator, place)).definitionCheck)
    }
    let own = prototype(
      named: names.threadContext, factory: ContextFactory.init, file: file, line: line
    ) {
      $0.set(\.coordinator, coordinator)
      contexts(&$0)
    }
    proxy(
      named: names.context, .threadLocal, of: own, as: ObjectContextProxy.self, file: file,
      line: line)
    return .context(named: names.context, at: place)
  }
}

/// The names of the definitions of a store.
struct StoreNames {
  private let prefix: String

  init(prefix: String) { self.prefix = prefix }

  /// The names that belong to a context's name.
  init(context: String) {
    prefix = context.lowercased().hasSuffix("context") ? String(context.dropLast(7)) : context
  }

  var model: String { prefixed("model") }
  var coordinator: String { prefixed("coordinator") }
  var threadContext: String { prefixed("threadContext") }
  var context: String { prefixed("context") }
  var tenants: String { prefixed("tenants") }

  private func prefixed(_ name: String) -> String {
    prefix.isEmpty ? name : prefix + name.prefix(1).uppercased() + name.dropFirst()
  }
}

extension Ref where T == any ObjectContext & Sendable {
  /// A reference to a proxy, or to the object that a patch puts in its place, as their protocol.
  static func context(named name: String, at location: SourceLocation) -> Self {
    var ref = Ref(name).fitting {
      $0 is any ObjectContext.Type ? .fits : TypeFit.of($0, in: T.self)
    }
    ref.location = location
    return ref
  }
}
