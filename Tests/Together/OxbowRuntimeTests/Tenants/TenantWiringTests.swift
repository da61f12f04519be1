import Foundation
import OxbowRuntime
import OxbowTestSupport
import Testing

/// Stores of tenants in a container: repositories are written and wired as for one store.
@Suite(.timeLimit(.minutes(30))) struct TenantWiringTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func container(
    limit: Int = 4,
    _ more: (ContainerBuilder, Ref<any ObjectContext & Sendable>) -> Void = { _, _ in }
  ) throws -> Container {
    let builder = ContainerBuilder()
    let context = builder.tenantStores(
      in: folder.path, types: [Memo.self], limit: limit, createsStores: true)
    builder.singleton(named: "memos", { TenantMemos(context: $0) }, context)
    more(builder, context)
    return try builder.build()
  }

  private func expect(_ count: Int, of memos: TenantMemos) throws {
    #expect(try memos.count() == count)
  }

  @Test func `a repository that knows nothing of tenants works for the current one`() async throws {
    let container = try container(limit: 1)
    let (memos, tenants) = try (
      container.object("memos", as: TenantMemos.self),
      container.object("tenants", as: TenantStores.self)
    )
    for name in ["a", "b", "a"] {
      try await tenants.withTenant(name) {
        try memos.add()
        try memos.save()
      }
    }
    try await tenants.withTenant("a") { try expect(2, of: memos) }
    try await tenants.withTenant("b") { try expect(1, of: memos) }
    let outside = #expect(throws: PersistenceError.self) { try memos.count() }
    #expect(outside?.code == .noTenant)
    try container.shutDown()
    let closed = await #expect(throws: PersistenceError.self) {
      try await tenants.withTenant("a") {}
    }
    #expect(closed?.code == .storeClosed)
  }

  @Test func `a shared store in the same container is not that of the current tenant`() async throws
  {
    let builder = ContainerBuilder()
    let shared = builder.persistentStore(at: .temporary, types: [Memo.self])
    let own = builder.tenantStores(
      "own", in: folder.path, types: [Memo.self], createsStores: true)
    builder.singleton(named: "shared", { TenantMemos(context: $0) }, shared)
    builder.singleton(named: "own", { TenantMemos(context: $0) }, own)
    let container = try builder.build()
    let (all, memos, tenants) = try (
      container.object("shared", as: TenantMemos.self),
      container.object("own", as: TenantMemos.self),
      container.object("ownTenants", as: TenantStores.self)
    )
    try await tenants.withTenant("a") {
      try memos.add()
      let unbound = #expect(throws: PersistenceError.self) { try all.add() }
      #expect(unbound?.code == .insideTask)
      try await all.context.withTaskContext {
        try all.add()
        try all.save()
        try expect(1, of: all)
      }
      try memos.add()
      try memos.save()
      try expect(2, of: memos)
      let aspect = Transactional(context: tenants.contexts, .requiresNew)
      try await all.context.withTaskContext {
        try aspect.around(Invocation("add", of: "Memos", arguments: 0)) {
          try expect(2, of: memos)
          try expect(1, of: all)
        }
      }
    }
    try await all.context.withTaskContext {
      try tenants.withTenant("a") {
        try expect(2, of: memos)
        try expect(1, of: all)
        let aspect = Transactional(context: tenants.contexts, .requiresNew)
        try aspect.around(Invocation("add", of: "Memos", arguments: 0)) {
          try expect(2, of: memos)
          try expect(1, of: all)
        }
      }
    }
    try container.shutDown()
  }

  @Test func `transactions are the current tenant's, new ones as well`() async throws {
    let tenants = try TenantStores(in: folder.path, types: [Memo.self], createsStores: true)
    defer { tenants.close() }
    let memos = TenantMemos(context: tenants.contexts)
    for propagation in [Transactional.Propagation.required, .requiresNew] {
      let aspect = Transactional(context: tenants.contexts, propagation)
      @Sendable func work() throws {
        try tenants.withTenant("a") {
          try Self.add(to: memos, aspect, fails: false)
          #expect(throws: Refused.self) { try Self.add(to: memos, aspect, fails: true) }
        }
      }
      try work()
      try onThreads(1) { _ in try work() }
    }
    try await tenants.withTenant("a") { try expect(4, of: memos) }
    try await tenants.withTenant("b") { try expect(0, of: memos) }
  }

  private static func add(to memos: TenantMemos, _ aspect: Transactional, fails: Bool) throws {
    try aspect.around(Invocation("add", of: "Memos", arguments: 0)) {
      try memos.add()
      if fails { throw Refused() }
    }
  }

  @Test func `an object of tenant scope ends before its tenant's store is closed, and may use it`()
    async throws
  {
    let container = try container(limit: 1) { builder, context in
      let tally = builder.singleton(
        named: "tally", traits: .tenant, { Tally(context: $0) }, context)
      builder.singleton(named: "desk", { Desk(tally: $0) }, tally.provider)
    }
    let desk = try container.object("desk", as: Desk.self)
    let tenants = try container.object("tenants", as: TenantStores.self)
    let memos = try container.object("memos", as: TenantMemos.self)
    try await tenants.withTenant("a") { _ = try desk.tally() }
    try await tenants.withTenant("b") {
      #expect(try memos.count() == 0)
      _ = try desk.tally()
    }
    // Each end has left a memo in the store of its tenant.
    try await tenants.withTenant("a") { try expect(1, of: memos) }
    try await tenants.withTenant("b") { try expect(1, of: memos) }
    #expect(throws: ContainerError.self) { try desk.tally() }
    try await tenants.withTenant("b") { _ = try desk.tally() }
    try container.shutDown()
    let again = try TenantStores(in: folder.path, types: [Memo.self])
    defer { again.close() }
    #expect(try await again.perform("b") { try $0.count(FetchRequest<Memo>()) } == 2)
  }

  @Test func `an entity that the stores lack is a problem of build()`() throws {
    let builder = ContainerBuilder()
    let context = builder.tenantStores(in: folder.path, types: [])
    builder.singleton(named: "memos", { StoredMemos(context: $0) }, context)
    let error = #expect(throws: ContainerError.self) { try builder.build() }
    let problem = error?.problems.first
    #expect(problem?.message == "object \"memos\": the model of its store has no entity 'Memo'")
    #expect(problem?.nextStep == "add 'Memo.self' to 'types' of its store")
  }

  @Test func `a container with two sets of stores gives each repository its own`() async throws {
    try FileManager.default.createDirectory(
      atPath: folder.file("archive"), withIntermediateDirectories: true)
    let container = try container { builder, _ in
      let archive = builder.tenantStores(
        "archive", in: folder.file("archive"), types: [Memo.self], createsStores: true)
      builder.singleton(named: "old", { TenantMemos(context: $0) }, archive)
    }
    let memos = try container.object("memos", as: TenantMemos.self)
    let old = try container.object("old", as: TenantMemos.self)
    let current = try container.object("tenants", as: TenantStores.self)
    let archive = try container.object("archiveTenants", as: TenantStores.self)
    try await current.withTenant("a") {
      try await archive.withTenant("a") {
        try old.add()
        try old.save()
        #expect(try old.count() == 1)
        #expect(try memos.count() == 0)
      }
    }
    try container.shutDown()
  }

  @Test func `an object that is asked for inside of two tenants belongs to both`() async throws {
    try FileManager.default.createDirectory(
      atPath: folder.file("archive"), withIntermediateDirectories: true)
    let container = try container(limit: 1) { builder, context in
      _ = builder.tenantStores(
        "archive", in: folder.file("archive"), types: [Memo.self], createsStores: true)
      let tally = builder.singleton(
        named: "tally", traits: .tenant, { Tally(context: $0) }, context)
      builder.singleton(named: "desk", { Desk(tally: $0) }, tally.provider)
    }
    let desk = try container.object("desk", as: Desk.self)
    let memos = try container.object("memos", as: TenantMemos.self)
    let current = try container.object("tenants", as: TenantStores.self)
    let archive = try container.object("archiveTenants", as: TenantStores.self)
    func inside(_ tenant: String) async throws -> ObjectIdentifier {
      try await current.withTenant(tenant) {
        let alone = ObjectIdentifier(try desk.tally())
        let both = try await archive.withTenant("old") { ObjectIdentifier(try desk.tally()) }
        #expect(alone != both)
        return try await archive.withTenant("old") {
          try await current.withTenant(tenant) {
            let third = ObjectIdentifier(try desk.tally())
            #expect(third != both && third != alone)
          }
          return ObjectIdentifier(try desk.tally())
        }
      }
    }
    let first = try await inside("a")
    #expect(try await inside("a") == first)
    // Its store is closed for another one, and what belonged to it and to the archive has ended.
    #expect(try await inside("b") != first)
    try await current.withTenant("a") { try expect(3, of: memos) }
    try container.shutDown()
    let again = try TenantStores(in: folder.path, types: [Memo.self])
    defer { again.close() }
    #expect(try await again.perform("b") { try $0.count(FetchRequest<Memo>()) } == 3)
  }
}

private struct Refused: Error {}

/// What a tenant has while its store is open; its end is noted in the store.
private final class Tally: Disposable {
  let context: any ObjectContext & Sendable

  init(context: any ObjectContext & Sendable) { self.context = context }

  func dispose() throws {
    try context.insert(Memo.self) { $0.text = "ended" }
    try context.save()
  }
}

private struct Desk: Sendable {
  let tally: Provider<Tally>
}

private struct StoredMemos: Stored {
  typealias Entity = Memo
  let context: any ObjectContext & Sendable
}

private final class TenantMemos: Sendable {
  let context: any ObjectContext & Sendable

  init(context: any ObjectContext & Sendable) { self.context = context }

  func add() throws { try context.insert(Memo.self) { $0.text = "x" } }
  func save() throws { try context.save() }
  func count() throws -> Int { try context.count(FetchRequest<Memo>()) }
}
