import Oxbow

extension ContainerBuilder {
  /// The catalog's objects as a document defines them.
  ///
  /// What differs from run to run is defined here, for the document to refer to.
  func defineCatalog(_ settings: CatalogSettings, document: String) throws {
    let models = settings.models
    let store = settings.store
    let migrations = settings.migrations
    singleton(named: "modelDirectory", { models })
    singleton(named: "storePath", { store })
    singleton(named: "migrationsFolder", { migrations })
    singleton(named: "entityClasses", { CatalogModel.classes })
    try load(document)
  }
}
