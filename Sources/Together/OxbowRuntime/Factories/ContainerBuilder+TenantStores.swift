public import OxbowContainer
public import OxbowContext
internal import OxbowDocuments
public import OxbowModel
public import OxbowSQLite

extension ContainerBuilder {
  /// Defines a store for each tenant, and a context that is the current tenant's, in one call.
  ///
  /// ```swift
  /// let context = builder.tenantStores(in: "tenants", types: [Author.self, Book.self])
  /// builder.singleton(Library.init(context:), context)
  /// ```
  ///
  /// It makes two definitions: `tenants`, the ``TenantStores``, and `context`, the
  /// ``ObjectContextProxy`` that repositories get as they get that of one store. Inside
  /// ``TenantStores/withTenant(_:_:)`` it is the context of that tenant, for the calling thread or
  /// task; elsewhere its calls throw `noTenant`. The stores are closed when the container is shut
  /// down.
  ///
  /// - Parameters:
  ///   - name: A word before the two names, for a container with several stores.
  ///   - folder: The path of the folder, which must exist when the first object needs it.
  ///   - types: The classes of the entities, which declare the model.
  ///   - limit: How many stores are open at most.
  ///   - createsStores: Whether a tenant that has no store gets one when it is asked for.
  ///   - options: How stores are opened.
  ///   - migrations: What happens to a store that is not at its last migration.
  ///   - contexts: What contexts have from the beginning.
  ///   - file: The source file of the call, for messages.
  ///   - line: The line in that file.
  /// - Returns: A reference to the context, for initializers and properties of type
  ///   `any ObjectContext & Sendable`.
  @discardableResult
  public func tenantStores(
    _ name: String = "", in folder: String, types: [any ModelObject.Type], limit: Int = 100,
    createsStores: Bool = false, options: SQLiteStoreOptions = .tenants,
    migrations: StoreMigrations = StoreMigrations(.never),
    contexts: ContextOptions = ContextOptions(), file: String = #fileID, line: Int = #line
  ) -> Ref<any ObjectContext & Sendable> {
    let (names, place) = (StoreNames(prefix: name), SourceLocation(file: file, line: line))
    let classes = EntityClasses(types)
    let tenants = singleton(
      named: names.tenants,
      {
        try TenantStores(
          in: folder, types: classes.types, limit: limit, createsStores: createsStores,
          options: options, migrations: migrations, contexts: contexts)
      }, file: file, line: line)
    check(StoreModelCheck(types: types, opener: (names.tenants, place)).definitionCheck)
    singleton(named: names.context, { $0.contexts }, tenants, file: file, line: line)
    return .context(named: names.context, at: place)
  }
}
