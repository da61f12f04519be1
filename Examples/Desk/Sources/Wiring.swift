import CoreMetrics
import Hummingbird
import Logging
import Oxbow
import OxbowServices

extension ContainerBuilder {
  /// Defines the objects of the server.
  ///
  /// The service `http` needs the rest: it starts last, when the store is migrated, and stops
  /// first.
  func defineDesk(_ settings: Settings, metrics: MetricsPage, logger: Logger) {
    let context = persistentStore(
      at: settings.store, types: DeskModel.types, migrations: settings.migrations)
    let coordinator = Ref<PersistentStoreCoordinator>("coordinator")
    let tickets = singleton(named: "tickets", { StoredTickets(context: $0) }, context)
    let comments = singleton(named: "comments", { StoredComments(context: $0) }, context)
    let agents = singleton(named: "agents", { StoredAgents(context: $0) }, context)
    singleton(
      named: "desk", { StoredHelpDesk(tickets: $0, comments: $1, agents: $2) }, tickets, comments,
      agents)
    // The first is the outermost: a call has its time with its save.
    timing(on: .objects("desk"), label: "desk.calls", factory: metrics)
    transactional(
      on: .objects("desk").methods("open", "change", "comment", "hire"),
      retry: TransactionRetry(attempts: 8), context: context)
    let board = singleton(named: "board", Board.init(coordinator:), coordinator)
    let routes = singleton(
      named: "routes",
      {
        Routes(
          desk: $0, board: $1, coordinator: $2, context: $3, metrics: metrics, container: $4)
      }, Ref<any HelpDesk>("desk"), board, coordinator, context, Ref.container)
    service(
      "http",
      { (routes: Routes) in
        Application(
          router: routes.router(),
          configuration: ApplicationConfiguration(
            address: .hostname(settings.host, port: settings.port)),
          logger: logger)
      }, routes, gracefulWithin: settings.graceful, logger: logger)
  }
}
