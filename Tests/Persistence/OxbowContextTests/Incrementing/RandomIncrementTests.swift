import OxbowContext
import OxbowModel
import OxbowStore
import OxbowTestSupport
import Testing

/// Increments, sets, rollbacks, merges, undo and saves of three contexts, compared with what a
/// plain model of the rules says.
@Suite struct RandomIncrementTests {
  /// One account as a context should show it.
  private struct View {
    var base = 0
    var version = 0
    var pending = 0
    var value: Int?
    var shown: Int { value ?? base + pending }
    var isChanged: Bool { value != nil || pending != 0 }
  }

  private struct Row {
    var value = 0
    var version = 0
  }

  private struct Desk {
    let context: ManagedObjectContext
    let accounts: [Deposit]
    var views: [View]
    /// The accounts that others have saved since it merged, where it merges by itself.
    var news: Set<Int> = []
    var merges: Bool { context.automaticallyMergesChangesFromParent }
  }

  @Test(arguments: UInt64(1)...12)
  func `PS-18 random increments, sets and saves are what an oracle says`(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let bank = try Bank()
    let ids = try (0..<3).map { _ in try bank.account() }
    var rows = [Row](repeating: Row(), count: ids.count)
    var desks = try (0..<3).map { number in
      let context = bank.context("desk \(number)")
      let accounts = try ids.map { try context.existingObject(with: $0, as: Deposit.self) }
      context.automaticallyMergesChangesFromParent = number == 2
      return Desk(context: context, accounts: accounts, views: .init(repeating: View(), count: 3))
    }
    for step in 0..<300 {
      let desk = Int.random(in: 0..<3, using: &random)
      let before = rows.map(\.version)
      try act(&desks[desk], &rows, &random)
      for other in desks.indices where other != desk && desks[other].merges {
        desks[other].news.formUnion(rows.indices.filter { rows[$0].version != before[$0] })
      }
      for (index, account) in desks[desk].accounts.enumerated() {
        #expect(
          account.balance == desks[desk].views[index].shown,
          "seed \(seed), step \(step), desk \(desk), account \(index)")
      }
      #expect(
        desks[desk].context.hasChanges == desks[desk].views.contains(where: \.isChanged),
        "seed \(seed), step \(step)")
    }
    for (id, row) in zip(ids, rows) {
      #expect(try bank.stored(id) { $0.balance } == row.value, "seed \(seed)")
    }
  }

  private func act(
    _ desk: inout Desk, _ rows: inout [Row], _ random: inout SeededRandom
  ) throws {
    let index = Int.random(in: 0..<3, using: &random)
    let account = desk.accounts[index]
    let amount = Int.random(in: -3...3, using: &random)
    switch Int.random(in: 0..<12, using: &random) {
    case 0..<5:
      arrive(&desk, rows)
      try desk.context.increment(\Deposit.balance, of: account, by: amount)
      if let value = desk.views[index].value {
        setValue(&desk.views[index], value + amount)
      } else {
        desk.views[index].pending += amount
      }
    case 5, 6:
      account.balance = amount
      setValue(&desk.views[index], amount)
    case 7:
      try desk.context.rollback()
      rollBack(&desk, rows)
    case 8:
      arrive(&desk, rows)
      try desk.context.refresh(account, mergingChanges: true)
      merge(&desk.views[index], rows[index])
    case 9:
      arrive(&desk, rows)
      _ = try desk.context.fetch(Deposit.self)
      for index in rows.indices where desk.views[index].value == nil {
        merge(&desk.views[index], rows[index])
      }
    default: try save(&desk, &rows)
    }
  }

  private func setValue(_ view: inout View, _ value: Int) {
    view.pending = 0
    view.value = value == view.base ? nil : value
  }

  private func merge(_ view: inout View, _ row: Row) {
    (view.base, view.version) = (row.value, row.version)
    if view.value == row.value { view.value = nil }
  }

  /// What a throwing call merges first.
  private func arrive(_ desk: inout Desk, _ rows: [Row]) {
    for index in desk.news where desk.views[index].value == nil {
      merge(&desk.views[index], rows[index])
    }
    desk.news = []
  }

  private func rollBack(_ desk: inout Desk, _ rows: [Row]) {
    for index in rows.indices {
      (desk.views[index].pending, desk.views[index].value) = (0, nil)
    }
  }

  /// A save with a set of a row that another has saved is refused as a whole; the desk then rolls
  /// back, which reads those rows anew.
  private func save(_ desk: inout Desk, _ rows: inout [Row]) throws {
    arrive(&desk, rows)
    let stale = rows.indices.filter {
      desk.views[$0].value != nil && desk.views[$0].version != rows[$0].version
    }
    guard stale.isEmpty else {
      let error = #expect(throws: PersistenceError.self) { try desk.context.save() }
      #expect(error?.code == .conflict)
      #expect(Set(error?.objectIDs ?? []) == Set(stale.map { desk.accounts[$0].objectID }))
      try desk.context.rollback()
      rollBack(&desk, rows)
      for index in stale { merge(&desk.views[index], rows[index]) }
      return
    }
    try desk.context.save()
    for index in rows.indices where desk.views[index].isChanged {
      rows[index].value = desk.views[index].value ?? rows[index].value + desk.views[index].pending
      rows[index].version += 1
      (desk.views[index].pending, desk.views[index].value) = (0, nil)
      merge(&desk.views[index], rows[index])
    }
  }

  // MARK: Undo

  @Test(arguments: UInt64(1)...8)
  func `PS-18 undo and redo lead through the values that were there, saved or not`(
    seed: UInt64
  ) throws {
    var random = SeededRandom(seed: seed)
    let bank = try Bank()
    let context = bank.context()
    let account = try context.existingObject(with: bank.account(), as: Deposit.self)
    context.isUndoEnabled = true
    var values = [account.balance]
    var position = 0
    for step in 0..<400 {
      switch Int.random(in: 0..<10, using: &random) {
      case 0, 1: try context.save()
      case 2, 3, 4:
        let hasUndone = try context.undo()
        #expect(hasUndone == (position > 0), "seed \(seed), step \(step)")
        position = max(0, position - 1)
      case 5, 6:
        let hasRedone = try context.redo()
        #expect(hasRedone == (position < values.count - 1), "seed \(seed), step \(step)")
        position = min(values.count - 1, position + 1)
      default:
        try context.undoGroup { try change(account, in: context, &random) }
        guard account.balance != values[position] else { break }
        values.removeSubrange((position + 1)...)
        values.append(account.balance)
        position += 1
      }
      #expect(account.balance == values[position], "seed \(seed), step \(step)")
      // A group without a change in the end still forgets what could be redone.
      if !context.canRedo { values.removeSubrange((position + 1)...) }
    }
    try context.save()
    #expect(try bank.stored(account.objectID) { $0.balance } == values[position])
  }

  private func change(
    _ account: Deposit, in context: ManagedObjectContext, _ random: inout SeededRandom
  ) throws {
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      if random.chance(70) {
        try context.increment(
          \Deposit.balance, of: account, by: Int.random(in: -3...3, using: &random))
      } else {
        account.balance = Int.random(in: -3...3, using: &random)
      }
    }
  }
}
