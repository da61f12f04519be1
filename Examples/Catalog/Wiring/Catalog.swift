import Oxbow

/// The objects that the commands use, taken from a container.
struct Catalog: Sendable {
  let container: Container
  let folders: FolderRepository
  let files: FileRepository
  let labels: LabelRepository
  let statistics: any CatalogStatistics & Sendable
  private let coordinator: PersistentStoreCoordinator

  /// Wires the catalog and opens its store.
  init(_ settings: CatalogSettings, wiring: Wiring) throws {
    try self.init(container: try wiring.makeContainer(settings))
  }

  init(container: Container) throws {
    self.container = container
    coordinator = try container.object("coordinator")
    folders = try container.object("folders")
    files = try container.object("files")
    labels = try container.object("labels")
    statistics = try container.object("statistics", as: CatalogStatisticsProxy.self)
  }

  /// Closes the store.
  func close() { coordinator.close() }
}

/// What differs from run to run.
struct CatalogSettings: Sendable {
  /// The path of the store, or its place on a server.
  let store: String
  /// The folder with the model documents.
  let models: String
  /// The folder of the migrations, which make a new store.
  let migrations: String
  /// Whether a store is made on a server that has none.
  var createsStore = true
}

extension CatalogSettings {
  /// The settings for a store, with the folders of the program and of its project.
  init(store: String) throws {
    self.init(
      store: store, models: try Resources.path("Models"), migrations: Migrating.migrations)
  }
}

/// How the container is defined: in a document or in Swift, with the same result.
enum Wiring: String, CaseIterable, Sendable {
  case xml, code

  func makeContainer(_ settings: CatalogSettings) throws -> Container {
    let builder = ContainerBuilder()
    switch self {
    case .xml: try builder.defineCatalog(settings, document: try Resources.path("container.xml"))
    case .code: builder.defineCatalog(settings)
    }
    let container = try builder.build()
    guard ServerStore.isMeant(by: settings.store) else { return container }
    return try container.patched { patch in
      patch.replace(
        "coordinator", with: { try ServerStore.open(settings, $0) },
        Ref<ManagedObjectModel>("model"))
    }
  }
}
