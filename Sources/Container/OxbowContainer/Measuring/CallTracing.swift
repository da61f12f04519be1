#if Tracing
  public import Tracing

  /// An aspect that makes each call a span of swift-distributed-tracing.
  ///
  /// ```swift
  /// builder.tracing(on: .objects("books"))
  /// ```
  ///
  /// The span is named by protocol and method, as in `Books.find(titleContains:limit:)`, and has
  /// the attributes `object` (the name in the container) and `method`. Spans that begin inside the
  /// call are its children, by the service context of the task. What the call throws is recorded
  /// as its error. Arguments are left out unless they are asked for: they may be secrets.
  ///
  /// A file can name the class as that of an aspect.
  public final class CallTracing: NonThrowingAspect, AsyncAspect {
    private let tracer: (any Tracer)?
    private let kind: SpanKind
    private let showsArguments: Bool

    /// Creates the aspect.
    ///
    /// - Parameters:
    ///   - tracer: What begins the spans; nil for that of the instrumentation system.
    ///   - kind: The kind of the spans.
    ///   - showsArguments: Whether the arguments are attributes as well, by number: `argument.0`.
    public init(
      tracer: (any Tracer)? = nil, kind: SpanKind = .internal, showsArguments: Bool = false
    ) {
      self.tracer = tracer
      self.kind = kind
      self.showsArguments = showsArguments
    }

    /// Makes a call a span.
    public func around(_ call: Invocation, proceed: () throws -> Void) rethrows {
      let span = begin(call)
      defer { span.end() }
      do {
        try ServiceContext.withValue(span.context) { try proceed() }
      } catch {
        fail(span, error)
        throw error
      }
    }

    /// Makes an async call a span.
    nonisolated(nonsending) public func around(
      _ call: Invocation, proceed: nonisolated(nonsending) () async throws -> Void
    ) async throws {
      let span = begin(call)
      defer { span.end() }
      do {
        try await ServiceContext.$current.withValue(span.context, operation: proceed)
      } catch {
        fail(span, error)
        throw error
      }
    }

    private func begin(_ call: Invocation) -> any Tracing.Span {
      let tracer = tracer ?? InstrumentationSystem.tracer
      let span: any Tracing.Span = tracer.startSpan(
        "\(call.protocolName).\(call.name)", ofKind: kind)
      if span.isRecording { describe(call, in: span) }
      return span
    }

    private func describe(_ call: Invocation, in span: any Tracing.Span) {
      span.updateAttributes { attributes in
        attributes["object"] = call.objectName
        attributes["method"] = call.name
        guard showsArguments else { return }
        for (number, argument) in call.arguments.enumerated() {
          attributes["argument.\(number)"] = "\(argument)"
        }
      }
    }

    private func fail(_ span: any Tracing.Span, _ error: any Error) {
      span.recordError(error)
      span.setStatus(SpanStatus(code: .error))
    }
  }

  extension CallTracing: nonisolated Component {
    /// What files can do with the class; by hand, because this target builds without macros.
    public static var componentDescriptor: ComponentDescriptor {
      ComponentDescriptor(
        CallTracing.self, name: "CallTracing", sendability: .of(), product: .of(),
        initializers: [InitializerDescriptor { CallTracing() }])
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
          to: .component(CallTracing.componentDescriptor))
      }
    )
  }

  extension ContainerBuilder {
    /// Defines an aspect that makes calls spans; see ``CallTracing``.
    ///
    /// - Parameters:
    ///   - name: The name of the aspect, unique in its container; nil for one made of the pointcut.
    ///   - pointcut: Which calls.
    ///   - tracer: What begins the spans; nil for that of the instrumentation system.
    ///   - kind: The kind of the spans.
    ///   - showsArguments: Whether the arguments are attributes as well.
    ///   - order: Aspects with smaller numbers are the outer ones.
    ///   - file: The source file that defines it, for messages.
    ///   - line: The line in that file.
    /// - Returns: A reference to the aspect.
    @discardableResult
    public func tracing(
      named name: String? = nil, on pointcut: Pointcut, with tracer: (any Tracer)? = nil,
      kind: SpanKind = .internal, showsArguments: Bool = false, order: Int = 0,
      file: String = #fileID, line: Int = #line
    ) -> Ref<CallTracing> {
      aspect(
        named: name ?? pointcut.aspectName("tracing"), on: pointcut, order: order,
        { CallTracing(tracer: tracer, kind: kind, showsArguments: showsArguments) }, file: file,
        line: line)
    }
  }
#else
  extension ContainerBuilder {
    /// Nothing without the trait.
    @available(
      *, unavailable,
      message:
        "write traits: [.defaults, \"Tracing\"] where your package depends on oxbow: it brings the tracer"
    )
    public func tracing(
      named name: String? = nil, on pointcut: Pointcut, showsArguments: Bool = false, order: Int = 0
    ) {}
  }
#endif
