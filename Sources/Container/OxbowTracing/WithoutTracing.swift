#if !Tracing
  public import OxbowContainer

  extension ContainerBuilder {
    /// Nothing without the trait.
    @available(
      *, unavailable,
      message:
        "write traits: [\"Tracing\"] where your package depends on oxbow: it brings the tracer"
    )
    public func tracing(
      named name: String? = nil, on pointcut: Pointcut, showsArguments: Bool = false,
      order: Int = 0
    ) {}
  }
#endif
