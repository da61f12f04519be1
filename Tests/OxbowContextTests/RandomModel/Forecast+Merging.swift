import OxbowModel

extension Forecast {
  /// Compares what the store has after a save whose policy may have had to decide.
  ///
  /// - Keys lead somewhere, and both ends of a one-to-one relationship agree.
  /// - A row that the save neither changed, deleted nor unlinked is as it was.
  /// - Each value of a row that was changed is mine or theirs: theirs where I did not change it and
  ///   the policy is not to overwrite, mine where they did not change it and the policy is not to
  ///   roll back.
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
    }
    for (label, row) in before.state.objects where contents.state.objects[label] == nil {
      if edits[label]?.isDeleted != true {
        throw Divergence("merge.lost", "o\(label), a \(row.entity), is gone from the store")
      }
    }
  }

  private func compare(
    _ label: Int, _ row: OracleState.Object, _ edit: Desk.Edit?, _ policy: Step.Policy,
    _ history: [Int64: OracleState.Object]
  ) throws {
    let theirs = before.state.objects[label]
    let base = edit?.version.flatMap { history[$0] }
    for (name, value) in row.values {
      let mine = edit?.cells.values[name]
      let (old, other) = (base?.values[name], theirs?.values[name])
      let expected: [Value?]
      if let mine, edit?.isInserted != true, let other, let old {
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

  private func merged(
    _ mine: Value, _ base: Value, _ theirs: Value, _ isConflict: Bool, _ policy: Step.Policy
  ) -> [Value?] {
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
