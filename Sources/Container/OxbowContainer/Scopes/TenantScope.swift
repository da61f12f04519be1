/// One object for each tenant, for as long as the tenant's store is open.
///
/// All threads and tasks that work for the tenant share it, so it is `Sendable`. It is reached in
/// `withObject` bodies and through providers, which find that of the current tenant, and only other
/// objects of tenant scope may refer to it.
struct TenantScope: Scope {
  static let name = "tenant"

  var name: String { Self.name }
  let sharing = Sharing.confined

  func makeProvider<T>(of type: T.Type, _ setup: ProviderSetup) throws -> ScopedProvider<T> {
    let provider = TenantProvider<T>(setup)
    setup.group.ofTenants.append(provider)
    return provider
  }
}

/// Keeps one object for each tenant, in its slot.
///
/// A group is built once for all threads that work for the tenant, and published when all of it is
/// complete.
private final class TenantProvider<T>: ScopedProvider<T>, CycleMember, @unchecked Sendable {
  // Sendable by argument: nothing changes here; the objects are in the storage of their tenants.

  private let storage: TenantStorage
  private let slot: Int

  override init(_ setup: ProviderSetup) {
    storage = setup.services.tenants
    slot = storage.reserveSlot()
    super.init(setup)
  }

  /// Whether the current tenant has its object.
  override var isBuilt: Bool { (try? storage.objects(for: name).box(in: slot)) != nil }

  override func make(_ context: BuildContext?) throws -> T {
    let objects = try storage.objects(for: name)
    if let object = object(in: objects) { return object }
    if let context, context.group === group { return try early(in: context) }
    try objects.cell(of: ObjectIdentifier(group), for: name).run(
      for: name, unless: { object(in: objects) != nil }
    ) { try group.build(group.ofTenants) }
    if let object = object(in: objects) { return object }
    throw ContainerError(.tenantOver(name), getting: name)
  }

  private func object(in objects: TenantObjects) -> T? {
    objects.box(in: slot).map { unsafeDowncast($0, to: ObjectBox<T>.self).value }
  }

  func publish(_ context: BuildContext, in _: LocalObjects?) {
    guard let object = context.object(of: self) else { return }
    // The first is dropped last.
    let belongings = group.ofTenants.first === self ? context.belongings?.items ?? [] : []
    let box = ObjectBox(object, disposal: disposal(of: object, and: belongings, in: nil))
    // No work is done for the tenant any more where it has no objects.
    guard let objects = try? storage.objects(for: name) else { return box.willDrop() }
    objects.keep(box, in: slot)
  }
}
