import Oxbow

extension ContainerBuilder {
  /// The catalog's objects, defined in Swift: name for name what `container.xml` says.
  func defineCatalog(_ settings: CatalogSettings) {
    let model = singleton(named: "model", factory: ModelFactory.init) {
      $0.set(\.directory, to: settings.models)
      $0.set(\.paths, to: "Files.xcdatamodeld, Labels.xcdatamodel")
    }
    let coordinator = singleton(named: "coordinator", factory: StoreCoordinatorFactory.init) {
      $0.set(\.storePath, to: settings.store)
      $0.set(\.model, model)
      $0.set(\.classes, to: CatalogModel.classes)
      $0.set(\.migrate, to: "requireUpToDate")
      $0.set(\.migrations, to: settings.migrations)
    }
    let threadContext = prototype(named: "threadContext", factory: ContextFactory.init) {
      $0.set(\.coordinator, coordinator)
      $0.set(\.name, to: "catalog")
    }
    let context = proxy(
      named: "context", .threadLocal, of: threadContext, as: ObjectContextProxy.self)

    let kinds = singleton(named: "kinds", { KindLedger(context: $0) }, context)
    singleton(named: "folders", { FolderRepository(context: $0, kinds: $1) }, context, kinds)
    singleton(named: "files", { FileRepository(context: $0, kinds: $1) }, context, kinds)
    singleton(named: "labels", { LabelRepository(context: $0) }, context)

    let service = singleton(
      named: "statisticsService", { try StoreStatistics(context: $0) }, context)
    proxy(named: "statistics", .lazy, of: service, as: CatalogStatisticsProxy.self)
  }
}
