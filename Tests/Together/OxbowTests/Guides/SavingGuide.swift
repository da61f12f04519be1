import Oxbow
import OxbowTestSupport
import Synchronization
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

// The code of docs/guide/saving.md.

/// The entity of the guide.
@Entity final class Wallet: ManagedObject {
  var owner: String
  var key: String = ""
  var balance: Int = 0
  var credit: Int = 0
  @Relationship(inverse: \.wallet) var postings: Set<Posting> = []
}

/// The entity that leads to wallets.
@Entity final class Posting: ManagedObject {
  var amount: Int = 0
  @Relationship(inverse: \.postings) var wallet: Wallet?
}

/// An entity with unique values.
@Entity(unique: [["code"]]) final class Badge: ManagedObject {
  var code: String = ""
}

extension Wallet: ValidationRulesHook {
  static var validationRules: [ValidationRule] {
    [
      ValidationRule(\Wallet.owner, "notBlank", "has a blank owner") { !$0.isEmpty },
      ValidationRule(Wallet.self, "covered", "is overdrawn") { $0.balance >= -$0.credit },
    ]
  }
}

extension Wallet: WillSaveHook {
  func willSave() {
    let owner = owner.lowercased()
    if key != owner { key = owner }
  }
}

/// Counts on any thread.
private final class SaveCounter: Sendable {
  private let value = Mutex(0)

  var count: Int { value.withLock { $0 } }

  func add(_ number: Int) { value.withLock { $0 += number } }
}

@Suite struct SavingGuideTests {
  private let coordinator: PersistentStoreCoordinator

  init() throws {
    let types: [any ModelObject.Type] = [Wallet.self, Badge.self, Posting.self]
    coordinator = try PersistentStoreCoordinator(
      CompiledModel(ManagedObjectModel(types: types), classes: types), at: .inMemory)
    let context = ManagedObjectContext(coordinator: coordinator)
    let wallet = try context.insert(Wallet.self)
    wallet.owner = "Ada"
    wallet.balance = 100
    try context.save()
  }

  /// A context with its wallet.
  private func desk() throws -> (context: ManagedObjectContext, wallet: Wallet) {
    let context = ManagedObjectContext(coordinator: coordinator)
    return (context, try #require(try context.fetch(Wallet.self).first))
  }

  private func failures(_ context: ManagedObjectContext) -> [String] {
    do { try context.save() } catch {
      return error.validationFailures.map { "\($0.property ?? "-") \($0.rule)" }
    }
    return []
  }

  /// The unique values that others have.
  private func taken(_ context: ManagedObjectContext) throws -> [String] {
    var taken: [String] = []
    do { try context.save() } catch {
      guard error.code == .uniquenessViolated else { throw error }
      for failure in error.validationFailures where failure.rule == .unique {
        taken += failure.properties.map { "\($0) \(failure.values[$0] ?? .null)" }
      }
    }
    return taken
  }

  @Test func `a value that another object has is named`() throws {
    let context = try desk().context
    for _ in 1...2 { try context.insert(Badge.self).code = "R-1" }
    #expect(try taken(context) == ["code \"R-1\""])
  }

  @Test func `values of the program's own are saved with the objects`() throws {
    let (context, wallet) = try desk()
    wallet.balance = 7
    try context.setMetadata("part 7", for: "import")
    try context.save()
    #expect(try context.metadata("import", as: String.self) == "part 7")
    #expect(try desk().context.metadata("import", as: String.self) == "part 7")
  }

  @Test func `rules and hooks of the guide run`() throws {
    let (context, wallet) = try desk()
    #expect(wallet.key == "ada")
    wallet.owner = ""
    wallet.balance = -1
    #expect(failures(context).sorted() == ["- covered", "owner notBlank"])
  }

  @Test func `changed values are as the guide says`() throws {
    let (context, wallet) = try desk()
    wallet.balance = 80
    #expect(try wallet.committedValue(of: \.balance) == 100)
    let changed: [String: PropertyValue] = try wallet.changedValues()
    #expect(changed["balance"] == PropertyValue.attribute(.integer(80)))
    wallet.balance = 100
    #expect(!wallet.hasChanges)
    #expect(!context.hasChanges)
  }

  @Test func `a conflict names what both changed, and a policy merges the rest`() throws {
    let (context, wallet) = try desk()
    let other = try desk()
    other.wallet.credit = 50
    try other.context.save()
    wallet.credit = 70
    var clashes: [String] = []
    do { try context.save() } catch {
      guard error.code == .conflict else { throw error }
      for conflict in error.conflicts {
        clashes += conflict.contestedProperties
      }
    }
    #expect(clashes == ["credit"])
    try context.refresh(wallet, mergingChanges: true)
    try context.save()
    #expect(wallet.credit == 70)
    try other.context.refresh(other.wallet)
    other.wallet.credit = 60
    try other.context.save()
    wallet.balance = 10
    context.mergePolicy = .mergeByProperty
    try context.save()
    #expect(wallet.balance == 10)
    #expect(wallet.credit == 60)
    #expect(context.mergedConflicts.count == 1)
  }

  @Test func `increments arrive, and a condition is asked of the store`() throws {
    let (context, wallet) = try desk()
    let other = try desk()
    try context.increment(\Wallet.balance, of: wallet, by: 5)
    #expect(wallet.balance == 105)
    try other.context.increment(\Wallet.balance, of: other.wallet, by: 20)
    try other.context.save()
    try context.save()
    #expect(wallet.balance == 125)
    try context.change(wallet, if: .greaterOrEqual("balance", 60)) { wallet in
      try context.increment(\Wallet.balance, of: wallet, by: -60)
    }
    try context.save()
    #expect(wallet.balance == 65)
    try context.change(wallet, if: .greaterOrEqual("balance", 60)) { wallet in
      try context.increment(\Wallet.balance, of: wallet, by: -60)
    }
    try other.context.refresh(other.wallet)
    other.wallet.balance = 10
    try other.context.save()
    do { try context.save() } catch {
      guard error.code == .conditionFailed else { throw error }
      try context.refresh(wallet)
    }
    #expect(wallet.balance == 10)
  }

  @Test func `a group is undone and redone`() throws {
    let (context, wallet) = try desk()
    context.isUndoEnabled = true
    context.undoGroup("Pay") {
      wallet.balance -= 30
      wallet.credit += 10
    }
    #expect(context.undoActionName == "Pay")
    try context.undo()
    #expect(wallet.balance == 100)
    try context.redo()
    #expect(wallet.balance == 70)
  }

  @Test func `a draft is saved into its parent`() throws {
    let (context, wallet) = try desk()
    let draft = ManagedObjectContext(parent: context, name: "draft")
    let copy = try draft.existingObject(with: wallet.objectID, as: Wallet.self)
    copy.balance = 55
    #expect(wallet.balance == 100)
    try draft.save()
    #expect(wallet.balance == 55)
    #expect(context.hasChanges)
  }

  @Test func `objects are copied, written as JSON and read again`() throws {
    let (context, wallet) = try desk()
    let twin = try context.copy(of: wallet)
    #expect(twin.balance == wallet.balance && twin.isInserted)
    let other = try desk().context
    let json = try context.json(of: [wallet], depth: 1)
    let wallets = try other.importJSON(json)
    try other.save()
    #expect(wallets.map(\.objectID) == [wallet.objectID])
    let text = #"[{"owner": "Cy", "balance": 5}, {"owner": "Dee", "balanse": 7}]"#
    do { try context.importJSON(Data(text.utf8), as: "Wallet") } catch {
      // JSON:1:50: $[1] has the key "balanse", and 'Wallet' has no such property
      //   did you mean: 'balance'?
      #expect(error.nearNames == ["balance"])
    }
    #expect(throws: PersistenceError.self) {
      try context.importJSON(Data(text.utf8), as: "Wallet")
    }
  }

  @Test func `documents have what paths name, and come in units of work`() throws {
    let (context, wallet) = try desk()
    let postings = try (0..<3).map { _ in try context.insert(Posting.self) { $0.wallet = wallet } }
    try context.save()
    let some = try context.json(
      of: postings, including: [\.wallet], excluding: .named("wallet.credit"))
    #expect(!String(decoding: some, as: UTF8.self).contains("credit"))
    let folder = try TemporaryFolder()
    let file = folder.file("postings.json")
    let other = try desk().context
    try context.writeJSON(of: FetchRequest<Posting>(), to: file, including: [\.wallet])
    let count = try other.importJSON(contentsOf: file, unitOfWork: 500)
    #expect(count == 3)
  }

  @Test func `an injected context is a context, and has the last word on merges`() throws {
    let (context, wallet) = try desk()
    let injected: any ObjectContext = context
    try injected.set(\.mergePolicy, to: .mergeByProperty)
    try injected.set(\.isUndoEnabled, to: true)
    context.afterMerging = { conflicts, context throws(PersistenceError) in
      for id in conflicts.map(\.objectID) {
        let wallet = try context.existingObject(with: id, as: Wallet.self)
        wallet.credit = max(0, -wallet.balance)
      }
    }
    let other = try desk()
    other.wallet.credit = 500
    other.wallet.owner = "Bo"
    try other.context.save()
    wallet.balance = 5
    try context.save()
    #expect(wallet.credit == 0 && wallet.owner == "Bo")
  }

  @Test func `a context reports its changes and saves`() throws {
    let (context, wallet) = try desk()
    var seen = 0
    let changes = context.onChange { change in seen += change.updatedObjectIDs.count }
    let saves = context.onWillSave { () throws(PersistenceError) in
      for wallet in try context.fetch(Wallet.self, where: .less("credit", 0)) { wallet.credit = 0 }
    }
    wallet.balance = 1
    context.processPendingChanges()
    #expect(seen == 1)
    wallet.credit = -3
    try context.save()
    #expect(wallet.credit == 0)
    withExtendedLifetime((changes, saves)) {}
  }

  @Test func `batches change the store and objects in memory`() throws {
    let (context, wallet) = try desk()
    let raised = try context.batchUpdate(Wallet.self, where: .less("balance", 200)) {
      $0.set(\.balance, toFormat: "balance * 2")
    }
    #expect(raised.count == 1)
    #expect(wallet.balance == 200)
    let added = try context.batchInsert(Wallet.self, ["Bob", "Cy"]) { name, wallet in
      wallet.set(\.owner, to: name)
    }
    #expect(added.count == 2)
    try context.batchDelete(Wallet.self, where: .equal("balance", 0))
    #expect(try context.count(FetchRequest<Wallet>()) == 1)
  }

  @Test func `saves of others arrive as the guide says`() throws {
    let (context, wallet) = try desk()
    context.automaticallyMergesChangesFromParent = true
    let counter = SaveCounter()
    let other = try desk()
    let subscription = coordinator.onDidSave { event in
      counter.add(event.updatedObjectIDs.count)
    }
    other.wallet.balance = 7
    try other.context.save()
    subscription.cancel()
    #expect(counter.count == 1)
    _ = try context.count(FetchRequest<Wallet>())
    #expect(wallet.balance == 7)
  }
}
