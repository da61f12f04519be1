import Oxbow
import OxbowTestSupport
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

// The code of docs/guide/tenants.md.

/// The server of the guide, with a store for each of its customers.
enum TenantsGuide {
  @Entity final class Invoice: ManagedObject {
    var number: Int
    var paid: Bool
  }

  static func open(_ folder: String) throws -> TenantStores {
    try TenantStores(
      in: folder, types: [Invoice.self], limit: 200,
      migrations: StoreMigrations(.automatic))
  }

  static func add(_ number: Int, for tenant: String, in tenants: TenantStores) async throws {
    try await tenants.perform(tenant) { context in
      try context.insert(Invoice.self) { invoice in
        invoice.number = number
        invoice.paid = false
      }
      try context.save()
    }
  }

  struct Invoices: Sendable {
    let context: any ObjectContext & Sendable

    func pay(_ number: Int) throws {
      let found = try context.fetch(Invoice.self, where: #Predicate { $0.number == number })
      for invoice in found { invoice.paid = true }
      try context.save()
    }
  }

  final class Rates: Sendable {
    let invoices: Invoices
    init(invoices: Invoices) { self.invoices = invoices }
  }

  struct Desk: Sendable {
    let rates: Provider<Rates>
  }

  static func container(_ folder: String) throws -> Container {
    let builder = ContainerBuilder()
    let context = builder.tenantStores(in: folder, types: [Invoice.self], limit: 200)
    let invoices = builder.singleton(named: "invoices", { Invoices(context: $0) }, context)
    let rates = builder.singleton(traits: .tenant, Rates.init(invoices:), invoices)
    builder.singleton(named: "desk", { Desk(rates: $0) }, rates.provider)
    return try builder.build()
  }

  static func pay(_ number: Int, for tenant: String, in container: Container) async throws {
    let tenants = try container.object("tenants", as: TenantStores.self)
    let invoices = try container.object("invoices", as: Invoices.self)
    try await tenants.withTenant(tenant) { try invoices.pay(number) }
  }

  static func export(_ tenant: String, from tenants: TenantStores) async throws -> [Int] {
    try await tenants.withStore(tenant) { store in
      var numbers: [Int] = []
      let request = FetchRequest<Invoice>(sortedBy: [SortKey(\.number)])
      for try await number in store.stream(request, row: { $0.number }) { numbers.append(number) }
      return numbers
    }
  }

  static func remind(_ tenants: TenantStores) async throws -> [TenantFailure] {
    try await tenants.forEach(atOnce: 8) { tenant, store in
      let open = try await store.perform { context in
        try context.count(FetchRequest<Invoice>(where: .equal("paid", false)))
      }
      if open > 0 { print("\(tenant) has \(open) open invoices") }
    }
  }
}

@Suite struct TenantsGuideTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func `each customer has a store, repositories work for the current one`() async throws {
    let tenants = try TenantsGuide.open(folder.path)
    let unknown = await #expect(throws: PersistenceError.self) {
      try await TenantsGuide.add(1, for: "acme", in: tenants)
    }
    #expect(unknown?.code == .unknownTenant)
    for tenant in ["acme", "zeta"] {
      try await tenants.create(tenant)
      for number in 1...3 { try await TenantsGuide.add(number, for: tenant, in: tenants) }
    }
    #expect(try await TenantsGuide.export("acme", from: tenants) == [1, 2, 3])
    tenants.close()

    let container = try TenantsGuide.container(folder.path)
    try await TenantsGuide.pay(2, for: "acme", in: container)
    let again = try container.object("tenants", as: TenantStores.self)
    let unpaid = FetchRequest<TenantsGuide.Invoice>(where: .equal("paid", false))
    #expect(try await again.perform("acme") { try $0.count(unpaid) } == 2)
    #expect(try await again.perform("zeta") { try $0.count(unpaid) } == 3)
    let desk = try container.object("desk", as: TenantsGuide.Desk.self)
    let (a, b, c) = try await (
      again.withTenant("acme") { try desk.rates() },
      again.withTenant("zeta") { try desk.rates() },
      again.withTenant("acme") { try desk.rates() }
    )
    #expect(a === c)
    #expect(a !== b)
    #expect(try await TenantsGuide.remind(again).isEmpty)
    try container.shutDown()
  }
}
