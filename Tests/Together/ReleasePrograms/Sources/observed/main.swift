// Times and traces of calls, in a package that asks for the traits of Oxbow.

import CoreMetrics
import InMemoryTracing
import Oxbow
import Tracing

@Proxied(aspects: true) protocol Lending: Sendable {
  func lend(_ title: String) throws -> String
  func fetch(_ title: String) async throws -> String
}
extension LendingProxy: LendingForwarding {}

struct Missing: Error {}

let tracer = InMemoryTracer()

final class Desk: Lending, Sendable {
  func lend(_ title: String) throws -> String {
    if title.isEmpty { throw Missing() }
    return tracer.withSpan("inside") { _ in title }
  }
  func fetch(_ title: String) async throws -> String { title }
}

final class PrintedTimer: TimerHandler {
  let name: String
  init(_ name: String) { self.name = name }
  func recordNanoseconds(_ duration: Int64) { print("timer \(name): \(duration >= 0)") }
}

final class PrintedMetrics: MetricsFactory {
  func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
    PrintedTimer(label + dimensions.map { " \($0)=\($1)" }.joined())
  }
  func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
    NOOPMetricsHandler.instance
  }
  func makeRecorder(
    label: String, dimensions: [(String, String)], aggregate: Bool
  ) -> any RecorderHandler { NOOPMetricsHandler.instance }
  func destroyTimer(_ handler: any TimerHandler) {}
  func destroyCounter(_ handler: any CounterHandler) {}
  func destroyRecorder(_ handler: any RecorderHandler) {}
}

let builder = ContainerBuilder()
builder.singleton(named: "desk", { Desk() })
builder.timing(on: .objects("desk"), factory: PrintedMetrics())
builder.tracing(on: .objects("desk"), with: tracer)
let desk = try builder.build().object("desk", as: LendingProxy.self)
print(try desk.lend("Eden"))
print(try await desk.fetch("Solaris"))
do { _ = try desk.lend("") } catch { print(error) }
for span in tracer.finishedSpans {
  print(
    span.operationName, "parent \(span.parentSpanID ?? "none")",
    "object \(span.attributes.get("object").map { "\($0)" } ?? "none")",
    "errors \(span.errors.count)")
}
