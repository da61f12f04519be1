import OxbowModel
import OxbowStore

@testable import OxbowContext

/// Where a context is: in this process, or in another one.
protocol Seat: AnyObject {
  func run(_ action: SeatAction) throws -> SeatReply
}

/// What can be done in a context.
enum SeatAction: Codable {
  case insert(Int, String)
  case set(Int, String, Value)
  case copy(Int, Int)
  case assign(Int, String, [Int])
  case members(Int, String)
  case delete(Int)
  case load(String, [Int])
  case fetch(String)
  case refresh(Int)
  case sweep
  case save(Step.Policy)
  case rollback
  case reset
  case undo
  case redo
  case enableUndo
  case look(Bench.Holding)
}

/// What came of an action, and what the context holds after it.
struct SeatReply: Codable {
  var labels: [Int] = []
  var count = 0
  var truth = false
  var value: Value?
  var failure: Failure?
  var view = DeskView()
}

/// An error of a context.
struct Failure: Error, Codable {
  let code: PersistenceError.Code
  let text: String
  let labels: [Int]

  private enum CodingKeys: String, CodingKey { case code, text, labels }

  init(_ error: PersistenceError, _ bench: Bench) {
    code = error.code
    text = "\(error)"
    labels = error.objectIDs.map { bench.label(of: $0) }
  }

  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    code = PersistenceError.Code(rawValue: try values.decode(String.self, forKey: .code))
    text = try values.decode(String.self, forKey: .text)
    labels = try values.decode([Int].self, forKey: .labels)
  }

  func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(code.rawValue, forKey: .code)
    try values.encode(text, forKey: .text)
    try values.encode(labels, forKey: .labels)
  }
}

/// What a context holds, by labels, looked at without reading anything.
struct DeskView: Codable {
  var hasChanges = false
  /// How many groups of changes can be undone.
  var undoable = 0
  var objects: [Int: Seen] = [:]

  struct Seen: Codable {
    let entity: String
    let isInserted: Bool
    let isDeleted: Bool
    let isFault: Bool
    let hasChanges: Bool
    let version: Int64?
    var values: [String: Value] = [:]
    /// What the ends lead to that are known.
    var ends: [String: [Int]] = [:]
    let edits: PeekedEdits
  }
}

/// A context of this process.
final class LocalSeat: Seat {
  private let bench: Bench
  private let context: ManagedObjectContext
  private var held: [Int: ManagedObject] = [:]

  init(_ bench: Bench, _ name: String) {
    self.bench = bench
    context = ManagedObjectContext(coordinator: bench.coordinator, name: name, owner: .holder)
  }

  func run(_ action: SeatAction) throws -> SeatReply {
    var reply = SeatReply()
    do {
      try perform(action, &reply)
    } catch let error as PersistenceError {
      reply.failure = Failure(error, bench)
    }
    reply.view = view
    return reply
  }

  private func object(_ label: Int) throws -> ManagedObject {
    if let known = held[label] { return known }
    guard let id = bench.ids[label] else { throw Divergence("test", "o\(label) has no ID") }
    let object = try context.object(with: id)
    held[label] = object
    return object
  }

  private func perform(_ action: SeatAction, _ reply: inout SeatReply) throws {
    switch action {
    case .insert(let label, let entity):
      try inGroup {
        let object = try context.insert(entityNamed: entity)
        held[label] = object
        bench.name(object.objectID, label)
      }
    case .set(let label, let name, let value):
      try inGroup { try object(label).set(name, to: value) }
      reply.value = try stored(label, name)
    case .copy(let label, let other): reply.truth = try copy(label, other)
    case .assign(let label, let end, let members):
      let (owner, objects) = (try object(label), try members.map { try object($0) })
      try inGroup { try owner.setObjects(objects, for: end) }
    case .members(let label, let end):
      reply.labels = try object(label).objects(end).map { bench.label(of: $0.objectID) }
    case .delete(let label):
      let object = try object(label)
      try inGroup { try context.delete(object) }
      reply.truth = object.isDeleted || object.isInserted
    case .load(let end, let labels): try context.load(end, of: labels.map { try object($0) })
    case .fetch(let entity):
      let request = FetchRequest<ManagedObject>(entityNamed: entity)
      reply.labels = try context.fetch(request).map { bench.label(of: $0.objectID) }
      reply.count = try context.count(request)
    default: try performUnit(action, &reply)
    }
  }

  private func performUnit(_ action: SeatAction, _ reply: inout SeatReply) throws {
    switch action {
    case .refresh(let label):
      if let id = bench.ids[label], let object = context.registeredObject(for: id) {
        try context.refresh(object)
      }
    case .sweep: context.sweep()
    case .save(let policy):
      context.mergePolicy = policy.policy
      try context.save()
      dropStrangers()
    case .rollback:
      try context.rollback()
      dropStrangers()
    case .reset:
      try context.reset()
      held = [:]
    case .undo: reply.truth = try context.undo()
    case .redo: reply.truth = try context.redo()
    case .enableUndo: context.isUndoEnabled = true
    case .look(let holding): held = held.filter { holding.keeps($0.key) }
    default: break
    }
  }

  /// Lets go of the objects that the context has no more.
  private func dropStrangers() {
    for (label, object) in held {
      let known = bench.ids[label].flatMap { context.registeredObject(for: $0) }
      if known !== object { held[label] = nil }
    }
  }

  /// Makes changes one group of undo, where changes are recorded.
  private func inGroup(_ body: () throws -> Void) throws {
    guard context.isUndoEnabled else { return try body() }
    try context.beginUndoGroup()
    do {
      try body()
    } catch {
      try context.endUndoGroup()
      throw error
    }
    try context.endUndoGroup()
  }

  private func stored(_ label: Int, _ name: String) throws -> Value? {
    let object = try object(label)
    return try bench.world.attributes(of: object.entityName).first { $0.name == name }
      .map { try object.get($0) }
  }

  /// Copies a number as accessors do, which cannot throw.
  ///
  /// - Returns: Whether what was read is a fault still, so that it was a stand-in.
  private func copy(_ label: Int, _ other: Int) throws -> Bool {
    let (mine, theirs) = (try object(label), try object(other))
    guard let to = mine.entity.property(named: "n")?.index,
      let from = theirs.entity.property(named: "n")?.index
    else { return false }
    let wasFault = theirs.isFault
    try inGroup {
      let number: Int64? = theirs._optionalValue(from)
      mine._setValue(to, number)
    }
    return wasFault
  }

  private var view: DeskView {
    var view = DeskView(
      hasChanges: context.hasChanges, undoable: context.undoLog?.undoable.count ?? 0)
    for (label, id) in bench.ids {
      guard let object = context.registeredObject(for: id) else { continue }
      view.objects[label] = seen(object)
    }
    return view
  }

  private func seen(_ object: ManagedObject) -> DeskView.Seen {
    let world = bench.world
    var seen = DeskView.Seen(
      entity: object.entityName, isInserted: object.isInserted, isDeleted: object.isDeleted,
      isFault: object.isFault, hasChanges: object.hasChanges, version: object.peekedVersion,
      edits: object.peekEdits { bench.label(of: $0) })
    if seen.version != nil {
      for attribute in world.attributes(of: object.entityName) {
        guard let property = object.entity.property(named: attribute.name) else { continue }
        seen.values[attribute.name] = Value(object.attributeValue(of: property))
      }
    }
    for end in world.ends(of: object.entityName) {
      guard let property = object.entity.property(named: end.name) else { continue }
      seen.ends[end.name] = object.peek(property, end)?.map { bench.label(of: $0) }
    }
    return seen
  }
}

extension Step.Policy {
  fileprivate var policy: MergePolicy {
    switch self {
    case .error: .error
    case .mergeByProperty: .mergeByProperty
    case .storeTrump: .mergeByPropertyStoreTrump
    case .objectTrump: .mergeByPropertyObjectTrump
    case .overwrite: .overwrite
    case .rollback: .rollback
    }
  }
}
