internal import OxbowDocuments
internal import OxbowFoundation
internal import OxbowMigration
internal import OxbowModel

/// A plan that somebody looked at: the file that `migrate plan --json` wrote.
///
/// It pins the store, its history and the number of its rows, and each step: name, kind, the
/// checksum of its text, statements, what goes. Whatever moved since is a reason to look again.
struct ApprovedPlan: Decodable {
  private struct Document: Decodable {
    let command: String
    let result: ApprovedPlan
  }

  private struct Loss: Decodable {
    let subject: String
    let count: Int?
  }

  private struct Operation: Decodable {
    let kind: MigrationPlan.Operation.Kind
    let table: String
    let rows: Int?
    let statements: [String]
  }

  private struct Step: Decodable {
    let id: String
    let name: String
    let kind: MigrationStepKind
    let checksum: String?
    let modelBefore: String?
    let modelAfter: String
    let operations: [Operation]
    let losses: [Loss]
    let lossAllowed: Bool
  }

  private let state: MigrationPlan.Store?
  private let upTo: Int?

  /// Whether its rows were counted, so that those of now are.
  let countsRows: Bool
  private let steps: [Step]

  /// The number of the last step that was planned, when there is one behind it.
  var last: Int? { upTo }

  /// Reads the file.
  ///
  /// - Throws: ``PersistenceError`` with code `migrationFile` when it is not a plan.
  static func read(_ path: String) throws(PersistenceError) -> ApprovedPlan {
    let bytes = try bytes(of: path)
    do {
      let document = try JSONDecoder().decode(Document.self, from: Data(bytes))
      guard document.command == MigratePlanCommand.words else { throw noPlan(path) }
      return document.result
    } catch {
      throw noPlan(path)
    }
  }

  private static func noPlan(_ path: String) -> PersistenceError {
    .migrationFile(
      "'\(path)' is not a plan of this version; write one with '\(ToolName.current) migrate plan … "
        + "--json > \(path)'")
  }

  private static func bytes(of path: String) throws(PersistenceError) -> [UInt8] {
    do throws(DocumentError) {
      return try DocumentFile.bytes(of: path)
    } catch {
      throw .migrationFile(error.message, at: error.location)
    }
  }

  /// Refuses a plan of now that is another one.
  ///
  /// - Throws: ``PersistenceError`` with code `migrationRefused`, with each difference.
  func require(_ plan: MigrationPlan, upTo last: Int?) throws(PersistenceError) {
    var differences: [String] = []
    if last != upTo {
      differences.append(
        "--up-to is \(last.map(String.init) ?? "not given"), and was "
          + (upTo.map(String.init) ?? "not given"))
    }
    differences += storeDifferences(plan.store)
    let (now, was) = (plan.steps.map(Self.name), steps.map { "\($0.id) \($0.name)" })
    if now != was {
      differences.append("the steps are \(Self.listed(now)), and were \(Self.listed(was))")
    } else {
      for (now, was) in zip(plan.steps, steps) {
        differences += Self.differences(now, was).map { "step \(now.id): \($0)" }
      }
    }
    guard differences.isEmpty else {
      throw PersistenceError(
        .migrationRefused,
        "the store or its migrations are not as they were when the plan was made; look at the plan "
          + "again. Nothing was changed",
        details: differences.map { .init(label: "difference", text: $0) })
    }
  }

  private static func name(_ step: MigrationPlan.Step) -> String { "\(step.id) \(step.name)" }

  private static func listed(_ names: [String]) -> String {
    names.isEmpty ? "none" : PersistenceError.listed(names)
  }

  private func storeDifferences(_ now: MigrationPlan.Store?) -> [String] {
    switch (now, state) {
    case (nil, nil): []
    case (nil, _?): ["the store no longer exists"]
    case (_?, nil): ["there is a store now, and there was none"]
    case (let now?, let was?) where now.identifier != was.identifier:
      ["it is another store: \(now.identifier), and not \(was.identifier)"]
    case (let now?, let was?) where now.model != was.model || now.events != was.events:
      [
        "the store's history has \(counted(now.events, "event")) and leads to the model "
          + "\(short(now.model)), and had \(was.events) and led to \(short(was.model))"
      ]
    default: []
    }
  }

  private static func differences(_ now: MigrationPlan.Step, _ was: Step) -> [String] {
    var differences: [String] = []
    if now.kind != was.kind { differences.append("it is of the kind \(now.kind), not \(was.kind)") }
    if now.checksum != was.checksum { differences.append("the text of its file is another one") }
    if now.modelBefore != was.modelBefore || now.modelAfter != was.modelAfter {
      differences.append("it leads from another model, or to another one")
    }
    if now.operations.map(\.statements) != was.operations.map(\.statements) {
      differences.append("other statements would run")
    } else {
      for (now, was) in zip(now.operations, was.operations) where now.rows != was.rows {
        differences.append(
          "\(now.kind) \(now.table) is for \(rows(now.rows)), and was for \(rows(was.rows))")
      }
    }
    return differences + lossDifferences(now, was)
  }

  private static func lossDifferences(_ now: MigrationPlan.Step, _ was: Step) -> [String] {
    var known = Dictionary(was.losses.map { ($0.subject, $0.count) }) { first, _ in first }
    var differences: [String] = []
    for loss in now.losses {
      guard let count = known.removeValue(forKey: loss.subject) else {
        differences.append("it would remove \(loss.subject): \(number(loss.count))")
        continue
      }
      if loss.count != count {
        differences.append(
          "it would remove \(loss.subject): \(number(loss.count)), and not \(number(count))")
      }
    }
    for subject in known.keys.sorted() {
      differences.append("it would not remove \(subject) any more")
    }
    if now.allowsLoss != was.lossAllowed {
      differences.append("its file \(now.allowsLoss ? "allows" : "does not allow") a loss now")
    }
    return differences
  }

  private static func rows(_ count: Int?) -> String {
    count.map { counted($0, "row") } ?? "a number of rows that is not known"
  }

  private static func number(_ count: Int?) -> String { count.map(String.init) ?? "not known" }
}
