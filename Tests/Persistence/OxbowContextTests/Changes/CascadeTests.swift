import OxbowContext
import OxbowModel
import OxbowSQLite
import OxbowStore
import Synchronization
import Testing

/// Cascades of many objects, none of which was read (decision 0196).
@Suite struct CascadeTests {
  /// A trunk has branches, a branch has twigs, a bud is a twig; all by cascade.
  ///
  /// A twig denies its deletion while birds sit on it, and is marked by signs, many to many.
  private static let entities = [
    entity("Trunk", [many("branches", "Branch", "trunk", .cascade)]),
    entity(
      "Branch",
      [one("trunk", "Trunk", "branches"), many("twigs", "Twig", "branch", .cascade)]),
    entity(
      "Twig",
      [
        one("branch", "Branch", "twigs"), many("birds", "Bird", "twig", .deny),
        many("signs", "Sign", "twigs", .nullify),
      ]),
    EntityDescription("Bud", parent: "Twig", attributes: [], relationships: []),
    entity("Bird", [one("twig", "Twig", "birds")]),
    entity("Sign", [many("twigs", "Twig", "signs", .nullify)]),
  ]

  private static func entity(
    _ name: String, _ relationships: [RelationshipDescription]
  ) -> EntityDescription {
    EntityDescription(
      name, attributes: [AttributeDescription("name", .string, isOptional: true)],
      relationships: relationships)
  }

  private static func one(_ name: String, _ destination: String, _ inverse: String)
    -> RelationshipDescription
  {
    RelationshipDescription(name, to: destination, inverse: inverse)
  }

  private static func many(
    _ name: String, _ destination: String, _ inverse: String, _ rule: DeleteRule
  ) -> RelationshipDescription {
    RelationshipDescription(
      name, to: destination, inverse: inverse, isToMany: true, deleteRule: rule)
  }

  private let coordinator: PersistentStoreCoordinator

  init() throws {
    let model = try CompiledModel(ManagedObjectModel(entities: Self.entities), classes: [])
    coordinator = try PersistentStoreCoordinator(model, at: .inMemory)
  }

  private func context(_ name: String = "context") -> ManagedObjectContext {
    ManagedObjectContext(coordinator: coordinator, name: name)
  }

  /// Saves a trunk with one branch that has so many twigs, every third of them a bud.
  private func tree(_ twigs: Int) throws -> ManagedObjectID {
    let context = context("planting")
    let trunk = try context.insert(entityNamed: "Trunk")
    let branch = try context.insert(entityNamed: "Branch")
    try branch.set("trunk", trunk)
    for number in 0..<twigs {
      let twig = try context.insert(entityNamed: number % 3 == 0 ? "Bud" : "Twig")
      try twig.setValue("\(number)", for: "name")
      try twig.set("branch", branch)
    }
    try context.save()
    return trunk.objectID
  }

  private func count(_ entity: String) throws -> Int {
    try context().all(entity).count
  }

  /// The names of the twigs that the store has on a trunk's branch.
  private func twigNames(of trunk: ManagedObjectID) throws -> Set<String> {
    var names: [String] = []
    try elsewhere { context in
      let branch = try #require(try context.get(trunk).one("branches"))
      names = try branch.names("twigs")
    }
    return Set(names)
  }

  private func twig(_ name: String, in context: ManagedObjectContext) throws -> ManagedObject {
    try #require(try context.all("Twig", where: .equal("name", name)).first)
  }

  private func elsewhere(_ work: (ManagedObjectContext) throws -> Void) throws {
    let context = context("elsewhere")
    try work(context)
    try context.save()
  }

  // MARK: Deleting

  @Test(arguments: [1, 7, 8, 499, 500, 501, 1000, 1025])
  func `a cascade deletes its tree and leaves another as it is (PG-08)`(_ twigs: Int) throws {
    let other = try tree(20)
    let trunk = try tree(twigs)
    try elsewhere { try $0.delete(try $0.get(trunk)) }
    #expect(try count("Twig") == 20)
    let context = context()
    #expect(try context.all("Trunk").map(\.objectID) == [other])
    #expect(try twigNames(of: other).count == 20)
  }

  @Test func `two trees that were planted in turns go one by one (PG-08)`() throws {
    let trunks = [try tree(0), try tree(0)]
    try elsewhere { context in
      let branches = try trunks.map { try #require(try context.get($0).one("branches")) }
      for number in 0..<1200 {
        let twig = try context.insert(entityNamed: "Twig")
        try twig.setValue("\(number)", for: "name")
        try twig.set("branch", branches[number % 2])
      }
    }
    try elsewhere { try $0.delete(try $0.get(trunks[0])) }
    #expect(try count("Twig") == 600)
    #expect(try twigNames(of: trunks[1]).count == 600)
  }

  @Test func `a collection that stays loses what a cascade deletes (PG-08)`() throws {
    let id = try tree(30)
    let context = context()
    let trunk = try context.get(id)
    let branches = try trunk.objects("branches")
    let sign = try context.insert(entityNamed: "Sign")
    try sign.setObjects(try branches[0].objects("twigs"), for: "twigs")
    try context.save()
    try context.delete(branches[0])
    #expect(try trunk.objects("branches") == [])
    try context.save()
    #expect(try trunk.objects("branches") == [])
    #expect(try sign.objects("twigs") == [])
    #expect(try count("Twig") == 0)
  }

  @Test func `another context merges a cascade (PS-08)`() throws {
    let (first, second) = (try tree(600), try tree(30))
    let reader = context("reader")
    let twigs = try reader.all("Twig")
    let branches = try [first, second].map { try #require(try reader.get($0).one("branches")) }
    #expect(try branches.map { try $0.objects("twigs").count } == [600, 30])
    let events = Mutex<[SaveEvent]>([])
    let subscription = coordinator.onDidSave { event in events.withLock { $0.append(event) } }
    try elsewhere { try $0.delete(try $0.get(first)) }
    for event in events.withLock(\.self) { try reader.mergeChanges(from: event) }
    subscription.cancel()
    #expect(twigs.filter { $0.context == nil }.count == 600)
    #expect(branches.map { $0.context == nil } == [true, false])
    #expect(try branches[1].objects("twigs").count == 30)
  }

  @Test func `a child's cascade reaches the parent, and the store by its save (PG-10)`() throws {
    let id = try tree(600)
    let parent = context("parent")
    let child = ManagedObjectContext(parent: parent, name: "child")
    try child.delete(try child.get(id))
    try child.save()
    #expect(parent.deletedObjects.count == 602)
    #expect(try count("Twig") == 600)
    try parent.save()
    #expect(try count("Twig") == 0)
  }

  // MARK: Conflicts

  @Test func `a twig that others changed or deleted meanwhile is named (PG-08)`() throws {
    let id = try tree(700)
    let context = context()
    try context.delete(try context.get(id))
    let (changed, gone) = (
      try twig("300", in: self.context()).objectID, try twig("301", in: self.context()).objectID
    )
    try elsewhere { context in
      try context.get(changed).setValue("new", for: "name")
      try context.delete(try context.get(gone))
    }
    let error = #expect(throws: PersistenceError.self) { try context.save() }
    #expect(error?.code == .conflict)
    #expect(error?.objectIDs == [changed, gone])
    #expect(context.deletedObjects.count == 702)
    #expect(try count("Twig") == 699)
    try context.rollback()
    #expect(try context.get(changed).label == "new")
    try context.delete(try context.get(id))
    try context.save()
    #expect(try count("Twig") == 0)
  }

  @Test(arguments: [MergePolicy.overwrite, .mergeByPropertyObjectTrump])
  func `a policy that prevails deletes what others changed (PG-06)`(
    _ policy: MergePolicy
  ) throws {
    let id = try tree(700)
    let context = context()
    context.mergePolicy = policy
    try context.delete(try context.get(id))
    try elsewhere { try twig("300", in: $0).setValue("new", for: "name") }
    try elsewhere { try $0.delete(try twig("301", in: $0)) }
    try context.save()
    #expect(context.mergedConflicts.count == 2)
    #expect(try count("Twig") == 0)
  }

  @Test(arguments: [MergePolicy.rollback, .mergeByPropertyStoreTrump])
  func `a policy that yields takes the cascade back as a whole (PG-06)`(
    _ policy: MergePolicy
  ) throws {
    let id = try tree(700)
    let context = context()
    context.mergePolicy = policy
    try context.delete(try context.get(id))
    try elsewhere { try twig("300", in: $0).setValue("new", for: "name") }
    try context.save()
    #expect(try count("Twig") == 700)
    #expect(try count("Trunk") == 1)
    #expect(context.deletedObjects.isEmpty)
  }

  // MARK: Rules

  @Test func `a rule deep in a cascade denies it, and nothing goes (PG-08)`() throws {
    let id = try tree(600)
    let bird = try elsewhereBird(on: "400")
    let context = context()
    try context.delete(try context.get(id))
    let error = #expect(throws: PersistenceError.self) { try context.save() }
    #expect(error?.code == .validation)
    #expect(error?.objectIDs == [try twig("400", in: self.context()).objectID, bird])
    #expect(try count("Twig") == 600)
    try context.delete(try context.get(bird))
    try context.save()
    #expect(try count("Twig") == 0)
  }

  private func elsewhereBird(on name: String) throws -> ManagedObjectID {
    let context = context("nesting")
    let bird = try context.insert(entityNamed: "Bird")
    try bird.set("twig", try twig(name, in: context))
    try context.save()
    return bird.objectID
  }

  @Test func `W-2 a new twig that denies does not stop the delete`() throws {
    let id = try tree(20)
    let context = context()
    let trunk = try context.get(id)
    let branch = try #require(try trunk.one("branches"))
    let twig = try context.insert(entityNamed: "Twig")
    try twig.set("branch", branch)
    let bird = try context.insert(entityNamed: "Bird")
    try bird.set("twig", twig)
    try context.delete(trunk)
    #expect(twig.context == nil && context.deletedObjects.count == 22)
    #expect(try bird.objects("twig").isEmpty)
    try context.save()
    #expect(try count("Twig") == 0)
    #expect(try count("Bird") == 1)
  }

  @Test func `a delete that fails for a row that is gone leaves nothing marked`() throws {
    let id = try tree(20)
    let context = context()
    let branch = try #require(try context.get(id).one("branches"))
    let stranger = self.context("stranger")
    let fault = try stranger.object(with: branch.objectID)
    try elsewhere { try $0.delete(try $0.get(branch.objectID)) }
    for _ in 0..<2 {
      let error = #expect(throws: PersistenceError.self) { try stranger.delete(fault) }
      #expect(error?.code == .rowGone)
    }
    #expect(!stranger.hasChanges)
  }

  // MARK: Undo, rollback

  @Test(arguments: [false, true])
  func `a cascade is undone, saved or not, and made again (PG-09)`(_ isSaved: Bool) throws {
    let id = try tree(600)
    let context = context()
    context.isUndoEnabled = true
    let trunk = try context.get(id)
    try context.delete(trunk)
    if isSaved { try context.save() }
    try context.undo()
    #expect(context.deletedObjects.isEmpty)
    if !isSaved { #expect(!context.hasChanges) }
    try context.save()
    #expect(try twigNames(of: id) == Set((0..<600).map(String.init)))
    try context.redo()
    #expect(context.deletedObjects.count == 602)
    try context.save()
    #expect(try count("Twig") == 0)
  }

  @Test func `a cascade that is rolled back can be made again`() throws {
    let id = try tree(600)
    let context = context()
    let trunk = try context.get(id)
    try context.delete(trunk)
    try context.rollback()
    #expect(!context.hasChanges)
    let branch = try #require(try trunk.one("branches"))
    #expect(try branch.objects("twigs").count == 600)
    try context.delete(trunk)
    try context.save()
    #expect(try count("Twig") == 0)
  }

  // MARK: Hooks

  @Test func `hooks of a large cascade read the values and links of what goes (PG-05)`() throws {
    let script = Script()
    try Script.$bound.withValue(script) {
      let garden = try Garden()
      let planting = garden.context()
      let bed = try planting.insert(Bed.self) { $0.code = "b" }
      for number in 0..<600 {
        let plant = try planting.insert(Plant.self) { $0.name = "plant \(number)" }
        plant.bed = bed
      }
      try planting.save()
      script.seen = []
      var codes: Set<String?> = []
      script.actions["prepareForDeletion"] = { codes.insert(($0 as? Plant)?.bed?.code) }
      let context = garden.context()
      try context.delete(try context.existingObject(with: bed.objectID, as: Bed.self))
      let names = script.seen.filter { $0.hasPrefix("prepareForDeletion") }
      #expect(Set(names) == Set((0..<600).map { "prepareForDeletion plant \($0)" }))
      #expect(names.count == 600)
      #expect(codes == ["b"])
      try context.save()
      #expect(try garden.context().fetch(FetchRequest<Plant>()).isEmpty)
    }
  }

  @Test func `a hook that saves a twig from the cascade keeps it (PG-05)`() throws {
    let script = Script()
    try Script.$bound.withValue(script) {
      let garden = try Garden()
      let context = garden.context()
      let beds = try ["a", "b"].map { code in try context.insert(Bed.self) { $0.code = code } }
      for number in 0..<40 {
        let plant = try context.insert(Plant.self) { $0.name = "\(number)" }
        plant.bed = beds[0]
      }
      try context.save()
      script.actions["prepareForDeletion"] = { object in
        if let plant = object as? Plant, plant.name == "7" { plant.bed = beds[1] }
      }
      try context.delete(beds[0])
      try context.save()
      let reader = garden.context()
      let left = try reader.fetch(FetchRequest<Plant>())
      #expect(left.map(\.name) == ["7"])
      #expect(left.first?.bed?.code == "b")
    }
  }
}
