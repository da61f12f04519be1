#if Metrics
  import CoreMetrics
  import MetricsTestKit
  import Oxbow
  import Synchronization
  import Testing

  @Proxied(aspects: true) protocol Baker {
    func bake(_ loaves: Int) throws -> Int
    func name() throws -> String
    func deliver(to place: String) async throws -> String
  }
  extension BakerProxy: BakerForwarding {}

  struct Burnt: Error {}

  @Component final class Miller: Baker, Sendable {
    init() {}
    func bake(_ loaves: Int) throws -> Int { if loaves > 9 { throw Burnt() } else { loaves } }
    func name() -> String { "Miller" }
    func deliver(to place: String) async throws -> String {
      if place.isEmpty { throw Burnt() }
      await Task.yield()
      return place
    }
  }

  /// A clock that is 5 ns later at each look.
  private final class Ticks: Sendable {
    private let count = Atomic(0)
    private let start = ContinuousClock.now
    func now() -> ContinuousClock.Instant {
      start + .nanoseconds(count.add(5, ordering: .relaxed).newValue)
    }
  }

  @Suite struct CallTimingTests {
    private let metrics = TestMetrics()

    private func baker(
      _ name: String = "miller", define: (ContainerBuilder) -> Void
    ) throws -> BakerProxy {
      let builder = ContainerBuilder()
      builder.singleton(named: name, { Miller() })
      define(builder)
      return try builder.build().object(name, as: BakerProxy.self)
    }

    private func times(
      _ method: String, _ result: String, object: String = "miller",
      label: String = "call.duration"
    ) throws -> [Int64] {
      try metrics.expectTimer(
        label, [("object", object), ("method", method), ("result", result)]
      ).values
    }

    @Test func `the time of calls is recorded, by method and result`() async throws {
      let ticks = Ticks()
      let miller = try baker { builder in
        builder.aspect(named: "timing", on: .objects("miller")) { [metrics] in
          CallTiming(factory: metrics, now: ticks.now)
        }
      }
      #expect(try miller.bake(2) == 2)
      #expect(try miller.bake(3) == 3)
      #expect(throws: Burnt.self) { try miller.bake(10) }
      #expect(try miller.name() == "Miller")
      #expect(try await miller.deliver(to: "Rome") == "Rome")
      await #expect(throws: Burnt.self) { try await miller.deliver(to: "") }
      #expect(try times("bake(_:)", "returned") == [5, 5])
      #expect(try times("bake(_:)", "thrown") == [5])
      #expect(try times("name()", "returned") == [5])
      #expect(try times("deliver(to:)", "returned") == [5])
      #expect(try times("deliver(to:)", "thrown") == [5])
    }

    @Test func `an aspect inside is part of the time, and one outside is not`() throws {
      let ticks = Ticks()
      let miller = try baker { builder in
        builder.aspect(named: "looks", on: .objects("miller"), order: 1) { Looking(ticks) }
        builder.aspect(named: "timing", on: .objects("miller")) { [metrics] in
          CallTiming(factory: metrics, now: ticks.now)
        }
        builder.aspect(named: "looksBefore", on: .objects("miller"), order: -1) { Looking(ticks) }
      }
      #expect(try miller.bake(2) == 2)
      #expect(try times("bake(_:)", "returned") == [10])
    }

    @Test func `a builder defines it, with a label and the factory of the task`() throws {
      let miller = try baker("second") {
        $0.timing(on: .objects("second").methods("bake"), label: "bakery")
      }
      try withMetricsFactory(metrics) {
        _ = try miller.bake(1)
        _ = try miller.name()
      }
      #expect(try times("bake(_:)", "returned", object: "second", label: "bakery").count == 1)
      #expect(metrics.timers.count == 2)
    }

    @Test func `a file names it as an aspect`() throws {
      let builder = ContainerBuilder()
      try builder.load(
        text: """
          <container>
            <entity id="miller" class="Miller" singleton="true"/>
            <aop:config>
              <aspect id="timing" class="CallTiming">
                <joinpoint expression="object||miller||(bake)"/>
              </aspect>
            </aop:config>
          </container>
          """, file: "context.xml")
      let miller = try builder.build().object("miller", as: BakerProxy.self)
      try withMetricsFactory(metrics) { _ = try miller.bake(1) }
      #expect(try times("bake(_:)", "returned").count == 1)
    }
  }

  /// Looks at the clock.
  private final class Looking: NonThrowingAspect, AsyncAspect {
    private let ticks: Ticks
    init(_ ticks: Ticks) { self.ticks = ticks }
    func before(_ call: Invocation) { _ = ticks.now() }
  }
#endif
