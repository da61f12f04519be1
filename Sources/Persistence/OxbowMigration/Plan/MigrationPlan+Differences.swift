package import OxbowModel
internal import OxbowRelational

extension MigrationPlan {
  /// What is not as it was in a plan that somebody looked at, in words; the paths of files may be
  /// others.
  public func differences(from approved: MigrationPlan) -> [String] {
    var differences: [String] = []
    if upTo != approved.upTo {
      differences.append(
        "--up-to is \(upTo.map(String.init) ?? "not given"), and was "
          + (approved.upTo.map(String.init) ?? "not given"))
    }
    differences += storeDifferences(from: approved.store)
    let (now, was) = (steps.map(\.label), approved.steps.map(\.label))
    guard now == was else {
      return differences + ["the steps are \(Self.listed(now)), and were \(Self.listed(was))"]
    }
    return differences
      + zip(steps, approved.steps).flatMap { now, was in
        now.differences(from: was).map { "step \(now.id): \($0)" }
      }
  }

  /// Refuses a plan that differs from the approved one.
  ///
  /// - Throws: ``PersistenceError`` with code `migrationRefused`, with each difference.
  package func require(_ approved: MigrationPlan) throws(PersistenceError) {
    let differences = differences(from: approved)
    try PersistenceError.refuse(
      differences, as: "difference", .migrationRefused,
      "the store or its migrations are not as they were when the plan was made; look at the plan "
        + "again. Nothing was changed")
  }

  private static func listed(_ names: [String]) -> String {
    names.isEmpty ? "none" : PersistenceError.listed(names)
  }

  private func storeDifferences(from approved: Store?) -> [String] {
    switch (store, approved) {
    case (nil, nil): []
    case (nil, _?): ["the store no longer exists"]
    case (_?, nil): ["there is a store now, and there was none"]
    case (let now?, let was?) where now.identifier != was.identifier:
      ["it is another store: \(now.identifier), and not \(was.identifier)"]
    case (let now?, let was?) where now.model != was.model || now.events != was.events:
      [
        "the store's history has \(Self.counted(now.events, "event")) and leads to the model "
          + "\(now.model.prefix(12)), and had \(was.events) and led to \(was.model.prefix(12))"
      ]
    default: []
    }
  }

  fileprivate static func counted(_ count: Int, _ noun: String) -> String {
    "\(count) \(noun)\(count == 1 ? "" : "s")"
  }
}

extension MigrationPlan.Step {
  /// What names the step: "0003 labels".
  package var label: String { "\(id) \(name)" }

  fileprivate func differences(from was: Self) -> [String] {
    var differences: [String] = []
    if kind != was.kind { differences.append("it is of the kind \(kind), not \(was.kind)") }
    if checksum != was.checksum { differences.append("the text of its file is another one") }
    if modelBefore != was.modelBefore || modelAfter != was.modelAfter {
      differences.append("it leads from another model, or to another one")
    }
    if operations.map(\.statements) != was.operations.map(\.statements) {
      differences.append("other statements would run")
    } else {
      for (now, was) in zip(operations, was.operations) where now.rows != was.rows {
        differences.append(
          "\(now.kind) \(now.table) is for \(now.rowsInWords), and was for \(was.rowsInWords)")
      }
    }
    return differences + lossDifferences(from: was)
  }

  private func lossDifferences(from was: Self) -> [String] {
    func number(_ count: Int?) -> String { count.map(String.init) ?? "not known" }
    var known = Dictionary(was.losses.map { ($0.subject, $0.count) }) { first, _ in first }
    var differences: [String] = []
    for loss in losses {
      let would = "it would remove \(loss.subject): \(number(loss.count))"
      guard let count = known.removeValue(forKey: loss.subject) else {
        differences.append(would)
        continue
      }
      if loss.count != count { differences.append("\(would), and not \(number(count))") }
    }
    for subject in known.keys.sorted() {
      differences.append("it would not remove \(subject) any more")
    }
    if allowsLoss != was.allowsLoss {
      differences.append("its file \(allowsLoss ? "allows" : "does not allow") a loss now")
    }
    return differences
  }
}

extension MigrationPlan.Operation {
  fileprivate var rowsInWords: String {
    rows.map { MigrationPlan.counted($0, "row") } ?? "a number of rows that is not known"
  }
}
