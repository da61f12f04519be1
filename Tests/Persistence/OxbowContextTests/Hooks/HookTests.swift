import OxbowContext
import OxbowModel
import OxbowStore
import Testing

@Suite struct HookTests {
  let garden: Garden
  let context: ManagedObjectContext

  init() throws {
    garden = try Garden()
    context = garden.context()
  }

  /// Runs `body` with hooks that do what `actions` say, and returns what they saw.
  @discardableResult
  private func seen(
    _ actions: [String: (ManagedObject) -> Void] = [:], _ body: () throws -> Void
  ) rethrows -> [String] {
    let script = Script()
    script.actions = actions
    try Script.$bound.withValue(script) { try body() }
    return script.seen
  }

  private func plant(_ name: String, in bed: Bed? = nil) throws -> Plant {
    try context.insert(Plant.self) {
      $0.name = name
      $0.bed = bed
    }
  }

  @Test func `a new object fills itself in before the program does (PG-06)`() throws {
    let seen = try seen(["awakeFromInsert": { ($0 as? Plant)?.height = 7 }]) {
      let plant = try context.insert(Plant.self) {
        #expect($0.height == 7)
        $0.name = "fern"
      }
      #expect(plant.isInserted)
      _ = try context.insert(entityNamed: "Plant")
    }
    #expect(seen == ["awakeFromInsert ", "awakeFromInsert "])
  }

  @Test func `an object hears of each row that arrives, and of no other moment (PG-06)`() throws {
    let fern = try plant("fern")
    try context.save()
    let other = garden.context()
    try seen {
      var found = try other.fetch(FetchRequest<Plant>())
      #expect(Script.current.seen == ["awakeFromFetch fern"])
      found = try other.fetch(FetchRequest<Plant>())
      #expect(Script.current.seen == ["awakeFromFetch fern"])
      fern.name = "ferny"
      try context.save()
      Script.current.seen = []
      found = try other.fetch(FetchRequest<Plant>())
      #expect(Script.current.seen == ["awakeFromFetch ferny"])
      try other.refresh(found[0])
      #expect(Script.current.seen == ["awakeFromFetch ferny", "willTurnIntoFault ferny"])
      #expect(found[0].name == "ferny")
      #expect(Script.current.seen.last == "awakeFromFetch ferny")
      Script.current.seen = []
      let byID = garden.context()
      let fault = try byID.object(with: fern.objectID)
      #expect(Script.current.seen.isEmpty)
      #expect((fault as? Plant)?.name == "ferny")
      #expect(Script.current.seen == ["awakeFromFetch ferny"])
    }
  }

  @Test func `a transient attribute that a hook sets while a row arrives is not a change (PG-06)`()
    throws
  {
    _ = try plant("fern")
    try context.save()
    let other = garden.context()
    try seen([
      "awakeFromFetch": { object in
        guard let plant = object as? Plant else { return }
        plant.caption = "*" + plant.name
      }
    ]) {
      let found = try other.fetch(FetchRequest<Plant>())
      #expect(found[0].caption == "*fern")
      #expect(!found[0].hasChanges && !other.hasChanges)
      found[0].caption = "mine"
      #expect(other.hasChanges)
      try other.save()
      found[0].height = 8
      found[0].height = nil
      #expect(!other.hasChanges)
      found[0].height = 8
      try other.rollback()
      #expect(found[0].caption == "mine")
    }
    try seen(["awakeFromFetch": { ($0 as? Plant)?.height = 3 }]) {
      let third = garden.context()
      let found = try third.fetch(FetchRequest<Plant>())
      #expect(found[0].height == 3 && found[0].isUpdated)
      try third.save()
    }
    #expect(try garden.context().fetch(FetchRequest<Plant>())[0].height == 3)
  }

  @Test func `a hook that runs in a read is refused what changes the context (PG-06)`() throws {
    let bed = try context.insert(Bed.self)
    _ = try plant("fern", in: bed)
    try context.save()
    let other = garden.context()
    var errors: [String] = []
    let insert: (ManagedObject) -> Void = { object in
      do { _ = try object.context?.insert(Bed.self) } catch { errors.append("\(error)") }
      do { try object.context?.save() } catch { errors.append("\(error)") }
      do { try object.context?.rollback() } catch { errors.append("\(error)") }
    }
    try seen(["awakeFromFetch": insert]) {
      let found = try other.fetch(FetchRequest<Plant>())
      // A walk is none of that.
      #expect(found[0].bed?.code == nil)
    }
    #expect(
      errors == [
        "'insert' was called inside awakeFromFetch(), which runs in the middle of what the context "
          + "'context' does; do it after that has returned",
        "'save' was called inside awakeFromFetch(), which runs in the middle of what the context "
          + "'context' does; do it after that has returned",
        "'rollback' was called inside awakeFromFetch(), which runs in the middle of what the "
          + "context 'context' does; do it after that has returned",
      ])
    try seen(["awakeFromFetch": { ($0 as? Plant)?.bed = nil }]) {
      let third = garden.context()
      let found = try third.fetch(FetchRequest<Plant>())
      #expect(!found[0].hasChanges)
      #expect(throws: PersistenceError.self) { try third.save() }
    }
  }

  @Test func `willSave is asked until a round changes nothing (PG-06)`() throws {
    let fern = try plant("fern")
    var seen = try seen { try context.save() }
    #expect(seen == ["willSave fern", "didSave fern"])
    fern.height = 1
    seen = try self.seen([
      "willSave": { object in
        guard let plant = object as? Plant, (plant.height ?? 0) < 3 else { return }
        plant.height = (plant.height ?? 0) + 1
      }
    ]) { try context.save() }
    #expect(seen == ["willSave fern", "willSave fern", "willSave fern", "didSave fern"])
    #expect(try garden.context().fetch(FetchRequest<Plant>())[0].height == 3)
    seen = try self.seen { try context.save() }
    #expect(seen.isEmpty)
  }

  @Test func `what willSave inserts, changes and deletes is saved as well (PG-06)`() throws {
    let fern = try plant("fern")
    let moss = try plant("moss")
    try context.save()
    fern.height = 2
    let seen = try seen([
      "willSave": { object in
        guard let plant = object as? Plant, plant.name == "fern", let context = plant.context,
          !moss.isDeleted
        else { return }
        _ = try? context.insert(Plant.self) { $0.name = "ivy" }
        try? context.delete(moss)
      }
    ]) { try context.save() }
    #expect(
      seen == [
        "willSave fern", "awakeFromInsert ", "prepareForDeletion moss", "willSave ivy",
        "willSave moss", "didSave ivy", "didSave fern", "didSave moss",
      ])
    let names = try garden.context().fetch(FetchRequest<Plant>(sortedBy: [SortKey("name")]))
    #expect(names.map(\.name) == ["fern", "ivy"])
  }

  @Test func `a willSave without an end is an error that names the object (PG-06)`() throws {
    let fern = try plant("fern")
    let moss = try plant("moss")
    try context.save()
    fern.height = 0
    moss.height = 0
    seen([
      "willSave": { object in
        guard let plant = object as? Plant, plant.name == "fern" else { return }
        plant.height = (plant.height ?? 0) + 1
      }
    ]) {
      let error = #expect(throws: PersistenceError.self) { try context.save() }
      #expect(error?.code == .unsettledHooks)
      #expect(error?.objectIDs == [fern.objectID])
      #expect(
        error?.message
          == "nothing was saved: after 100 rounds of willSave() there were still changes of "
          + "'\(fern)'; set a value in willSave() only where it differs from the one that is there")
    }
    #expect(fern.hasChanges)
    #expect(try garden.context().fetch(FetchRequest<Plant>()).allSatisfy { $0.height == nil })
  }

  @Test func `an edit in didSave is a change for the next save (PG-06)`() throws {
    let fern = try plant("fern")
    var error: (any Error)?
    let seen = try seen([
      "didSave": { object in
        guard let plant = object as? Plant, plant.height == nil else { return }
        #expect(!plant.hasChanges)
        plant.height = 5
        do { try plant.context?.save() } catch let caught { error = caught }
      }
    ]) {
      try context.save()
      #expect(fern.isUpdated)
      try context.save()
    }
    #expect((error as? PersistenceError)?.code == .insideHook)
    #expect(seen == ["willSave fern", "didSave fern", "willSave fern", "didSave fern"])
    #expect(!context.hasChanges)
  }

  @Test func `a refused save is not reported as saved (PG-06)`() throws {
    let fern = try plant("")
    let seen = seen { #expect(throws: PersistenceError.self) { try context.save() } }
    #expect(seen == ["willSave "])
    fern.name = "fern"
    try context.save()
  }

  @Test func `each object of a cascade prepares while it has its links (PG-06)`() throws {
    let bed = try context.insert(Bed.self)
    let fern = try plant("fern", in: bed)
    let moss = try plant("moss", in: bed)
    try context.save()
    let seen = try seen([
      "prepareForDeletion": { object in
        guard let plant = object as? Plant else { return }
        if plant === fern { #expect(plant.bed === bed) }
        // Moss is saved from the cascade; fern asks for what happens anyway.
        moss.bed = nil
        try? plant.context?.delete(plant)
      }
    ]) { try context.delete(bed) }
    #expect(seen == ["prepareForDeletion fern", "prepareForDeletion moss"])
    #expect(fern.isDeleted && bed.isDeleted && !moss.isDeleted)
    try context.save()
    #expect(try garden.context().fetch(FetchRequest<Plant>()).map(\.name) == ["moss"])
  }

  @Test func `a refresh and a rollback tell an object that it becomes a fault (PG-06)`() throws {
    let fern = try plant("fern")
    try context.save()
    fern.height = 9
    let seen = try seen([
      "willTurnIntoFault": { #expect(($0 as? Plant)?.height == 9) }
    ]) {
      try context.refresh(fern)
    }
    #expect(seen == ["willTurnIntoFault fern"])
    #expect(fern.height == nil)
  }
}
