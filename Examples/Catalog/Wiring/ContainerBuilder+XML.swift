import Oxbow

extension ContainerBuilder {
  /// The catalog's objects as a document defines them.
  ///
  /// What differs from run to run is defined here, for the document to refer to.
  func defineCatalog(_ settings: CatalogSettings, document: String) throws {
    let models = settings.models
    let store = settings.store
    singleton("modelDirectory", { models })
    singleton("storePath", { store })
    singleton("entityClasses", { CatalogModel.classes })
    try load(xml: document)
  }
}
