/// One object for the whole container, built when somebody first asks.
struct SingletonScope: Scope {
  let name = "singleton"
  let sharing = Sharing.shared

  func makeProvider<T>(of type: T.Type, _ setup: ProviderSetup) throws -> ScopedProvider<T> {
    let provider = SingletonProvider<T>(setup)
    setup.group.shared.append(provider)
    return provider
  }
}

/// Keeps a singleton.
///
/// The value is guarded by the group's cell: the thread that builds writes it, others read it after
/// an acquiring load has said that the cell is ready. It stays until the container's life has
/// ended, for a thread may be about to retain it.
private final class SingletonProvider<T>: ScopedProvider<T>, CycleMember, @unchecked Sendable {
  @exclusivity(unchecked) private var kept = OnceValue<T>()
  private var value: T? {
    get { kept.value }
    set { kept.set(newValue) }
  }

  override var isBuilt: Bool { group.cell.isReady }
  override var existing: Any? { group.cell.isReady ? value : nil }

  /// The last of the group to end has those of all.
  override var belongings: [Belongings.Item] {
    group.cell.isReady && group.shared.first === self ? group.belongings : []
  }

  override func make(_ context: BuildContext?) throws -> T {
    if group.cell.isReady, kept.isFilled { return kept.filled }
    return try slowMake(context)
  }

  /// Apart from `make`, whose prologue would look up the optionals of this one.
  @inline(never) private func slowMake(_ context: BuildContext?) throws -> T {
    if group.cell.isReady, let value { return value }
    if let context, context.group === group { return try unfinished(in: context) }
    try group.buildShared(for: name)
    if let value { return value }
    return try fresh(in: context)
  }

  override func construct(in context: BuildContext) throws { _ = try unfinished(in: context) }

  /// The value is where others look for it.
  func publish(_ context: BuildContext, in objects: LocalObjects?) {}

  override func discard(
    _ context: BuildContext, in objects: LocalObjects?, _ ended: inout Set<ObjectIdentifier>
  ) {
    if let value { discard(value, in: nil, &ended) }
    value = nil
  }

  func abandon() {
    if let value { disposals.abandon(value, named: name) }
    value = nil
  }

  override func takeApart() {
    super.takeApart()
    value = nil
  }

  private func unfinished(in context: BuildContext) throws -> T {
    if let value { return value }
    return try context.apart { try build(in: context) }
  }

  private func build(in context: BuildContext) throws -> T {
    let construction = try construction()
    let object = try construction.construct(context)
    value = object
    context.inject(object, by: construction) { [self] object, _ in value = object }
    return object
  }
}
