import Foundation
import OxbowContext
import OxbowModel
import OxbowStore
import OxbowTestSupport
import Testing

@testable import OxbowSQLite

/// Random saves on copies of the samples, judged by the program that knows the rules of real
/// stores, and by a second reader.
///
/// `OXBOW_COREDATA_SAVES=1000` saves as often in all samples, and asks the judge after each of the
/// first saves and after some later ones; `OXBOW_COREDATA_STORE=wire` takes the stores below a path
/// that has this text, `OXBOW_RANDOM_SEED=7` begins with another seed.
@Suite(
  .enabled(if: CoreDataJudge.isThere, Comment(rawValue: CoreDataJudge.absence)),
  .timeLimit(.minutes(30)))
struct CoreDataSampleSavingTests {
  private static func number(_ name: String) -> Int? {
    ProcessInfo.processInfo.environment[name].flatMap { Int($0) }
  }

  private static let saves = number("OXBOW_COREDATA_SAVES")
  private static let seed = UInt64(number("OXBOW_RANDOM_SEED") ?? 1)

  /// The stores; a few of all kinds of relationships where no number of saves is given.
  private static let samples: [String] = {
    let few = ["Bookmarks_V4.sqlite", "SampleModel2V2.sqlite"]
    let all = Samples.paths(below: "stores") {
      $0.hasSuffix(".sqlite") || $0.hasSuffix(".wiredatabase")
    }
    let wanted = ProcessInfo.processInfo.environment["OXBOW_COREDATA_STORE"]
    return all.filter { path in
      if path.contains("LPAR-development") { return false }
      if let wanted { return path.contains(wanted) }
      return saves != nil || few.contains { path.hasSuffix("/" + $0) }
    }
  }()

  private static let documents = [
    "RKSeedDatabase.sqlite": "models/RestKit__RestKit/RKTwitterCoreData.xcdatamodel",
    "CoreData.sqlite": "models/Sunic__DigitalOrder/Hotel.mom",
    "SurfJournalModel.sqlite":
      "stores/raywenderlich__cdt-materials/model/SurfJournalModel.xcdatamodel",
  ]

  @Test(arguments: samples, ["WAL", "DELETE"])
  func `CD-40 random saves break no rule of real stores, and read as they were made`(
    sample: String, journal: String
  ) throws {
    let document = Self.documents[sample.split(separator: "/").last.map(String.init) ?? ""]
      .map { (Samples.folder ?? "") + "/" + $0 }
    let copy = try CoreDataCopy(of: sample, document: document, journal: journal)
    var random = SeededRandom(seed: Self.seed)
    var (saves, rounds) = (0, 0)
    let known = try CoreDataJudge.findings(copy.path, document: document)
    while saves < Self.saves ?? 5, rounds < 3 * (Self.saves ?? 5) {
      let size = Self.saves == nil ? 5 : saves < 3 ? 1 : saves < 40 ? 6 : 20
      let place = "\(sample) \(journal), seed \(Self.seed), after \(saves) saves"
      let old = try copy.keep(as: "Old.sqlite")
      let made = try play(copy, size, &random, place)
      saves += made
      rounds += size
      let problems = try CoreDataJudge.problems(
        copy.path, before: old, saves: max(1, made), document: document, besides: known)
      #expect(problems == [], "\(place)")
      guard problems.isEmpty else { return }
      let found = try CoreDataExamination.of(copy.path, model: document)
      #expect(found?.findings.filter { !$0.isLeftover } == [], "\(place)")
      #expect(try copy.hasLog == (journal == "WAL"))
    }
    let names = try copy.folder.names().filter {
      !$0.hasPrefix("Old") && !$0.hasPrefix(".") && !$0.hasSuffix(".contents")
    }
    #expect(names == [copy.path.split(separator: "/").last.map(String.init)])
    if Self.saves != nil { print("\(sample) \(journal): \(saves) saves in \(rounds) rounds") }
  }

  /// Two contexts, one of which hears of the other's saves, and both let their own values win.
  @Test(arguments: samples, ["WAL"])
  func `CD-40 contexts that merge each other's saves break no rule either`(
    sample: String, journal: String
  ) throws {
    let document = Self.documents[sample.split(separator: "/").last.map(String.init) ?? ""]
      .map { (Samples.folder ?? "") + "/" + $0 }
    let copy = try CoreDataCopy(of: sample, document: document, journal: journal)
    let known = try CoreDataJudge.findings(copy.path, document: document)
    let old = try copy.keep(as: "Old.sqlite")
    let saves = try copy.open { coordinator in
      var players = [MergePolicy.mergeByPropertyObjectTrump, .mergeByPropertyStoreTrump].map {
        policy in
        let player = CoreDataPlayer(
          coordinator,
          SeededRandom(seed: Self.seed + (policy == .mergeByPropertyStoreTrump ? 1 : 0)))
        player.context.mergePolicy = policy
        return player
      }
      players[0].context.automaticallyMergesChangesFromParent = true
      players[0].mayConflict = true
      players[1].mayConflict = true
      for round in 0..<2 * (Self.saves ?? 8) {
        _ = try players[round % 2].save(edits: 3)
        // The other one has changes that it saves later.
        try players[1 - round % 2].edit()
      }
      return players.map(\.saves).reduce(0, +)
    }
    let problems = try CoreDataJudge.problems(
      copy.path, before: old, saves: saves, document: document, besides: known)
    #expect(problems == [], "\(sample), seed \(Self.seed), \(saves) saves")
  }

  /// Saves some times, and compares what the context has with what another one reads.
  private func play(
    _ copy: CoreDataCopy, _ size: Int, _ random: inout SeededRandom, _ place: String
  ) throws -> Int {
    try copy.open { coordinator in
      var player = CoreDataPlayer(coordinator, random)
      for _ in 0..<size { _ = try player.save() }
      random = player.random
      let mine = try coreDataContents(player.context)
      let stored = try coreDataContents(ManagedObjectContext(coordinator: coordinator))
      let differences = zip(mine, stored).filter { $0 != $1 }.prefix(3)
      #expect(mine.count == stored.count, "\(place)")
      #expect(differences.map { "\($0.0)\n is stored as\n\($0.1)" } == [], "\(place)")
      return player.saves
    }
  }
}
