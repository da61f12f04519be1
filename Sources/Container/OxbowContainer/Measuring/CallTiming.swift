#if Metrics
  public import CoreMetrics
  internal import OxbowPlatform

  /// An aspect that records how long calls take, with a timer of swift-metrics.
  ///
  /// ```swift
  /// builder.timing(on: .objects("books"))
  /// ```
  ///
  /// A timer has the dimensions `object` (the name in the container), `method` (with its labels)
  /// and `result`: `returned` or `thrown`. The time of an async call is that until it ends, with
  /// all that it waits for.
  ///
  /// A file can name the class as that of an aspect; it has the label `call.duration` then.
  public final class CallTiming: NonThrowingAspect, AsyncAspect {
    private struct Method: Hashable {
      let object: String
      let name: String
    }

    private struct Timers {
      let returned: CoreMetrics.Timer
      let thrown: CoreMetrics.Timer
    }

    private let label: String
    private let factory: (any MetricsFactory)?
    private let now: @Sendable () -> ContinuousClock.Instant
    private let timers = Lock<[Method: Timers]>([:])

    /// Creates the aspect.
    ///
    /// - Parameters:
    ///   - label: The name of the timers.
    ///   - factory: What makes the timers; nil for the metrics system's, asked for when a method is
    ///     called for the first time.
    public convenience init(
      label: String = "call.duration", factory: (any MetricsFactory)? = nil
    ) {
      self.init(label: label, factory: factory) { .now }
    }

    package init(
      label: String = "call.duration", factory: (any MetricsFactory)?,
      now: @escaping @Sendable () -> ContinuousClock.Instant
    ) {
      self.label = label
      self.factory = factory
      self.now = now
    }

    /// Records the time of a call.
    public func around(_ call: Invocation, proceed: () throws -> Void) rethrows {
      let start = now()
      do {
        try proceed()
      } catch {
        record(call, since: start, \.thrown)
        throw error
      }
      record(call, since: start, \.returned)
    }

    /// Records the time of an async call.
    nonisolated(nonsending) public func around(
      _ call: Invocation, proceed: nonisolated(nonsending) () async throws -> Void
    ) async throws {
      let start = now()
      do {
        try await proceed()
      } catch {
        record(call, since: start, \.thrown)
        throw error
      }
      record(call, since: start, \.returned)
    }

    private func record(
      _ call: Invocation, since start: ContinuousClock.Instant, _ timer: KeyPath<Timers, Timer>
    ) {
      let time = start.duration(to: now())
      let method = Method(object: call.objectName ?? call.protocolName, name: call.name)
      timers(of: method)[keyPath: timer].recordNanoseconds(Int64(time / .nanoseconds(1)))
    }

    private func timers(of method: Method) -> Timers {
      timers.withLock { timers in
        if let known = timers[method] { return known }
        let made = Timers(
          returned: timer(of: method, "returned"), thrown: timer(of: method, "thrown"))
        timers[method] = made
        return made
      }
    }

    private func timer(of method: Method, _ result: String) -> CoreMetrics.Timer {
      let dimensions = [("object", method.object), ("method", method.name), ("result", result)]
      guard let factory else { return Timer(label: label, dimensions: dimensions) }
      return Timer(label: label, dimensions: dimensions, factory: factory)
    }
  }

  extension CallTiming: nonisolated Component {
    /// What files can do with the class; by hand, because this target builds without macros.
    public static var componentDescriptor: ComponentDescriptor {
      ComponentDescriptor(
        CallTiming.self, name: "CallTiming", sendability: .of(), product: .of(),
        initializers: [InitializerDescriptor { CallTiming() }])
    }

    #if objectFormat(MachO)
      @section("__DATA_CONST,__oxbow") @used
    #elseif objectFormat(ELF)
      @section("oxbow_components") @used
    #endif
    private static let record: ComponentRecord = (
      version: 1,
      describe: {
        $0.assumingMemoryBound(to: RegistryEntry.self).initialize(
          to: .component(CallTiming.componentDescriptor))
      }
    )
  }

  extension ContainerBuilder {
    /// Defines an aspect that records how long calls take; see ``CallTiming``.
    ///
    /// - Parameters:
    ///   - name: The name of the aspect, unique in its container; nil for one made of the pointcut.
    ///   - pointcut: Which calls.
    ///   - label: The name of the timers.
    ///   - factory: What makes the timers; nil for that of the metrics system.
    ///   - order: Aspects with smaller numbers are the outer ones.
    ///   - file: The source file that defines it, for messages.
    ///   - line: The line in that file.
    /// - Returns: A reference to the aspect.
    @discardableResult
    public func timing(
      named name: String? = nil, on pointcut: Pointcut, label: String = "call.duration",
      factory: (any MetricsFactory)? = nil, order: Int = 0, file: String = #fileID,
      line: Int = #line
    ) -> Ref<CallTiming> {
      aspect(
        named: name ?? pointcut.aspectName("timing"), on: pointcut, order: order,
        { CallTiming(label: label, factory: factory) },
        file: file, line: line)
    }
  }
#else
  extension ContainerBuilder {
    /// Nothing without the trait.
    @available(
      *, unavailable,
      message:
        "write traits: [.defaults, \"Metrics\"] where your package depends on oxbow: it brings swift-metrics"
    )
    public func timing(
      named name: String? = nil, on pointcut: Pointcut, label: String = "", order: Int = 0
    ) {}
  }
#endif
