import OxbowModel

extension Forecast {
  /// Compares what the store has after a save whose policy may have had to decide.
  ///
  /// - Keys lead somewhere, and both ends of a one-to-one relationship agree.
  /// - A row that the save neither changed, deleted nor unlinked is as it was.
  /// - What others have led to an object that is deleted here may go with it, by a cascade.
  /// - Each value of a row that was changed is mine or theirs: theirs where I did not change it and
  ///   the policy is not to overwrite, mine where they did not change it and the policy is not to
  ///   roll back. An end without inverse is such a value; it leads nowhere once its target is gone.
  /// - Each value of an object that came back here, and that others have written again, is that of
  ///   the side that wins.
  func compareMerged(
    _ contents: Bench.Contents, _ edits: [Int: Desk.Edit], _ policy: Step.Policy,
    _ history: [Int: [Int64: OracleState.Object]]
  ) throws {
    let dangling = contents.state.dangling().map { "o\($0.label).\($0.end.name) leads nowhere" }
    guard contents.faults.isEmpty, dangling.isEmpty else {
      throw Divergence("merge.layout", (contents.faults + dangling).joined(separator: "; "))
    }
    try comparePairs(contents.state)
    // A new object with a value that another one has is made one with it.
    let joined = hasEqual ? world.unique.map(\.entity) : []
    for (label, row) in contents.state.objects where !joined.contains(row.entity) {
      try compare(label, row, edits[label], policy, history[label] ?? [:])
      try compareLinks(label, contents.state, edits[label], policy, history[label] ?? [:])
    }
    for (label, row) in before.state.objects where contents.state.objects[label] == nil {
      if edits[label]?.isDeleted != true, !wasTaken(label, policy, contents.state) {
        throw Divergence("merge.lost", "o\(label), a \(row.entity), is gone from the store")
      }
    }
  }

  /// Whether a cascade has taken what others have led to an object that was deleted here; only
  /// where this side wins.
  private func wasTaken(_ label: Int, _ policy: Step.Policy, _ state: OracleState) -> Bool {
    guard policy == .objectTrump || policy == .overwrite else { return false }
    return world.ends.contains { end in
      guard end.rule == .cascade, let back = world.inverse(of: end),
        let owner = before.state.one(label, back)
      else { return false }
      return state.objects[owner] == nil
    }
  }

  private func compare(
    _ label: Int, _ row: OracleState.Object, _ edit: Desk.Edit?, _ policy: Step.Policy,
    _ history: [Int64: OracleState.Object]
  ) throws {
    let theirs = before.state.objects[label]
    // What the policy leads an end to is written again, and what a delete rule has unlinked is
    // written as a whole, even if the program did not change it.
    let isWhole = theirs == nil || policy == .overwrite
    let version = edit?.version ?? (isWhole ? held[label] : nil)
    let base = version.flatMap { history[$0] }
    for (name, value) in row.values {
      let mine = edit?.cells.values[name]
      let (old, other) = (base?.values[name], theirs?.values[name])
      let expected: [Value?]
      if let mine, edit?.isInserted == true, theirs != nil {
        expected = [policy == .objectTrump || policy == .overwrite ? mine : other]
      } else if let mine, edit?.isInserted != true, let other, let old {
        let isConflict = edit?.version != before.versions[label]
        expected = merged(mine, old, other, isConflict, policy)
      } else {
        expected = [mine, other, policy == .overwrite || theirs == nil ? old : nil]
        if edit?.isInserted == true || mine != nil { continue }
      }
      if !expected.contains(where: { $0 == value }) {
        throw Divergence(
          "merge.value",
          "o\(label).\(name) is \(value) after \(policy): mine \(mine as Any), "
            + "theirs \(other as Any), base \(old as Any)")
      }
    }
  }

  /// Ends without inverse; what a deletion did to them is taken back with it.
  private func compareLinks(
    _ label: Int, _ state: OracleState, _ raw: Desk.Edit?, _ policy: Step.Policy,
    _ history: [Int64: OracleState.Object]
  ) throws {
    let edit = edits[label]
    guard let theirs = before.state.objects[label], edit?.isInserted != true else { return }
    let base = edit?.version.flatMap { history[$0] }
    let isConflict = edit != nil && edit?.version != before.versions[label]
    for end in world.ends(of: theirs.entity) where !end.isToMany && end.inverse == nil {
      let (old, other) = (base?.ones[end.index], theirs.ones[end.index])
      let (shown, untied) = (raw?.cells.ones[end.name], edit?.cells.ones[end.name])
      let lost = shown == untied ? nil : shown ?? old
      let mine = lost.map { state.objects[$0] != nil } == true ? shown : untied
      var expected: [Int?] = [other]
      if let mine {
        expected = merged(mine, old, other, isConflict, policy).map { $0 ?? nil }
      } else if isConflict, policy == .overwrite {
        expected.append(old)
      }
      // Only where this side wins may the deletion end what others have saved.
      expected = expected.map { target in
        guard let target, state.objects[target] == nil else { return target }
        let mayEnd = policy == .objectTrump || policy == .overwrite
        return mayEnd || before.state.objects[target] == nil ? nil : target
      }
      // A fetch may have untied it before.
      if shown == untied { expected += takenBack(state) }
      guard !expected.contains(state.one(label, end)) else { continue }
      throw Divergence(
        "merge.link",
        "o\(label).\(end.name) is \(state.one(label, end) as Any) after \(policy): mine "
          + "\(mine as Any), theirs \(other as Any), base \(old as Any)")
    }
  }

  /// The objects whose deletion was taken back.
  private func takenBack(_ state: OracleState) -> [Int] {
    edits.filter { $0.value.isDeleted && state.objects[$0.key] != nil }.map(\.key)
  }

  private func merged<T: Equatable>(
    _ mine: T, _ base: T, _ theirs: T, _ isConflict: Bool, _ policy: Step.Policy
  ) -> [T?] {
    guard isConflict else { return [mine] }
    switch policy {
    case .error, .mergeByProperty: return mine == base ? [theirs] : [mine]
    case .storeTrump: return mine == base || theirs != base ? [theirs] : [mine]
    case .objectTrump: return mine == base ? [theirs, mine] : [mine]
    case .overwrite: return [mine]
    case .rollback: return [theirs]
    }
  }
}
