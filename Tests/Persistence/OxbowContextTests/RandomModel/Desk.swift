import OxbowModel
import OxbowStore

/// One of several contexts on a store, and what is known of it.
///
/// The context is at a seat, perhaps of another process; here is what was last seen of it.
final class Desk {
  let name: String
  let bench: Bench

  /// What the context held after its last command.
  private(set) var view = DeskView()

  /// What was edited, as seen after the last step.
  var edits: [Int: Edit] = [:]

  /// Whether others have deleted objects since the context was reset.
  var missedDeletes = false

  /// What was pending before and after the last group of changes, and before and after the last
  /// undo, while nothing else has come between.
  var lastGroup: Group?
  var lastUndo: Group?

  private let seat: any Seat

  struct Group {
    let before: [Int: Edit]
    let after: [Int: Edit]
  }

  struct Edit: Equatable {
    let entity: String
    let isInserted: Bool
    let isDeleted: Bool
    /// The version of the row, or `nil` for a fault and for a new object.
    let version: Int64?
    let isFault: Bool
    let cells: PeekedEdits
  }

  init(_ bench: Bench, _ name: String, _ seat: any Seat) throws {
    self.bench = bench
    self.name = name
    self.seat = seat
  }

  /// Does something in the context.
  ///
  /// - Throws: ``Failure`` when the context has thrown.
  @discardableResult
  func run(_ action: SeatAction) throws -> SeatReply {
    let reply = try seat.run(action)
    view = reply.view
    if let failure = reply.failure { throw failure }
    return reply
  }

  /// Ends a step: objects that are not kept are let go, and the context is looked at.
  func look(keeping holding: Bench.Holding) throws { try run(.look(holding)) }

  /// What an end is known to lead to, without reading anything.
  func peek(_ label: Int, _ end: World.End) -> [Int]? { view.objects[label]?.ends[end.name] }
}

extension Desk.Edit {
  /// The same, but for orders, for ends that lead nowhere where a link may be hidden, and for what
  /// is pending of an object that the save deletes.
  ///
  /// A link that others have saved and that an unsaved change hides may become one that is taken
  /// away, which the program sees as before: that of a one-to-one relationship, and one to an
  /// object in `gone`, which the context deletes, as the row that others have saved has it.
  func shown(in world: World, row: OracleState.Object?, gone: Set<Int>) -> Desk.Edit? {
    var cells = isDeleted ? PeekedEdits() : cells.unordered
    for end in world.ends where !end.isToMany {
      guard let target = cells.ones[end.name], target == nil else { continue }
      let isPair = world.inverse(of: end)?.isToMany == false
      if isPair || row?.ones[end.index].map(gone.contains) == true {
        cells.ones[end.name] = nil
      }
    }
    guard isInserted || isDeleted || cells != PeekedEdits() else { return nil }
    return Desk.Edit(
      entity: entity, isInserted: isInserted, isDeleted: isDeleted, version: version,
      isFault: isFault, cells: cells)
  }
}

extension DeskView {
  /// What the context has edited.
  var edits: [Int: Desk.Edit] {
    objects.compactMapValues { object in
      guard object.isInserted || object.isDeleted || object.edits != PeekedEdits() else {
        return nil
      }
      return Desk.Edit(
        entity: object.entity, isInserted: object.isInserted, isDeleted: object.isDeleted,
        version: object.version, isFault: object.isFault, cells: object.edits)
    }
  }
}

// MARK: - Links without inverse

extension Desk {
  /// What a save has to write: what was edited, once the to-one ends without inverse of all that
  /// the context has read have let go of what it deletes.
  ///
  /// An end that led nowhere in the row is as it was then, and no edit any more.
  func editsUntied(
    in world: World, _ known: Set<Int>, _ history: [Int: [Int64: OracleState.Object]]
  ) -> [Int: Edit] {
    var edits = view.edits
    for (label, object) in view.objects where !object.isDeleted && !object.isFault {
      let row = object.version.flatMap { history[label]?[$0] }
      var cells = object.edits
      for end in world.ends(of: object.entity) where !end.isToMany && end.inverse == nil {
        guard let target = peek(label, end)?.first, isDeleted(target, known) else { continue }
        let wasNil = row != nil && row?.ones[end.index] == nil
        cells.ones[end.name] = wasNil ? .none : .some(.none)
      }
      guard cells != object.edits else { continue }
      edits[label] = Edit(
        entity: object.entity, isInserted: object.isInserted, isDeleted: false,
        version: object.version, isFault: false, cells: cells)
    }
    return edits
  }

  /// Whether the context has deleted an object; one that is not known was new.
  private func isDeleted(_ label: Int, _ known: Set<Int>) -> Bool {
    view.objects[label]?.isDeleted ?? !known.contains(label)
  }
}
