import Oxbow
import OxbowTestSupport
import Synchronization
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What docs/guide/saving.md teaches, on the context that a container injects.
@Suite struct InjectedSavingTests {
  private let container: Container
  private let context: any ObjectContext & Sendable
  private let coordinator: PersistentStoreCoordinator

  init() throws {
    let builder = ContainerBuilder()
    let types: [any ModelObject.Type] = [Wallet.self, Badge.self, Posting.self]
    let reference = builder.persistentStore(at: .temporary, types: types)
    container = try builder.build()
    context = try container.object(reference)
    coordinator = try container.object("coordinator", as: PersistentStoreCoordinator.self)
    let own = ManagedObjectContext(coordinator: coordinator)
    try own.insert(Wallet.self) { ($0.owner, $0.balance) = ("Ada", 100) }
    try own.save()
  }

  /// Runs a body on a thread of its own, with the wallet of the injected context.
  private func desk(
    _ body: @escaping @Sendable (any ObjectContext, Wallet) throws -> Void
  ) throws {
    try onThread { [context] in
      try body(context, try #require(try context.fetch(Wallet.self).first))
    }
  }

  /// Changes the wallet in another context.
  private func change(_ body: @Sendable (Wallet) -> Void) throws {
    let other = ManagedObjectContext(coordinator: coordinator)
    body(try #require(try other.fetch(Wallet.self).first))
    try other.save()
  }

  @Test func `a save that is refused says which rules are broken`() throws {
    try desk { context, wallet in
      wallet.owner = ""
      wallet.balance = -1
      let error = #expect(throws: PersistenceError.self) { try context.save() }
      #expect(error?.validationFailures.count == 2)
      try context.rollback()
      let hasChanges = try context.hasChanges
      #expect(!hasChanges && wallet.owner == "Ada")
    }
  }

  @Test func `a policy that is set merges, and what it has decided is read`() throws {
    try desk { context, wallet in
      try context.set(\.mergePolicy, to: .mergeByProperty)
      try context.withOwn { own in
        own.afterMerging = { conflicts, context throws(PersistenceError) in
          let wallet = try context.existingObject(with: conflicts[0].objectID, as: Wallet.self)
          wallet.credit += 1
        }
      }
      try change { $0.credit = 60 }
      wallet.balance = 10
      try context.save()
      let (policy, merged) = (try context.mergePolicy, try context.mergedConflicts)
      #expect(policy == .mergeByProperty && merged.count == 1)
      #expect(wallet.balance == 10 && wallet.credit == 61)
      try context.set(\.mergePolicy, to: .error)
      try change { $0.credit = 70 }
      wallet.credit = 80
      let error = #expect(throws: PersistenceError.self) { try context.save() }
      #expect(error?.conflicts.flatMap(\.contestedProperties) == ["credit"])
      try context.refresh(wallet, mergingChanges: true)
      try context.save()
      #expect(wallet.credit == 80)
    }
  }

  @Test func `increments arrive, and a condition is asked of the store`() throws {
    try desk { context, wallet in
      try context.increment(\Wallet.balance, of: wallet, by: 5)
      try context.increment("credit", of: wallet, by: .integer(2))
      try change { $0.balance += 20 }
      try context.save()
      #expect(wallet.balance == 125 && wallet.credit == 2)
      for code in [nil, PersistenceError.Code.conditionFailed] {
        try context.change(wallet, if: .greaterOrEqual("balance", 100)) { wallet in
          try context.increment(\Wallet.balance, of: wallet, by: -30)
        }
        let result = Result { try context.save() }
        #expect(result.persistenceError?.code == code)
      }
      try context.refresh(wallet)
      #expect(wallet.balance == 95)
    }
  }

  @Test func `a group is undone and redone`() throws {
    try desk { context, wallet in
      try context.set(\.isUndoEnabled, to: true)
      let sum = try context.undoGroup("Pay") {
        wallet.balance -= 30
        wallet.credit += 10
        return wallet.balance + wallet.credit
      }
      let (name, canUndo) = (try context.undoActionName, try context.canUndo)
      #expect(sum == 80 && name == "Pay" && canUndo)
      try context.undo()
      let canRedo = try context.canRedo
      #expect(wallet.balance == 100 && canRedo)
      try context.redo()
      #expect(wallet.balance == 70)
    }
  }

  @Test func `a draft is saved into it`() throws {
    try desk { context, wallet in
      let draft = try ManagedObjectContext(parent: context, name: "draft")
      let copy = try draft.existingObject(with: wallet.objectID, as: Wallet.self)
      copy.balance = 55
      #expect(wallet.balance == 100)
      try draft.save()
      let updated = try context.updatedObjects
      #expect(wallet.balance == 55 && updated == [wallet])
    }
  }

  @Test func `objects are copied, written as JSON and read again`() throws {
    try desk { context, wallet in
      let twin = try context.copy(of: wallet)
      #expect(twin.balance == wallet.balance && twin.isInserted)
      try context.rollback()
      let json = try context.json(of: [wallet], depth: 1)
      let wallets = try context.importJSON(json)
      #expect(wallets == [wallet])
      let postings = try (0..<3).map { _ in
        try context.insert(Posting.self) { $0.wallet = wallet }
      }
      try context.save()
      let some = try context.json(
        of: postings, including: [\.wallet], excluding: .named("wallet.credit"))
      #expect(!String(decoding: some, as: UTF8.self).contains("credit"))
      let folder = try TemporaryFolder()
      let file = folder.file("postings.json")
      try context.writeJSON(of: FetchRequest<Posting>(), to: file, including: [\.wallet])
      let count = try context.importJSON(contentsOf: file, unitOfWork: 500)
      var parts: [Data] = []
      try context.writeJSON(of: FetchRequest<Posting>()) { parts.append($0) }
      let again = try context.importJSON(parts: parts)
      #expect(count == 3 && again == 3)
    }
  }

  @Test func `batches change the store and objects in memory`() throws {
    try desk { context, wallet in
      let raised = try context.batchUpdate(Wallet.self, where: #Predicate { $0.balance < 200 }) {
        $0.set(\.balance, toFormat: "balance * 2")
      }
      #expect(raised.count == 1 && wallet.balance == 200)
      let added = try context.batchInsert(Wallet.self, ["Bob", "Cy"]) { name, wallet in
        wallet.set(\.owner, to: name)
      }
      #expect(added.count == 2)
      try context.batchDelete(Wallet.self, where: .equal("balance", 0))
      let left = try context.count(FetchRequest<Wallet>())
      #expect(left == 1)
    }
  }

  @Test func `values of the program's own are saved with the objects`() throws {
    try desk { context, _ in
      try context.setMetadata("part 7", for: "import")
      try context.save()
      let value = try context.metadata("import", as: String.self)
      #expect(value == "part 7")
    }
  }

  @Test func `changes and saves are events, and those of others are merged`() throws {
    try desk { context, wallet in
      let seen = Mutex(0)
      let changes = try context.onChange { change in
        seen.withLock { $0 += change.updatedObjectIDs.count }
      }
      let saves = try context.onWillSave { wallet.credit = max(0, wallet.credit) }
      wallet.credit = -3
      try context.processPendingChanges()
      try context.save()
      #expect(seen.withLock { $0 } == 1 && wallet.credit == 0)
      withExtendedLifetime((changes, saves)) {}
      try context.set(\.automaticallyMergesChangesFromParent, to: true)
      try change { $0.balance = 7 }
      _ = try context.count(Wallet.self)
      #expect(wallet.balance == 7)
    }
  }

  @Test func `a recorder sees the verbs, with the arguments that may be kept`() throws {
    let recorder = CallRecorder()
    let proxy = try #require(context as? ObjectContextProxy)
    let recorded = ObjectContextProxy(
      source: RecordingSource(into: recorder, from: proxy._source))
    try onThread {
      let wallet = try #require(try recorded.fetch(Wallet.self, limit: 1).first)
      _ = try recorded.existingObject(with: wallet.objectID, as: Wallet.self)
      try recorded.set(\.mergePolicy, to: .overwrite)
      try recorded.increment("balance", of: wallet, by: .integer(1))
      if try recorded.hasChanges { try recorded.save() }
    }
    let names = [
      "fetch(_:)", "existingObject(with:as:)", "set(_:to:)", "increment(_:of:by:)", "hasChanges",
      "save()",
    ]
    #expect(recorder.calls.map(\.name) == names)
    #expect(recorder.calls.allSatisfy { $0.protocolName == "ObjectContext" })
    #expect(recorder.calls.map(\.kind) == [.call, .call, .call, .call, .read, .call])
    let id = recorder.calls[1].arguments[0].value(as: ManagedObjectID.self)
    #expect(id?.entityName == "Wallet")
    let wallet = recorder.calls[3].arguments[1]
    #expect(wallet.value(as: String.self) == nil && wallet.description.contains("Wallet"))
  }
}

extension Result {
  fileprivate var persistenceError: PersistenceError? {
    if case .failure(let error) = self { error as? PersistenceError } else { nil }
  }
}
