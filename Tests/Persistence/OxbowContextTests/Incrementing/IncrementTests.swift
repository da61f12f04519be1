import OxbowContext
import OxbowModel
import OxbowSQLite
import OxbowStore
import OxbowTestSupport
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

@Suite struct IncrementTests {
  let bank: Bank
  let mine: ManagedObjectContext
  let theirs: ManagedObjectContext

  init() throws {
    bank = try Bank()
    mine = bank.context("mine")
    theirs = bank.context("theirs")
  }

  /// One account as both contexts have it.
  private func account(
    _ fill: (Deposit) -> Void = { $0.balance = 10 }
  ) throws -> (mine: Deposit, theirs: Deposit) {
    let id = try bank.account(fill)
    return (
      try mine.existingObject(with: id, as: Deposit.self),
      try theirs.existingObject(with: id, as: Deposit.self)
    )
  }

  @Test func `PS-18 increments of several contexts all arrive, without a conflict`() throws {
    let account = try account()
    try mine.increment(\Deposit.balance, of: account.mine, by: 5)
    #expect(account.mine.balance == 15 && account.mine.hasChanges)
    try theirs.increment(\Deposit.balance, of: account.theirs, by: 7)
    try theirs.save()
    #expect(account.theirs.balance == 17 && account.mine.balance == 15)
    try mine.save()
    #expect(account.mine.balance == 22 && !mine.hasChanges)
    #expect(try bank.stored(account.mine.objectID) { $0.balance } == 22)
    // The version is that of the store: the next change conflicts with nothing.
    account.mine.holder = "Ada"
    try mine.save()
    #expect(try bank.stored(account.mine.objectID) { $0.holder } == "Ada")
  }

  @Test func `PS-18 numbers of every type are incremented exactly`() throws {
    let account = try account {
      $0.small = 1
      $0.medium = 2
      $0.ratio = 0.5
      $0.weight = 0.1
      $0.price = Decimal(string: "0.1") ?? 0
      $0.bonus = 3
    }
    try mine.increment(\Deposit.small, of: account.mine, by: -2)
    try mine.increment(\Deposit.medium, of: account.mine, by: 3)
    try mine.increment(\Deposit.ratio, of: account.mine, by: 0.25)
    try mine.increment(\Deposit.weight, of: account.mine, by: 0.2)
    try mine.increment(\Deposit.price, of: account.mine, by: Decimal(string: "0.2") ?? 0)
    try mine.increment(\Deposit.bonus, of: account.mine, by: 4)
    func check(_ account: Deposit) {
      #expect(account.small == -1 && account.medium == 5 && account.ratio == 0.75)
      #expect(account.weight == Float(0.1) + Float(0.2) && account.bonus == 7)
      #expect(account.price == Decimal(string: "0.3"))
    }
    check(account.mine)
    try mine.save()
    check(account.mine)
    try bank.stored(account.mine.objectID, check)
    try mine.increment("price", of: account.mine, by: .decimal(Decimal(string: "1e-30") ?? 0))
    try mine.save()
    #expect("\(account.mine.price)" == "0.300000000000000000000000000001")
  }

  @Test func `PS-18 no value and a sum that does not fit are refused, here and by the save`() throws
  {
    let account = try account {
      $0.small = 32_000
      $0.bonus = 1
      $0.price = Decimal(string: "1e37") ?? 0
    }
    let empty = try bank.account()
    let other = try mine.existingObject(with: empty, as: Deposit.self)
    let none = #expect(throws: PersistenceError.self) {
      try mine.increment(\Deposit.bonus, of: other, by: 1)
    }
    #expect(none?.code == .validation && none?.validationFailures.map(\.rule) == [.required])
    #expect(none?.message.contains("has no value") == true)
    let large = #expect(throws: PersistenceError.self) {
      try mine.increment(\Deposit.small, of: account.mine, by: 1000)
    }
    #expect(large?.code == .overflow && large?.message.contains("is 32000") == true)
    #expect(
      refusal {
        try mine.increment(\Deposit.ratio, of: account.mine, by: .infinity)
      } == .overflow)
    #expect(
      refusal {
        try mine.increment(\Deposit.price, of: account.mine, by: Decimal(string: "1e-5") ?? 0)
      } == .overflow)
    #expect(!mine.hasChanges)
    // What fits here need not fit there.
    try mine.increment(\Deposit.small, of: account.mine, by: 500)
    account.theirs.small = 32_500
    try theirs.save()
    #expect(refusal { try mine.save() } == .overflow)
    #expect(account.mine.small == 32_500 && mine.hasChanges)
    try mine.rollback()
    try mine.increment(\Deposit.bonus, of: account.mine, by: 1)
    account.theirs.bonus = nil
    try theirs.save()
    let gone = #expect(throws: PersistenceError.self) { try mine.save() }
    #expect(gone?.validationFailures.map(\.rule) == [.required])
    #expect(gone?.message.contains("no value in the store") == true)
  }

  @Test func `PS-18 a newer row under an increment that does not fit is an error, not a number`()
    throws
  {
    let account = try account { $0.small = 10 }
    try mine.increment(\Deposit.small, of: account.mine, by: 500)
    account.theirs.small = 32_500
    try theirs.save()
    _ = try mine.fetch(Deposit.self)
    #expect(refusal { try mine.save() } == .overflow)
    #expect(account.mine.small == 0)
    #expect(refusal { _ = try mine.fetch(Deposit.self) } == .overflow)
    // What was shown may have gone elsewhere.
    #expect(refusal { try mine.save() } == .overflow)
    try mine.refresh(account.mine)
    #expect(account.mine.small == 32_500 && !mine.hasChanges)
    try mine.save()
  }

  @Test func `PS-18 a rule of the model is asked for the sum that the store has`() throws {
    let account = try account { $0.medium = 900 }
    try mine.increment(\Deposit.medium, of: account.mine, by: 60)
    try theirs.increment(\Deposit.medium, of: account.theirs, by: 60)
    try theirs.save()
    let error = #expect(throws: PersistenceError.self) { try mine.save() }
    #expect(error?.validationFailures.map(\.rule) == [.maximum])
    #expect(try bank.stored(account.mine.objectID) { $0.medium } == 960)
  }

  @Test func `PS-18 a set takes the place of an increment, and is compared by version`() throws {
    let account = try account()
    try mine.increment(\Deposit.balance, of: account.mine, by: 5)
    account.mine.balance = 15
    try theirs.increment(\Deposit.balance, of: account.theirs, by: 1)
    try theirs.save()
    let error = #expect(throws: PersistenceError.self) { try mine.save() }
    #expect(
      error?.code == .conflict && error?.conflicts.map(\.contestedProperties) == [["balance"]])
    try mine.rollback()
    #expect(account.mine.balance == 11)
    // Set to what the row has, nothing is left.
    try mine.increment(\Deposit.balance, of: account.mine, by: 5)
    account.mine.balance = 11
    #expect(!mine.hasChanges)
    // On top of a set, an increment is part of it.
    account.mine.balance = 100
    try mine.increment(\Deposit.balance, of: account.mine, by: 5)
    try mine.save()
    #expect(try bank.stored(account.mine.objectID) { $0.balance } == 105)
  }

  @Test func `PS-18 increments that sum up to nothing are no change`() throws {
    let account = try account()
    try mine.increment(\Deposit.balance, of: account.mine, by: 5)
    try mine.increment(\Deposit.balance, of: account.mine, by: -5)
    try mine.increment(\Deposit.balance, of: account.mine, by: 0)
    #expect(!mine.hasChanges && account.mine.balance == 10)
  }

  @Test func `PS-18 another edit of the object compares the version, and a merge keeps both`()
    throws
  {
    let account = try account()
    try mine.increment(\Deposit.balance, of: account.mine, by: 5)
    account.mine.holder = "mine"
    account.theirs.balance = 100
    try theirs.save()
    let error = #expect(throws: PersistenceError.self) { try mine.save() }
    let conflict = try #require(error?.conflicts.first)
    #expect(conflict.contestedProperties.isEmpty)
    #expect(conflict.increments == ["balance": .attribute(.integer(5))])
    #expect(conflict.mine?["balance"] == .attribute(.integer(15)))
    mine.mergePolicy = .mergeByProperty
    try mine.save()
    #expect(account.mine.balance == 105 && account.mine.holder == "mine")
    #expect(try bank.stored(account.mine.objectID) { $0.balance } == 105)
  }

  @Test(arguments: [
    (MergePolicy.mergeByPropertyStoreTrump, 105), (.mergeByPropertyObjectTrump, 105),
    (.overwrite, 105), (.rollback, 100),
  ])
  func `PS-18 what a policy leaves is incremented`(policy: MergePolicy, balance: Int) throws {
    let account = try account()
    try mine.increment(\Deposit.balance, of: account.mine, by: 5)
    account.mine.holder = "mine"
    account.theirs.balance = 100
    account.theirs.holder = "theirs"
    try theirs.save()
    mine.mergePolicy = policy
    try mine.save()
    #expect(account.mine.balance == balance)
    #expect(try bank.stored(account.mine.objectID) { $0.balance } == balance)
  }

  @Test func `PS-18 a refresh that merges shows theirs and what is pending`() throws {
    let account = try account()
    try mine.increment(\Deposit.balance, of: account.mine, by: 5)
    account.mine.holder = "mine"
    account.theirs.balance = 100
    try theirs.save()
    try mine.refresh(account.mine, mergingChanges: true)
    #expect(account.mine.balance == 105)
    try mine.save()
    #expect(try bank.stored(account.mine.objectID) { $0.balance } == 105)
    try mine.increment(\Deposit.balance, of: account.mine, by: 5)
    try mine.refresh(account.mine)
    #expect(account.mine.balance == 105 && !mine.hasChanges)
  }

  @Test func `PS-18 newer rows that arrive are what is incremented`() throws {
    let account = try account()
    try mine.increment(\Deposit.balance, of: account.mine, by: 5)
    account.theirs.balance = 100
    account.theirs.holder = "theirs"
    try theirs.save()
    _ = try mine.fetch(Deposit.self)
    #expect(account.mine.balance == 105 && account.mine.holder == "theirs")
    mine.automaticallyMergesChangesFromParent = true
    account.theirs.balance = 200
    try theirs.save()
    _ = try mine.count(FetchRequest<Branch>())
    #expect(account.mine.balance == 205)
    #expect(try mine.fetch(Deposit.self, where: .equal("balance", 205)).count == 1)
    try mine.rollback()
    #expect(account.mine.balance == 200)
  }

  @Test func `PS-18 the whole row is read back, so that nothing stale passes for new`() throws {
    let account = try account()
    try mine.increment(\Deposit.balance, of: account.mine, by: 5)
    account.theirs.holder = "theirs"
    try theirs.save()
    try mine.save()
    #expect(account.mine.holder == "theirs")
  }

  @Test func `PS-18 an object that is gone is a conflict that says so`() throws {
    let account = try account()
    try mine.increment(\Deposit.balance, of: account.mine, by: 5)
    try theirs.delete(account.theirs)
    try theirs.save()
    let error = #expect(throws: PersistenceError.self) { try mine.save() }
    #expect(error?.code == .conflict && error?.conflicts.map(\.kind) == [.updateOfDeleted])
    #expect(error?.message.contains("was deleted in the store") == true)
    mine.mergePolicy = .overwrite
    try mine.save()
    #expect(try bank.stored(account.mine.objectID) { $0.balance } == 15)
  }

  @Test func `PS-18 derived attributes follow increments, and cannot be incremented`() throws {
    let branch = try mine.insert(Branch.self)
    let account = try mine.insert(Deposit.self) {
      $0.branch = branch
      $0.balance = 10
    }
    try mine.save()
    #expect(branch.total == 10)
    let other = try theirs.existingObject(with: account.objectID, as: Deposit.self)
    try theirs.increment(\Deposit.balance, of: other, by: 1)
    try theirs.save()
    try mine.increment(\Deposit.balance, of: account, by: 5)
    try mine.save()
    #expect(branch.total == 16)
    let error = #expect(throws: PersistenceError.self) {
      try mine.increment("total", of: branch, by: .integer(1))
    }
    #expect(error?.code == .unsupported && error?.message.contains("derived") == true)
  }

  @Test func `PS-18 unique attributes stay unique`() throws {
    let first = try bank.account { $0.number = 1 }
    let second = try bank.account { $0.number = 2 }
    let object = try mine.existingObject(with: first, as: Deposit.self)
    try mine.increment(\Deposit.number, of: object, by: 1)
    #expect(refusal { try mine.save() } == .uniquenessViolated)
    // Exchanged in one save, they are.
    let other = try mine.existingObject(with: second, as: Deposit.self)
    try mine.increment(\Deposit.number, of: other, by: -1)
    try mine.save()
    #expect(object.number == 2 && other.number == 1)
  }

  @Test func `PS-18 inherited attributes are incremented, and new objects are set`() throws {
    let savings = try mine.insert(Savings.self)
    try mine.increment(\Savings.balance, of: savings, by: 5)
    #expect(savings.balance == 5)
    try mine.save()
    try mine.increment(\Savings.balance, of: savings, by: 5)
    try mine.increment(\Deposit.balance, of: savings, by: 5)
    try mine.save()
    #expect(try bank.stored(savings.objectID) { $0.balance } == 15)
  }

  @Test func `PS-18 what is not a number is refused by name`() throws {
    let account = try account()
    let text = #expect(throws: PersistenceError.self) {
      try mine.increment("holder", of: account.mine, by: .integer(1))
    }
    #expect(text?.message == "'holder' of 'Deposit' is String and cannot be incremented by 1")
    let unknown = #expect(throws: PersistenceError.self) {
      try mine.increment("balanse", of: account.mine, by: .integer(1))
    }
    #expect(unknown?.nearNames == ["balance"])
    #expect(
      refusal {
        try mine.increment(\Deposit.balance, of: account.theirs, by: 1)
      } == .foreignObject)
  }

  @Test func `PS-18 an event names what was incremented`() throws {
    let account = try account()
    let box = EventBox()
    let subscription = bank.coordinator.onDidSave { box.add($0.updatedObjectIDs) }
    try mine.increment(\Deposit.balance, of: account.mine, by: 5)
    try mine.save()
    #expect(box.ids == [account.mine.objectID])
    withExtendedLifetime(subscription) {}
  }

  // MARK: Undo

  @Test func `PS-18 an increment is undone by one with the other sign`() throws {
    let account = try account()
    mine.isUndoEnabled = true
    try mine.undoGroup { try mine.increment(\Deposit.balance, of: account.mine, by: 5) }
    try mine.undo()
    #expect(account.mine.balance == 10 && !mine.hasChanges)
    try mine.redo()
    #expect(account.mine.balance == 15)
    try theirs.increment(\Deposit.balance, of: account.theirs, by: 100)
    try theirs.save()
    try mine.save()
    #expect(account.mine.balance == 115)
    try mine.undo()
    #expect(account.mine.balance == 110)
    try theirs.increment(\Deposit.balance, of: account.theirs, by: 100)
    try theirs.save()
    try mine.save()
    #expect(account.mine.balance == 210)
    try mine.redo()
    try mine.save()
    #expect(try bank.stored(account.mine.objectID) { $0.balance } == 215)
  }

  @Test func `PS-18 undoing a set gives back the increment that it swallowed`() throws {
    let account = try account()
    mine.isUndoEnabled = true
    try mine.undoGroup { try mine.increment(\Deposit.balance, of: account.mine, by: 5) }
    mine.undoGroup { account.mine.balance = 100 }
    try mine.undo()
    #expect(account.mine.balance == 15)
    try theirs.increment(\Deposit.balance, of: account.theirs, by: 1)
    try theirs.save()
    try mine.save()
    #expect(account.mine.balance == 16)
    try mine.undoGroup {
      try mine.increment(\Deposit.balance, of: account.mine, by: 5)
      account.mine.balance = 0
    }
    try mine.undo()
    #expect(account.mine.balance == 16 && !mine.hasChanges)
  }

  @Test func `PS-18 an undo that cannot add changes nothing`() throws {
    let account = try account { $0.bonus = 1 }
    mine.isUndoEnabled = true
    try mine.increment(\Deposit.bonus, of: account.mine, by: 1)
    try mine.save()
    try theirs.refresh(account.theirs)
    account.theirs.bonus = nil
    try theirs.save()
    try mine.refresh(account.mine)
    #expect(refusal { try mine.undo() } == .validation)
    #expect(!mine.hasChanges && mine.canUndo)
  }

  // MARK: Children

  @Test func `PS-18 an increment of a child is one of its parent`() throws {
    let account = try account()
    let child = ManagedObjectContext(parent: mine)
    let copy = try child.existingObject(with: account.mine.objectID, as: Deposit.self)
    try child.increment(\Deposit.balance, of: copy, by: 5)
    try mine.increment(\Deposit.balance, of: account.mine, by: 1)
    account.mine.holder = "mine"
    try child.save()
    #expect(copy.balance == 16 && copy.holder == "mine" && account.mine.balance == 16)
    copy.small = 3
    try child.save()
    try mine.save()
    try theirs.increment(\Deposit.balance, of: account.theirs, by: 100)
    try theirs.save()
    try child.increment(\Deposit.balance, of: copy, by: 5)
    try child.save()
    try mine.save()
    #expect(account.mine.balance == 121)
  }

  // MARK: Stores

  @Test func `PS-18 several stores add each to its own`() throws {
    let folder = try TemporaryFolder()
    let number = AttributeDescription("number", .integer64, defaultValue: .integer(1))
    let model = ManagedObjectModel(entities: [
      EntityDescription("Visit", attributes: [number]),
      EntityDescription("Sale", attributes: [number]),
    ]).with(configurations: ["Log": ["Visit"], "Shop": ["Sale"]])
    let coordinator = try PersistentStoreCoordinator(
      CompiledModel(model),
      stores: ["Log", "Shop"].map { (name: String) in
        SQLiteStoreDescription(.file(folder.file("\(name).sqlite")), configuration: name)
      })
    defer { coordinator.close() }
    let contexts = (0..<2).map { ManagedObjectContext(coordinator: coordinator, name: "\($0)") }
    let made = try ["Visit", "Sale"].map { try contexts[0].insert(entityNamed: $0) }
    try contexts[0].save()
    for context in contexts {
      for object in made {
        let object = try context.existingObject(with: object.objectID, as: ManagedObject.self)
        try context.increment("number", of: object, by: .integer(2))
      }
    }
    try contexts[1].save()
    try contexts[0].save()
    #expect(try made.map { try $0.value("number", as: Int.self) } == [5, 5])
  }

  @Test func `PS-18 a store that cannot add is named before anything changes`() throws {
    let store = FailingStore(bank.coordinator.store, [])
    let context = ManagedObjectContext(coordinator: PersistentStoreCoordinator(store: store))
    let account = try context.insert(Deposit.self)
    try context.increment(\Deposit.balance, of: account, by: 5)
    try context.save()
    let error = #expect(throws: PersistenceError.self) {
      try context.increment(\Deposit.balance, of: account, by: 5)
    }
    #expect(error?.code == .unsupported)
    #expect(
      error?.message
        == "'balance' of '\(account)' cannot be incremented: the store of 'Deposit' does not add to "
        + "what it has; set the value, and save again after a conflict")
    #expect(
      refusal {
        try context.change(account, if: .equal("balance", 5)) { $0.balance = 6 }
      } == .unsupported)
    #expect(!context.hasChanges)
  }
}

/// IDs that a handler was given.
private final class EventBox: @unchecked Sendable {
  // Used on the thread of one test.
  private(set) var ids: [ManagedObjectID] = []
  func add(_ more: [ManagedObjectID]) { ids += more }
}
