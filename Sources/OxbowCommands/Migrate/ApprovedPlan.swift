internal import OxbowDocuments
internal import OxbowMigration
internal import OxbowModel

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// A plan that somebody looked at: the file that `migrate plan --json` wrote.
///
/// What counts is what would be done. The number of rows may have changed meanwhile; what is lost
/// may not be more.
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
    let statements: [String]
  }

  private struct Step: Decodable {
    let id: String
    let modelBefore: String?
    let modelAfter: String
    let operations: [Operation]
    let script: String?
    let losses: [Loss]
  }

  private let steps: [Step]

  /// Reads the file.
  ///
  /// - Throws: ``PersistenceError`` with code `migrationFile` when it is no plan.
  static func read(_ path: String) throws(PersistenceError) -> ApprovedPlan {
    let bytes = try bytes(of: path)
    guard let document = try? JSONDecoder().decode(Document.self, from: Data(bytes)),
      document.command == MigratePlanCommand.words
    else {
      throw .migrationFile(
        "'\(path)' is no plan; write one with 'oxbowctl migrate plan … --json > \(path)'")
    }
    return document.result
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
  func require(_ plan: MigrationPlan) throws(PersistenceError) {
    var differences: [String] = []
    if plan.steps.map(\.id) != steps.map(\.id) {
      differences.append(
        "the steps are \(PersistenceError.listed(plan.steps.map(\.id))), and were "
          + PersistenceError.listed(steps.map(\.id)))
    } else {
      for (now, was) in zip(plan.steps, steps) {
        differences += Self.differences(now, was).map { "step \(now.id): \($0)" }
      }
    }
    guard differences.isEmpty else {
      throw PersistenceError(
        .migrationRefused,
        "the store or its migrations are not as they were when the plan was made; look at the plan "
          + "again",
        details: differences.map { .init(label: "difference", text: $0) })
    }
  }

  private static func differences(_ now: MigrationPlan.Step, _ was: Step) -> [String] {
    var differences: [String] = []
    if now.modelBefore != was.modelBefore || now.modelAfter != was.modelAfter {
      differences.append("it leads from another model, or to another one")
    }
    if now.operations.map(\.statements) != was.operations.map(\.statements)
      || now.script != was.script
    {
      differences.append("other statements would run")
    }
    for loss in now.losses {
      let before = was.losses.first { $0.subject == loss.subject }
      guard let before else {
        differences.append("it would remove \(loss.subject)")
        continue
      }
      if let count = loss.count, let known = before.count, count > known {
        differences.append("it would remove \(loss.subject): \(count), and not \(known)")
      }
    }
    return differences
  }
}
