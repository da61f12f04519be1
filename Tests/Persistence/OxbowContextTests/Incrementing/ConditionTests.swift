import OxbowContext
import OxbowModel
import OxbowStore
import Testing

@Suite struct ConditionTests {
  let bank: Bank
  let mine: ManagedObjectContext
  let theirs: ManagedObjectContext

  init() throws {
    bank = try Bank()
    mine = bank.context("mine")
    theirs = bank.context("theirs")
  }

  private func account() throws -> (mine: Deposit, theirs: Deposit) {
    let id = try bank.account { $0.balance = 100 }
    return (
      try mine.existingObject(with: id, as: Deposit.self),
      try theirs.existingObject(with: id, as: Deposit.self)
    )
  }

  private let isFree: FetchPredicate = .isNil("holder")

  @Test func `PS-18 a change on a condition is saved where the store's row meets it`() throws {
    let account = try account()
    try mine.change(account.mine, if: isFree) { $0.holder = "mine" }
    // Another version, which the condition does not ask about.
    account.theirs.balance = 7
    try theirs.save()
    try mine.save()
    #expect(account.mine.holder == "mine" && account.mine.balance == 7)
    #expect(try bank.stored(account.mine.objectID) { $0.holder } == "mine")
  }

  @Test func `PS-18 a condition that the row does not meet refuses the save, with both sides`()
    throws
  {
    let account = try account()
    try mine.change(account.mine, if: isFree) { $0.holder = "mine" }
    account.theirs.holder = "theirs"
    try theirs.save()
    let error = #expect(throws: PersistenceError.self) { try mine.save() }
    #expect(error?.code == .conditionFailed && error?.objectIDs == [account.mine.objectID])
    #expect(error?.conflicts.first?.theirs?["holder"] == .attribute(.string("theirs")))
    #expect(account.mine.holder == "mine" && mine.hasChanges)
    mine.mergePolicy = .overwrite
    #expect(refusal { try mine.save() } == .conditionFailed)
    try mine.refresh(account.mine)
    #expect(account.mine.holder == "theirs")
    // The condition is gone with the change.
    account.mine.holder = "next"
    try mine.save()
    #expect(try bank.stored(account.mine.objectID) { $0.holder } == "next")
  }

  @Test func `PS-18 a row that is gone differs from one that does not meet the condition`() throws {
    let account = try account()
    try mine.change(account.mine, if: isFree) { $0.holder = "mine" }
    try theirs.delete(account.theirs)
    try theirs.save()
    for policy in [MergePolicy.error, .overwrite, .mergeByPropertyObjectTrump] {
      mine.mergePolicy = policy
      let error = #expect(throws: PersistenceError.self) { try mine.save() }
      #expect(error?.code == .conflict && error?.conflicts.map(\.kind) == [.updateOfDeleted])
    }
    mine.mergePolicy = .rollback
    try mine.save()
    #expect(try mine.count(FetchRequest<Deposit>()) == 0)
  }

  @Test func `PS-18 an increment can have a condition`() throws {
    let account = try account()
    for amount in [60, 60] {
      try mine.change(account.mine, if: .greaterOrEqual("balance", 60)) {
        try mine.increment(\Deposit.balance, of: $0, by: -amount)
      }
    }
    // Both conditions see the row before the save.
    try mine.save()
    #expect(account.mine.balance == -20)
    try mine.change(account.mine, if: .greaterOrEqual("balance", 60)) {
      try mine.increment(\Deposit.balance, of: $0, by: -60)
    }
    #expect(refusal { try mine.save() } == .conditionFailed)
    try mine.rollback()
    #expect(account.mine.balance == -20)
  }

  @Test func `PS-18 what was changed elsewhere compares the version as ever`() throws {
    let account = try account()
    try mine.change(account.mine, if: isFree) { $0.holder = "mine" }
    account.mine.small = 2
    account.theirs.balance = 7
    try theirs.save()
    #expect(refusal { try mine.save() } == .conflict)
    mine.mergePolicy = .mergeByProperty
    try mine.save()
    #expect(account.mine.holder == "mine" && account.mine.balance == 7 && account.mine.small == 2)
  }

  @Test func `PS-18 a condition ends with the change that it was for`() throws {
    let account = try account()
    try mine.change(account.mine, if: isFree) { $0.holder = "mine" }
    account.mine.holder = nil
    account.theirs.holder = "theirs"
    try theirs.save()
    #expect(!mine.hasChanges)
    try mine.save()
    try mine.refresh(account.mine)
    account.mine.balance = 1
    try mine.save()
    #expect(try bank.stored(account.mine.objectID) { $0.balance } == 1)
  }

  @Test func `PS-18 a to-one relationship can be set on a condition`() throws {
    let account = try account()
    let branch = try mine.insert(Branch.self)
    try mine.save()
    let isHomeless = FetchPredicate.isNil("branch")
    try mine.change(account.mine, if: isHomeless) { $0.branch = branch }
    account.theirs.balance = 7
    try theirs.save()
    try mine.save()
    #expect(account.mine.branch === branch && branch.accounts == [account.mine])
    #expect(branch.total == 7)
  }

  @Test func `PS-18 a child asks its parent's object`() throws {
    let account = try account()
    let child = ManagedObjectContext(parent: mine)
    let copy = try child.existingObject(with: account.mine.objectID, as: Deposit.self)
    try child.change(copy, if: isFree) { $0.holder = "child" }
    account.mine.balance = 1
    try child.save()
    #expect(account.mine.holder == "child" && copy.balance == 1)
    try child.change(copy, if: isFree) { $0.holder = "again" }
    #expect(refusal { try child.save() } == .conditionFailed)
    #expect(account.mine.holder == "child")
  }

  @Test func `PS-18 a new object has no row to ask`() throws {
    let account = try mine.insert(Deposit.self)
    #expect(
      refusal {
        try mine.change(account, if: isFree) { $0.holder = "mine" }
      } == .unsupported)
    #expect(account.holder == nil)
  }
}
