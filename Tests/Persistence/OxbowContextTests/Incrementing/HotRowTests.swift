import Foundation
import OxbowContext
import OxbowModel
import OxbowPlatform
import OxbowSQLite
import OxbowStore
import OxbowTestSupport
import Testing

@Suite struct HotRowTests {
  @Test(arguments: [1, 20])
  func `PS-18 eight threads increment a few rows without a retry, and the sum is right`(
    rows: Int
  ) async throws {
    let folder = try TemporaryFolder()
    let bank = try Bank(at: .file(folder.file("bank.sqlite")))
    let ids = try (0..<rows).map { _ in try bank.account() }
    let errors = Lock<[String]>([])
    await withCheckedContinuation { continuation in
      let left = Lock(8)
      for thread in 0..<8 {
        Thread {
          do {
            let context = ManagedObjectContext(
              coordinator: bank.coordinator, name: "thread \(thread)",
              owner: ContextOwner.currentThread)
            for step in 0..<40 {
              let id = ids[(thread + step) % rows]
              let account = try context.existingObject(with: id, as: Deposit.self)
              try context.increment(\Deposit.balance, of: account, by: 1)
              try context.increment(\Deposit.price, of: account, by: Decimal(step))
              try context.save()
            }
          } catch { errors.withLock { $0.append("\(error)") } }
          if left.withLock({
            $0 -= 1; return $0
          }) == 0 {
            continuation.resume()
          }
        }.start()
      }
    }
    #expect(errors.withLock { $0 } == [])
    let context = bank.context()
    let accounts = try context.fetch(Deposit.self)
    #expect(accounts.reduce(0) { $0 + $1.balance } == 8 * 40)
    #expect(accounts.reduce(Decimal(0)) { $0 + $1.price } == Decimal(8 * 39 * 20))
    bank.coordinator.close()
  }
}
