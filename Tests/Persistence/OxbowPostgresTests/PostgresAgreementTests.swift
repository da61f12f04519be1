#if PostgreSQL
  import Foundation
  import OxbowModel
  import OxbowPostgres
  import OxbowStore
  import OxbowStoreContract
  import OxbowTestSupport
  import Testing

  /// Predicates, orders and searches mean the same on a server and in memory.
  @Suite(.enabled(if: TestServer.shared != nil)) struct PostgresAgreementTests {
    /// How many conditions are tried for each seed: `OXBOW_AGREEMENT_ROUNDS`, or 400.
    static let rounds =
      ProcessInfo.processInfo.environment["OXBOW_AGREEMENT_ROUNDS"].flatMap { Int($0) } ?? 400

    @Test(arguments: [1, 2, 3, UInt64.random(in: 4...UInt64.max)])
    func `random predicates find the same objects on a server and in memory`(seed: UInt64) throws {
      try StoreContract()
        .`random predicates find the same objects in the store and in memory`(
          seed: seed, rounds: Self.rounds)
    }

    @Test(arguments: [1, UInt64.random(in: 2...UInt64.max)])
    func `calculations and columns at the limits of numbers are the same on a server and in memory`(
      seed: UInt64
    ) throws {
      let contract = StoreContract<PostgresStore>()
      try contract.`calculations at the limits of numbers find the same objects`(
        seed: seed, rounds: Self.rounds)
      try contract.`columns at the limits of numbers have the same values`(
        seed: seed, rounds: Self.rounds)
    }

    @Test(arguments: [1, UInt64.random(in: 2...UInt64.max)])
    func `random searches for words find the same objects on a server and in memory`(
      seed: UInt64
    ) throws {
      try StoreContract()
        .`random searches for words find the same objects in the store and in memory`(
          seed: seed, rounds: Self.rounds)
    }

    @Test(arguments: [1, 2, UInt64.random(in: 3...UInt64.max)])
    func `random orders are the same on a server and in memory`(seed: UInt64) throws {
      try StoreContract().`random orders are the same in the store and in memory`(seed: seed)
    }
  }
#endif
