#if Tracing
  import InMemoryTracing
  import Oxbow
  import Testing
  import Tracing

  @Proxied(aspects: true) protocol Post {
    func send(_ letter: String, to place: String) throws -> String
    func name() throws -> String
    func carry(_ letter: String) async throws -> String
  }
  extension PostProxy: PostForwarding {}

  struct Lost: Error {}

  /// Sends by the one behind it, if there is one.
  @Component final class Office: Post, Sendable {
    let next: (any Post & Sendable)?
    init() { next = nil }
    init(next: any Post & Sendable) { self.next = next }

    func send(_ letter: String, to place: String) throws -> String {
      if place.isEmpty { throw Lost() }
      return try next?.send(letter, to: place) ?? letter
    }
    func name() throws -> String { try next?.name() ?? "last" }
    func carry(_ letter: String) async throws -> String {
      if letter.isEmpty { throw Lost() }
      await Task.yield()
      return try await next?.carry(letter) ?? letter
    }
  }

  @Suite struct CallTracingTests {
    private let tracer = InMemoryTracer()

    private func office(showsArguments: Bool = false) throws -> PostProxy {
      let builder = ContainerBuilder()
      let last = builder.singleton(named: "last", { Office() })
      let next = builder.proxy(named: "next", .lazy, of: last, as: PostProxy.self)
      builder.singleton(named: "office", { Office(next: $0) }, next)
      builder.tracing(
        on: .objects("office", "last"), with: tracer, kind: .client,
        showsArguments: showsArguments)
      return try builder.build().object("office", as: PostProxy.self)
    }

    private func span(_ object: String) throws -> FinishedInMemorySpan {
      try #require(
        tracer.finishedSpans.first { $0.attributes.get("object") == .string(object) })
    }

    @Test func `a call is a span, and calls inside are its children`() throws {
      #expect(try office().send("a", to: "Rome") == "a")
      let (outer, inner) = (try span("office"), try span("last"))
      #expect(tracer.finishedSpans.count == 2)
      #expect(outer.operationName == "Post.send(_:to:)")
      #expect(outer.kind == .client)
      #expect(outer.attributes.get("method") == .string("send(_:to:)"))
      #expect(outer.parentSpanID == nil)
      #expect(inner.parentSpanID == outer.spanID)
      #expect(inner.traceID == outer.traceID)
      #expect(outer.errors.isEmpty && outer.status == nil)
    }

    @Test func `so it is with async calls, and with others`() async throws {
      let office = try office()
      #expect(try await office.carry("a") == "a")
      #expect(try span("last").parentSpanID == span("office").spanID)
      tracer.clearFinishedSpans()
      #expect(try office.name() == "last")
      #expect(try span("last").parentSpanID == span("office").spanID)
    }

    @Test func `the span of the caller is the parent`() async throws {
      let office = try office()
      try await tracer.withSpan("request") { request in
        _ = try office.send("a", to: "Rome")
        #expect(try span("office").parentSpanID == request.context.inMemorySpanContext?.spanID)
        tracer.clearFinishedSpans()
        _ = try await office.carry("b")
        #expect(try span("office").parentSpanID == request.context.inMemorySpanContext?.spanID)
      }
    }

    @Test func `errors are recorded, and thrown on`() async throws {
      let office = try office()
      #expect(throws: Lost.self) { try office.send("a", to: "") }
      #expect(try span("office").errors.map { $0.error is Lost } == [true])
      #expect(try span("office").status?.code == .error)
      tracer.clearFinishedSpans()
      await #expect(throws: Lost.self) { try await office.carry("") }
      #expect(try span("office").errors.count == 1)
      #expect(tracer.activeSpans.isEmpty)
    }

    @Test func `arguments are attributes when they are asked for`() throws {
      _ = try office(showsArguments: true).send("a", to: "Rome")
      #expect(try span("last").attributes.get("argument.1") == .string("Rome"))
      tracer.clearFinishedSpans()
      _ = try office().send("a", to: "Rome")
      #expect(try span("last").attributes.get("argument.1") == nil)
    }

    @Test func `a file names it as an aspect, of the process's tracer`() throws {
      let builder = ContainerBuilder()
      try builder.load(
        text: """
          <container>
            <entity id="office" class="Office" singleton="true"/>
            <aop:config>
              <aspect id="tracing" class="CallTracing">
                <joinpoint expression="object||office||(send)"/>
              </aspect>
            </aop:config>
          </container>
          """, file: "context.xml")
      let office = try builder.build().object("office", as: PostProxy.self)
      // The process has none, so the span has no parent; the call goes through.
      #expect(try office.send("a", to: "Rome") == "a")
    }
  }
#endif
