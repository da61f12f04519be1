import CoreMetrics
import Foundation
import Logging
import Oxbow
import OxbowCommands
import OxbowServices
import ServiceLifecycle

/// A help desk: tickets over HTTP, in a store of Oxbow's.
///
/// With arguments it is `oxbowctl` for its classes: `desk migrate new NAME` writes the next step
/// when a class was changed.
@main enum Desk {
  static func main() async {
    if CommandLine.arguments.count > 1 { OxbowTool.main(types: DeskModel.types) }
    do {
      try await run(Settings(environment: ProcessInfo.processInfo.environment))
    } catch {
      FileHandle.standardError.write(Data("desk: \(error)\n".utf8))
      exit(1)
    }
  }

  private static func run(_ settings: Settings) async throws {
    let (logger, metrics) = (Logger(label: "desk"), MetricsPage())
    MetricsSystem.bootstrap(metrics)
    let builder = ContainerBuilder()
    builder.defineDesk(settings, metrics: metrics, logger: logger)
    var options = RunOptions()
    options.readyWithin = .seconds(600)  // a long migration
    let group = ServiceGroup(
      services: [try builder.build().service(options)],
      gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
    try await group.run()
  }
}
