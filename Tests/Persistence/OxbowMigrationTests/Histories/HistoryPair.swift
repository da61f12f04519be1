import Foundation
import OxbowMigration
import OxbowModel
import OxbowRelational
import OxbowSQLite
import OxbowTestSupport

/// Two versions of somebody's model, one after the other.
struct HistoryPair {
  let package: String
  let from: String
  let to: String

  /// What became of it.
  struct Outcome {
    var verdict: String
    var remarks: [String] = []

    /// The values and links that both versions have, and that were compared.
    var values = 0
    var links = 0

    /// Those of the values whose attributes got another type.
    var retyped = 0

    /// What is not as it should be.
    var problems: [String] = []
  }

  /// All pairs of the samples, in the order of the versions' names.
  static func all() -> [HistoryPair] {
    let paths = Samples.paths(below: "models") { $0.hasSuffix(".xcdatamodel") }
    let packages = Dictionary(grouping: paths) { $0.split(separator: "/").dropLast().last ?? "" }
      .filter { $0.key.hasSuffix(".xcdatamodeld") }
    let folders = Dictionary(grouping: packages.values.joined()) { path in
      path.split(separator: "/").dropLast().suffix(2).joined(separator: "/")
    }
    return folders.sorted { $0.key < $1.key }.flatMap { package, paths in
      let versions = paths.sorted {
        version($0).compare(version($1), options: .numeric) == .orderedAscending
      }
      return zip(versions, versions.dropFirst()).map {
        HistoryPair(package: package, from: $0, to: $1)
      }
    }
  }

  static func version(_ path: String) -> String {
    String(path.split(separator: "/").last?.dropLast(".xcdatamodel".count) ?? "")
  }

  func run() throws -> Outcome {
    let (old, new): (ModelDocument, ModelDocument)
    do throws(PersistenceError) {
      old = try ModelDocument(contentsOf: from)
      new = try ModelDocument(contentsOf: to)
    } catch {
      return Outcome(verdict: "not read: `\(error.code.rawValue)`", remarks: [Self.reason(error)])
    }
    let lab = try Lab()
    do { try lab.fill(old.model, "") } catch let error as PersistenceError {
      return Outcome(
        verdict: "not opened: `\(error.code.rawValue)`", remarks: [Self.reason(error)])
    }
    let objects = try SampleObjects(StoreData(lab, old.model))
    try objects.write()
    let before = try StoredObjects(lab.store, old.model, objects.keys)
    var outcome = Outcome(verdict: "inferred")
    outcome.remarks = remarks(old, new)
    if !before.dangling.isEmpty { outcome.problems.append("before: \(before.dangling)") }
    do {
      if try lab.infer(new.model).isEmpty { outcome.verdict = "nothing to do" }
    } catch is PersistenceError {
      do {
        _ = try lab.infer(new.model, allowsLoss: true)
        outcome.verdict = "inferred, with consent to a loss"
      } catch let error as PersistenceError {
        outcome.verdict = "refused: `\(error.code.rawValue)`"
        outcome.remarks.append(Self.reason(error))
        return outcome
      }
    }
    try before.compare(
      with: StoredObjects(lab.store, new.model), lab.differences(from: new.model), &outcome)
    return outcome
  }

  /// Why a step is refused, without the names of the model.
  private static func reason(_ error: PersistenceError) -> String {
    let text = error.description
    var words = ""
    var isQuoted = false
    for character in text.prefix(while: { $0 != "\n" && $0 != ";" }) {
      if character == "'" { isQuoted.toggle() }
      if character == "'" {
        words += isQuoted ? "…" : ""
      } else if !isQuoted {
        words += "\(character)"
      }
    }
    return words
  }

  private func remarks(_ old: ModelDocument, _ new: ModelDocument) -> [String] {
    let relationships = [old, new].flatMap { $0.model.entities.flatMap(\.relationships) }
    var remarks: [String] = []
    if relationships.contains(where: \.isTransient) { remarks.append("transient relationships") }
    if relationships.contains(where: { $0.inverse == nil }) {
      remarks.append("relationships without an inverse")
    }
    return remarks
  }
}
