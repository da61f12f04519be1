import OxbowContainer
import OxbowRuntime
import OxbowTesting
import Testing

@Suite struct PersistentContainerTests {
  let store: PersistentContainer

  init() throws { store = try PersistentContainer(.temporary, model: notesModel) }

  @Test func `a unit of work reads what another one saved (PS-04)`() throws {
    try store.perform { context in
      try context.insert(entityNamed: "Note").setValue("a", for: "text")
      try context.save()
    }
    let count = try store.perform { try $0.count(allNotes()) }
    #expect(count == 1)
  }

  @Test func `what a unit of work does not save is discarded`() throws {
    try store.perform { context in
      try context.insert(entityNamed: "Note").setValue("a", for: "text")
    }
    #expect(try store.perform { try $0.count(allNotes()) } == 0)
  }

  @Test func `a container that is shut down closes the store that it has made`() throws {
    let builder = ContainerBuilder()
    builder.singleton(named: "store") { try PersistentContainer(.temporary, model: notesModel) }
    let container = try builder.build()
    let store = try container.object("store", as: PersistentContainer.self)
    try container.shutDown()
    let error = #expect(throws: PersistenceError.self) {
      try store.perform { try $0.count(allNotes()) }
    }
    #expect(error?.code == .storeClosed)
  }

  @Test func `a unit of work runs in asynchronous code (PS-04)`() async throws {
    try await store.perform { context in
      try context.insert(entityNamed: "Note").setValue("a", for: "text")
      try context.save()
    }
    let texts = try await store.perform { context in
      try context.fetch(allNotes()).compactMap { try $0.value("text", as: String.self) }
    }
    #expect(texts == ["a"])
  }

  @Test func `a task's context is none of another store`() async throws {
    let other = try PersistentContainer(.temporary, model: notesModel)
    let notes = Notes(context: other.contexts)
    let error = await #expect(throws: PersistenceError.self) {
      try await store.withTaskContext { try notes.add("lost") }
    }
    #expect(error?.code == .insideTask)
    #expect(try await store.perform { try $0.count(allNotes()) } == 0)
    try await other.withTaskContext {
      try notes.add("kept")
      try notes.save()
    }
    #expect(try await other.perform { try $0.count(allNotes()) } == 1)
  }

  @Test func `the end of perform throws what a getter recorded`() throws {
    let id = try store.perform { context in
      let note = try context.insert(entityNamed: "Note")
      try note.setValue("a", for: "text")
      try context.save()
      let id = note.objectID
      try context.delete(note)
      try context.save()
      return id
    }
    let error = #expect(throws: PersistenceError.self) {
      try store.perform { context in
        let note = try context.object(with: id)
        let text: String? = note._optionalValue(0)
        #expect(text == nil)
        #expect(note.faultError?.code == .rowGone)
      }
    }
    #expect(error?.code == .rowGone)
  }

  @Test func `eight threads fill one store through one repository (PS-03)`() throws {
    let notes = Notes(context: store.contexts)
    try onThreads(8) { thread in
      for number in 0..<20 {
        try notes.add("\(thread)-\(number)")
        if number % 5 == 4 { try notes.save() }
      }
    }
    #expect(try store.perform { try $0.count(allNotes()) } == 160)
  }

  @Test func `PS-18 threads count in one object through one proxy, without a conflict`() throws {
    let counter = EntityDescription(
      "Counter", attributes: [AttributeDescription("count", .integer64, defaultValue: .integer(0))])
    let store = try PersistentContainer(.temporary, model: ManagedObjectModel(entities: [counter]))
    let id = try store.perform { context in
      let object = try context.insert(entityNamed: "Counter")
      try context.save()
      return object.objectID
    }
    let context = store.contexts
    try onThreads(8) { _ in
      for _ in 0..<10 {
        let object = try context.object(with: id)
        try context.increment("count", of: object, by: .integer(2))
        try context.change(object, if: .greaterOrEqual("count", 0)) {
          try context.increment("count", of: $0, by: .integer(-1))
        }
        try context.save()
      }
    }
    let count = try store.perform { try $0.object(with: id).value("count", as: Int.self) }
    #expect(count == 80)
  }

  @Test func `each thread has a context of its own (PS-03)`() throws {
    let notes = Notes(context: store.contexts)
    try onThreads(1) { _ in
      try notes.add("unsaved")
      #expect(try notes.texts() == ["unsaved"])
      try onThreads(1) { _ in
        let texts = try notes.texts()
        #expect(texts == [])
      }
      try notes.context.rollback()
    }
  }

  @Test func `a scope of work begins with an empty context`() throws {
    let notes = Notes(context: store.contexts)
    let store = self.store
    try onThreads(1) { _ in
      try notes.add("outer")
      try store.scope {
        #expect(try notes.texts() == [])
        try notes.add("inner")
        try notes.save()
      }
      #expect(try notes.texts() == ["inner", "outer"])
      try notes.context.rollback()
    }
  }

  @Test func `inside a task, a proxy without a bound context says what to do (PS-04)`() async throws
  {
    let notes = Notes(context: store.contexts)
    let error = #expect(throws: PersistenceError.self) { try notes.texts() }
    #expect(error?.code == .insideTask)
    #expect("\(error!)".contains("perform { context in … }"))
    try await store.withTaskContext {
      try notes.add("bound")
      try notes.save()
      #expect(try notes.texts() == ["bound"])
    }
  }

  @Test(.objectContext { try PersistentContainer(.temporary, model: notesModel) })
  func `the trait gives a test a store and a context`() throws {
    let notes = Notes(context: try ObjectContextTrait.contexts)
    try notes.add("a")
    try notes.save()
    #expect(try notes.texts() == ["a"])
  }

  @Test func `after the store is closed, calls throw`() throws {
    store.close()
    let error = #expect(throws: PersistenceError.self) {
      try store.perform { try $0.count(allNotes()) }
    }
    #expect(error?.code == .storeClosed)
  }
}
