import Foundation
import OxbowContainer
import OxbowRuntime
import OxbowTestSupport
import Testing

/// What saving.md teaches, on the context that is injected (review 2, D3).
@Suite struct OwnContextTests {
  private func repository(
    contexts: (inout Injections<ContextFactory>) -> Void = { _ in }
  ) throws -> (container: Container, memos: Memos) {
    let builder = ContainerBuilder()
    let context = builder.persistentStore(at: .temporary, types: [Memo.self], contexts: contexts)
    let memos = builder.singleton(Memos.init(context:), context)
    let container = try builder.build()
    return (container, try container.object(memos))
  }

  @Test func `D3 an injected context has all that a context can do`() throws {
    let (container, memos) = try repository()
    try onThreads(1) { _ in
      try memos.context.withOwn { own in
        own.mergePolicy = .mergeByProperty
        own.isUndoEnabled = true
        own.automaticallyMergesChangesFromParent = true
        try own.batchInsert(Memo.self, ["a", "b"]) { $1.set(\.text, to: $0) }
        try own.batchUpdate(Memo.self, where: .equal("text", "b")) { $0.set(\.text, to: "c") }
        try own.setMetadata("part 7", for: "import")
      }
      try memos.context.save()
      let json = try memos.context.withOwn { own in
        let memo = try own.fetch(Memo.self, where: .equal("text", "c"))
        _ = try own.copy(of: memo[0])
        return try own.json(of: memo, including: [])
      }
      try memos.context.withOwn { own in
        try own.importJSON(json, matching: [])
        #expect(own.mergedConflicts.isEmpty && own.mergePolicy == .mergeByProperty)
      }
      try memos.context.save()
      let texts = try memos.texts()
      #expect(texts.sorted() == ["a", "c", "c", "c"])
    }
    withExtendedLifetime(container) {}
  }

  @Test func `D3 it is the context that the other calls are forwarded to`() throws {
    let (container, memos) = try repository()
    try onThreads(2) { _ in
      let memo = try memos.context.insert(Memo.self)
      let isSame = try memos.context.withOwn { $0 === memo.context && $0.hasChanges }
      #expect(isSame)
      try memos.context.rollback()
    }
    withExtendedLifetime(container) {}
  }

  @Test func `D3 contexts are made with a policy and undo, in code`() throws {
    let (container, memos) = try repository {
      $0.set(\.mergePolicy, to: .overwrite)
      $0.set(\.isUndoEnabled, to: true)
    }
    try onThreads(1) { _ in
      try memos.context.withOwn { own in
        #expect(own.mergePolicy == .overwrite && own.isUndoEnabled)
        #expect(!own.automaticallyMergesChangesFromParent)
      }
    }
    withExtendedLifetime(container) {}
  }

  @Test func `D3 contexts are made with a policy and undo, in files`() throws {
    let builder = ContainerBuilder()
    builder.persistentStore(at: .temporary, types: [Memo.self])
    try builder.load(
      text: """
        <container>
          <object id="own" class="ContextFactory" singleton="false">
            <property name="coordinator" ref="coordinator"/>
            <property name="mergePolicy" value="mergeByPropertyStoreTrump"/>
            <property name="isUndoEnabled" value="true"/>
            <property name="automaticallyMergesChangesFromParent" value="true"/>
            <property name="readPlace" value="replicaAfterOwnSaves"/>
          </object>
          <object id="contexts" class="ThreadLocalProxyFactory">
            <property name="factoryObject" ref="own"/>
          </object>
        </container>
        """)
    let container = try builder.build()
    let contexts = try container.object("contexts", as: ObjectContextProxy.self)
    try onThreads(1) { _ in
      try contexts.withOwn { own in
        #expect(own.mergePolicy == .mergeByPropertyStoreTrump && own.isUndoEnabled)
        #expect(own.automaticallyMergesChangesFromParent)
        // A store in a file has no replica.
        #expect(own.readPlace == .primary)
      }
    }
    withExtendedLifetime(container) {}
  }

  @Test func `D3 a task's context is reached in the same way`() throws {
    let store = try PersistentContainer(.temporary, types: [Memo.self])
    let memos = Memos(context: store.contexts)
    try onThreads(1) { _ in
      try memos.context.withOwn {
        _ = try $0.batchInsert(Memo.self, [1]) { $1.set(\.text, to: "\($0)") }
      }
      let texts = try memos.texts()
      #expect(texts == ["1"])
    }
  }

  @Test func `D3 inside a task it is the context that was bound to the task`() async throws {
    let store = try PersistentContainer(.temporary, types: [Memo.self])
    let memos = Memos(context: store.contexts)
    let error = #expect(throws: PersistenceError.self) { try memos.insertInOwn("lost") }
    #expect(error?.code == .insideTask)
    #expect(error?.message.contains("bind a context with `store.withTaskContext") == true)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 1...4 {
        group.addTask {
          try await store.withTaskContext {
            let own = try memos.insertInOwn("\(number)")
            await Task.yield()
            let saved = try memos.saveOwn()
            #expect(saved == own)
          }
        }
      }
      try await group.waitForAll()
    }
    let texts = try await store.withTaskContext { try memos.texts() }
    #expect(texts == ["1", "2", "3", "4"])
  }

  @Test func `the context of a task is made as the definition says`() async throws {
    let (container, memos) = try repository {
      $0.set(\.mergePolicy, to: .overwrite)
      $0.set(\.isUndoEnabled, to: true)
    }
    try await memos.context.withTaskContext {
      let own = try memos.insertInOwn("a")
      await Task.yield()
      let options = try memos.options()
      #expect(options == ContextOptions(mergePolicy: .overwrite, isUndoEnabled: true))
      let saved = try memos.saveOwn()
      #expect(saved == own)
    }
    try await memos.context.withTaskContext {
      _ = try memos.insertInOwn("b")
      let texts = try memos.texts()
      #expect(texts == ["a", "b"])
    }
    try onThreads(1) { _ in
      let texts = try memos.texts()
      #expect(texts == ["a"])
    }
    withExtendedLifetime(container) {}
  }

  @Test func `a context that is no proxy makes none for a task`() async throws {
    let store = try PersistentContainer(.temporary, types: [Memo.self])
    let context = store.makeContext()
    let error = await #expect(throws: PersistenceError.self) {
      try await context.withTaskContext {}
    }
    #expect(error?.code == .unsupported)
  }

  @Test func `all contexts of a PersistentContainer are made as it says`() async throws {
    let options = ContextOptions(
      mergePolicy: .mergeByProperty, isUndoEnabled: true,
      automaticallyMergesChangesFromParent: true)
    let store = try PersistentContainer(.temporary, types: [Memo.self], contexts: options)
    let memos = Memos(context: store.contexts)
    #expect(store.makeContext().options == options)
    let ofWork = try await store.perform { $0.options }
    #expect(ofWork == options)
    let ofTasks = [
      try await store.withTaskContext { try memos.options() },
      try await memos.context.withTaskContext { try memos.options() },
    ]
    #expect(ofTasks == [options, options])
    try onThreads(1) { _ in
      let own = try memos.options()
      #expect(own == options)
    }
    let plain = try PersistentContainer(coordinator: store.coordinator)
    #expect(plain.makeContext().options == ContextOptions())
  }

  @Test func `D3 the name of a policy in a file is the policy`() {
    #expect(MergePolicy.allCases.allSatisfy { MergePolicy(rawValue: $0.rawValue) == $0 })
    #expect(MergePolicy(rawValue: "mine") == nil)
  }
}

extension Memos {
  /// The options of the context.
  fileprivate func options() throws -> ContextOptions { try context.withOwn(\.options) }

  /// Inserts a memo with the context's own members, and says which context it is.
  fileprivate func insertInOwn(_ text: String) throws -> ObjectIdentifier {
    try context.withOwn { own in
      own.mergePolicy = .overwrite
      _ = try own.insert(Memo.self) { $0.text = text }
      return ObjectIdentifier(own)
    }
  }

  /// Saves the one memo of the context with its own members, and says which context it is.
  fileprivate func saveOwn() throws -> ObjectIdentifier {
    try context.withOwn { own in
      #expect(own.mergePolicy == .overwrite && own.insertedObjects.count == 1)
      try own.save()
      return ObjectIdentifier(own)
    }
  }
}
