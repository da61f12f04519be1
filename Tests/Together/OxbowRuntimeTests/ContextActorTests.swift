import OxbowRuntime
import OxbowTestSupport
import Testing

/// An entity of one text, written as `@Entity` writes it.
private final class Note: ManagedObject, ModelObject {
  var text: String {
    get { _value(0) }
    set { _setValue(0, newValue) }
  }
  static var entityName: String { "Note" }
  static var entityDescription: EntityDescription {
    EntityDescription(
      "Note", className: "Note", attributes: [AttributeDescription("text", .string)])
  }
  static var _propertyNames: [String] { ["text"] }
  static var _keyPaths: [(keyPath: AnyKeyPath, name: String)] { [(\Note.text, "text")] }
}

@Suite struct ContextActorTests {
  private let store: PersistentContainer
  private let id: ManagedObjectID

  init() throws {
    store = try PersistentContainer(.temporary, types: [Note.self])
    id = try store.perform { context in
      let note = try context.insert(Note.self)
      note.text = "0"
      try context.save()
      return note.objectID
    }
  }

  private func text() throws -> String {
    let id = id
    return try store.perform { try $0.existingObject(with: id, as: Note.self).text }
  }

  @Test func `units of work of an actor come one after the other (PS-04)`() async throws {
    let (actor, id) = (ContextActor(store), id)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<50 {
        group.addTask {
          try await actor.perform { context in
            let note = try context.existingObject(with: id, as: Note.self)
            note.text = "\((Int(note.text) ?? 0) + 1)"
            try context.save()
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try text() == "50")
  }

  @Test func `what a unit of work does not save is taken back, also when it throws (PS-04)`()
    async throws
  {
    struct Stop: Error {}
    let (actor, id) = (ContextActor(store), id)
    try await actor.perform { try $0.existingObject(with: id, as: Note.self).text = "1" }
    await #expect(throws: Stop.self) {
      try await actor.perform { (context) -> Void in
        try context.existingObject(with: id, as: Note.self).text = "2"
        throw Stop()
      }
    }
    let text = try await actor.perform { context in
      #expect(!context.hasChanges)
      return try context.existingObject(with: id, as: Note.self).text
    }
    #expect(text == "0")
  }

  @Test func `objects that somebody holds stay, and saves of others are merged (PS-04, PS-08)`()
    async throws
  {
    let (actor, id) = (ContextActor(store), id)
    _ = try await actor.perform { try $0.existingObject(with: id, as: Note.self).text }
    let before = try await actor.perform { $0.statistics }
    try await store.perform { context in
      try context.existingObject(with: id, as: Note.self).text = "9"
      try context.save()
    }
    let text = try await actor.perform { try $0.existingObject(with: id, as: Note.self).text }
    #expect(text == "9")
    let after = try await actor.perform { $0.statistics }
    #expect(after.saves == before.saves)
  }

  @Test func `what a unit of work has saved can be undone by the next one (PS-04, PS-11)`()
    async throws
  {
    let store = try PersistentContainer(
      .temporary, types: [Note.self], contexts: ContextOptions(isUndoEnabled: true))
    let actor = ContextActor(store)
    let id = try await actor.perform { context in
      let note = try context.insert(Note.self)
      note.text = "0"
      try context.save()
      return note.objectID
    }
    try await actor.perform { context in
      try context.existingObject(with: id, as: Note.self).text = "1"
      try context.save()
    }
    let text = try await actor.perform { context in
      #expect(try context.undo())
      try context.save()
      return try context.existingObject(with: id, as: Note.self).text
    }
    #expect(text == "0")
  }

  @Test func `saves of others are not read at the end of a unit of work, which could fail (PS-04)`()
    async throws
  {
    let (actor, id, store) = (ContextActor(store), id, store)
    let reads = try await actor.perform { context in
      _ = try context.existingObject(with: id, as: Note.self).text
      try store.perform { other in
        try other.existingObject(with: id, as: Note.self).text = "9"
        try other.save()
      }
      return context.statistics
    }
    let (later, text) = try await actor.perform { context in
      (context.statistics, try context.existingObject(with: id, as: Note.self).text)
    }
    #expect(later == reads)
    #expect(text == "9")
  }

  @Test func `an error that a getter recorded is thrown at the end, once (PS-04, PF-04)`()
    async throws
  {
    let (actor, id) = (ContextActor(store), id)
    await #expect(throws: PersistenceError.self) {
      try await actor.perform { context in
        context.faultPolicy = .refuse
        _ = try (context.object(with: id) as? Note)?.text
      }
    }
    let text = try await actor.perform { context in
      context.faultPolicy = .allow
      return try context.existingObject(with: id, as: Note.self).text
    }
    #expect(text == "0")
  }
}
