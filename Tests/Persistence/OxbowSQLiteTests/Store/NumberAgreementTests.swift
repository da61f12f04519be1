import OxbowModel
import OxbowSQLite
import OxbowStore
import OxbowStoreContract
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Calculations at the limits of numbers mean the same in a file and in memory.
@Suite struct NumberAgreementTests {
  @Test(arguments: [1, 2, UInt64.random(in: 3...UInt64.max)])
  func `PF-09 calculations at the limits of numbers find the same objects`(seed: UInt64) throws {
    try StoreContract(.inMemory)
      .`calculations at the limits of numbers find the same objects`(
        seed: seed, rounds: PredicateAgreementTests.rounds)
  }

  // The third draws an average of numbers that are too small to be divided.
  @Test(arguments: [1, 2, 2_857_703_501_769_931_467, UInt64.random(in: 3...UInt64.max)])
  func `PF-10 columns at the limits of numbers have the same values`(seed: UInt64) throws {
    try StoreContract(.inMemory)
      .`columns at the limits of numbers have the same values`(
        seed: seed, rounds: PredicateAgreementTests.rounds)
  }

  @Test func `PF-09 decimal numbers are compared with the largest and the smallest numbers`() throws
  {
    let library = try Library(.inMemory)
    try library.save {
      $0.inserts = try [-1, 0, 1].map {
        try library.insert("Book", $0 + 2, ["price": .decimal(Decimal($0))])
      }
    }
    for (format, keys) in [
      ("price > -1e300", [1, 2, 3]), ("price < 1e300", [1, 2, 3]), ("price > 1e-300", [3]),
      ("price < -1e-300", [1]), ("price IN {1e300, 0.0}", [2]), ("NOT price <= -1e200", [1, 2, 3]),
      ("price BETWEEN {-1e300, 1e-300}", [1, 2]), ("price != 1e300", [1, 2, 3]),
    ] as [(String, [Int64])] {
      #expect(try library.keys("Book", FetchPredicate(format: format)) == keys, "\(format)")
    }
  }
}
