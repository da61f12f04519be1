/// One object for the whole container, built when somebody first asks.
package struct SingletonScope: Scope {
  package let name = "singleton"
  package let sharing = Sharing.shared

  package init() {}

  package func makeProvider<T>(
    _ type: T.Type, named name: String, in group: CycleGroup, linker: Linker
  ) throws -> ScopedProvider<T> {
    let provider = SingletonProvider<T>(name: name, group: group, linker: linker)
    group.shared.append(provider)
    return provider
  }
}

/// Keeps a singleton.
///
/// The value is guarded by the group's cell: the thread that builds writes it, others read it after an
/// acquiring load has said that the cell is ready. It stays until the container's life has ended, for a
/// thread may be about to retain it.
private final class SingletonProvider<T>: ScopedProvider<T>, SharedMember, @unchecked Sendable {
  @exclusivity(unchecked) private var kept = OnceValue<T>()
  private var value: T? {
    get { kept.value }
    set { kept.set(newValue) }
  }

  override var isBuilt: Bool { group.cell.isReady }
  override var existing: Any? { group.cell.isReady ? value : nil }

  override func make(_ session: Session?) throws -> T {
    if group.cell.isReady, kept.isFilled { return kept.filled }
    return try slowMake(session)
  }

  /// Apart from `make`, whose prologue would look up the optionals of this one.
  @inline(never) private func slowMake(_ session: Session?) throws -> T {
    if group.cell.isReady, let value { return value }
    if let session, session.group === group { return try early(in: session) }
    try group.buildShared(for: name)
    if let value { return value }
    return try linked().fresh(session)
  }

  func construct(in session: Session) throws { _ = try early(in: session) }

  func discard() { value = nil }

  func abandon() {
    if let value { disposals.abandon(value, named: name) }
    discard()
  }

  override func unlink() {
    super.unlink()
    value = nil
  }

  private func early(in session: Session) throws -> T {
    if let value { return value }
    return try session.apart { try build(in: session) }
  }

  private func build(in session: Session) throws -> T {
    let construction = try linked()
    let object = try construction.construct(session)
    value = object
    session.inject(object, by: construction) { [self] in value = $0 }
    return object
  }
}
