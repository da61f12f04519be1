#if !Metrics
  public import OxbowContainer

  extension ContainerBuilder {
    /// Nothing without the trait.
    @available(
      *, unavailable,
      message:
        "write traits: [\"Metrics\"] where your package depends on oxbow: it brings swift-metrics"
    )
    public func timing(
      named name: String? = nil, on pointcut: Pointcut, label: String = "",
      order: Int = 0
    ) {}
  }
#endif
