import OxbowModel
import OxbowStore

@testable import OxbowContext

// What must hold in each context after each step.

extension CrowdPlayer {
  func check(_ desk: Desk, isAtWork: Bool, _ action: Step.Action) throws {
    let (before, edits) = (desk.edits, desk.view.edits)
    desk.edits = edits
    for (label, object) in desk.view.objects.sorted(by: { $0.key < $1.key }) {
      try checkRow(desk, label, object)
      if !object.isDeleted { try checkLinks(desk, label, object) }
    }
    if !isAtWork || !action.edits { try expectSame(before, edits) }
    for (label, edit) in edits where edit.isFault && edit.cells.changesRow && !edit.isDeleted {
      throw Divergence("fault.edited", "o\(label) is a fault with edits that no save writes")
    }
    try checkFlags(desk, edits)
  }

  func expectSame(
    _ before: [Int: Desk.Edit], _ after: [Int: Desk.Edit], _ kind: String = "pending"
  ) throws {
    for label in Set(before.keys).union(after.keys).sorted() {
      let (old, new) = (
        before[label].flatMap { settled($0, label).paired(in: bench.world) },
        after[label].flatMap { settled($0, label).paired(in: bench.world) }
      )
      let isSame =
        old?.cells == new?.cells && old?.isDeleted == new?.isDeleted
        && old?.isInserted == new?.isInserted
      if !isSame {
        throw Divergence(
          kind,
          "no one edited o\(label), and what is pending went from "
            + "\(old.map { "\($0.cells)" } ?? "nothing") to \(new.map { "\($0.cells)" } ?? "nothing")"
        )
      }
    }
  }

  /// An edit without the places of members that came back by keys which others have led elsewhere:
  /// such a place ends when the member's row arrives.
  private func settled(_ edit: Desk.Edit, _ label: Int) -> Desk.Edit {
    var cells = edit.cells
    for (name, members) in cells.arrivals {
      guard let end = bench.world.ends(of: edit.entity).first(where: { $0.name == name }),
        let back = bench.world.inverse(of: end), !back.isToMany
      else { continue }
      let added = cells.added[name] ?? []
      let kept = members.filter { added.contains($0) || committed.state.one($0, back) == label }
      cells.arrivals[name] = kept.allSatisfy(added.contains) ? nil : kept
    }
    return Desk.Edit(
      entity: edit.entity, isInserted: edit.isInserted, isDeleted: edit.isDeleted,
      version: edit.version, isFault: edit.isFault, cells: cells)
  }

  private func checkFlags(_ desk: Desk, _ edits: [Int: Desk.Edit]) throws {
    let isChanged = edits.values.contains {
      $0.isDeleted != $0.isInserted || !$0.isInserted && $0.cells.changesRow
    }
    if isChanged, !desk.view.hasChanges {
      throw Divergence("flags", "\(desk.name) says that it has no changes")
    }
  }

  /// A row is one that was committed with its version, edits aside.
  private func checkRow(_ desk: Desk, _ label: Int, _ object: DeskView.Seen) throws {
    guard let version = object.version else { return }
    guard let row = history[label]?[version] else {
      throw Divergence("row", "o\(label) has version \(version), which was never saved")
    }
    let edits = object.edits
    for (name, value) in row.values where edits.values[name] == nil {
      let seen = object.values[name]
      if seen != value {
        throw Divergence(
          "row",
          "o\(label).\(name) is \(seen.map { "\($0)" } ?? "nil"), version \(version) had "
            + "\(value)")
      }
    }
    // What an older row says of its ends may have been corrected since.
    guard version == committed.versions[label] else { return }
    for end in bench.world.ends(of: row.entity) where !end.isToMany && edits.ones[end.name] == nil {
      let seen = desk.peek(label, end)?.first
      if seen != row.ones[end.index] {
        throw Divergence(
          "row",
          "o\(label).\(end.name) is \(seen.map { "o\($0)" } ?? "nil"), version \(version) had "
            + (row.ones[end.index].map { "o\($0)" } ?? "nil"))
      }
    }
  }

  /// A to-one end whose row is up to date is known to the other end, if that was read; and no
  /// collection has a member twice.
  ///
  /// The other way round, what an older row or an older collection says may wait until it is read.
  private func checkLinks(_ desk: Desk, _ label: Int, _ object: DeskView.Seen) throws {
    for end in bench.world.ends(of: object.entity) {
      guard let back = bench.world.inverse(of: end), let mine = desk.peek(label, end) else {
        continue
      }
      if Set(mine).count != mine.count {
        throw Divergence("pair", "o\(label).\(end.name) has a member twice: \(mine)")
      }
      if !end.isToMany, isCurrent(desk, label) {
        try expectPairOnceRead(desk, label, end, back, mine.filter { !isStuck(desk, $0) })
      }
      try checkPending(desk, label, end, back)
    }
  }

  /// Where both ends have keys, one that an unsaved change had hidden is brought in line when it is
  /// next read.
  private func expectPairOnceRead(
    _ desk: Desk, _ label: Int, _ end: World.End, _ back: World.End, _ others: [Int]
  ) throws {
    do {
      try expectPair(desk, label, end, others)
    } catch is Divergence where !back.isToMany {
      try expectPair(desk, label, end, try desk.run(.members(label, end.name)).labels)
    }
  }

  /// What an end leads to leads back, if that is known; objects whose rows are gone aside.
  func expectPair(_ desk: Desk, _ label: Int, _ end: World.End, _ others: [Int]) throws {
    guard let back = bench.world.inverse(of: end) else { return }
    for other in others where isThere(desk, other) && isThere(desk, label) {
      guard let theirs = desk.peek(other, back), !theirs.contains(label) else { continue }
      throw Divergence(
        isStuck(desk, label) || isStuck(desk, other)
          ? "pair.stuck" : bench.world.isJoined(end) ? "pair.joined" : "pair",
        "\(desk.name): o\(label).\(end.name) leads to o\(other), whose \(back.name) is "
          + OracleState.list(theirs))
    }
  }

  private func isCurrent(_ desk: Desk, _ label: Int) -> Bool {
    guard let object = desk.view.objects[label], !object.isFault else { return false }
    return object.isInserted || object.version == committed.versions[label]
  }

  /// Whether an object is changed and has an old row, so that its save will fail.
  private func isStuck(_ desk: Desk, _ label: Int) -> Bool {
    guard let object = desk.view.objects[label], let version = object.version else {
      return false
    }
    return object.hasChanges && version != committed.versions[label]
  }

  private func isThere(_ desk: Desk, _ label: Int) -> Bool {
    guard let object = desk.view.objects[label] else { return false }
    return !object.isDeleted && (object.isInserted || committed.state.objects[label] != nil)
  }

  /// A link in a row of its own that is pending is pending at both of its ends.
  private func checkPending(_ desk: Desk, _ label: Int, _ end: World.End, _ back: World.End) throws
  {
    guard bench.world.isJoined(end), let cells = desk.view.objects[label]?.edits else { return }
    for other in cells.added[end.name] ?? [] {
      guard isThere(desk, other), let theirs = desk.view.objects[other]?.edits else { continue }
      if !(theirs.added[back.name] ?? []).contains(label) {
        throw Divergence(
          "pair.pending", "o\(label).\(end.name) += o\(other) is pending at one end only")
      }
    }
  }
}

extension Desk.Edit {
  /// The edit without ends that have no inverse: they are untied from what is deleted when that is
  /// next looked at.
  fileprivate func paired(in world: World) -> Desk.Edit? {
    var cells = cells
    for end in world.ends where end.inverse == nil {
      cells.ones[end.name] = nil
      cells.added[end.name] = nil
      cells.removed[end.name] = nil
      cells.reordered.remove(end.name)
      cells.arrivals[end.name] = nil
    }
    guard isInserted || isDeleted || cells != PeekedEdits() else { return nil }
    return Desk.Edit(
      entity: entity, isInserted: isInserted, isDeleted: isDeleted, version: version,
      isFault: isFault, cells: cells)
  }
}

extension Step.Action {
  /// Whether the step may change what is pending in its context.
  fileprivate var edits: Bool {
    switch self {
    case .insert, .set, .point, .replace, .add, .remove, .delete, .refresh, .save, .rollback,
      .reset, .copy, .undo, .redo:
      true
    case .read, .prefetch, .fetch, .sweep, .misuse: false
    }
  }
}
