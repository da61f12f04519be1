import Foundation
import OxbowRuntime
import OxbowTesting
import Testing

struct AtomicStoreContractTests {
  typealias Rule = AtomicStoreContract.Case

  @Test(arguments: Rule.allCases)
  func `PS-01 a store in a JSON file keeps the contract`(_ rule: Rule) throws {
    try AtomicStoreContract { JSONFile($0 + "/store.json") }.check(rule)
  }

  // The encoder makes one text of two that Swift takes for equal and that differ in their bytes.
  @Test(arguments: Rule.allCases.filter { $0 != .values })
  func `PS-01 a store in a property list keeps the contract but for composed letters`(_ rule: Rule)
    throws
  {
    try AtomicStoreContract { PropertyListFile($0 + "/store.plist") }.check(rule)
  }

  @Test(arguments: Rule.allCases)
  func `PS-01 a store that appends what has changed keeps the contract`(_ rule: Rule) throws {
    let contract = AtomicStoreContract(interrupting: { ($0 as? LogFile)?.failNextSave() }) {
      LogFile($0 + "/store.log")
    }
    try contract.check(rule)
  }

  private static let broken: [(BrokenFile.Fault, Rule, String)] = [
    (.savesNothingWithoutObjects, .newStore, "returns nil after a save"),
    (.roundsDoubles, .values, "'double' of Thing"),
    (.composesTexts, .values, "'string' of Thing"),
    (.cutsTextsAtNUL, .values, "'string' of Thing"),
    (.dropsEmptyTexts, .absence, "which needs one"),
    (.losesTwins, .links, "'twin' of Leaf"),
    (.crossesEntities, .links, "cannot be opened"),
    (.losesOrder, .order, "led to ["),
    (.sortsKeys, .order, "led to ["),
    (.forgetsUpdates, .updates, "'string' of Thing"),
    (.losesBatches, .batches, "came back as no value"),
    (.forgetsDeletes, .deletes, "cannot be opened"),
    (.refusesReturns, .returning, "which is not there"),
    (.forgetsVersions, .versions, "had version 2, and has 1"),
    (.forgetsKeys, .keys, "was used again"),
    (.forgetsValues, .metadata, "'truth'"),
    (.savesWhenLoading, .loading, "cannot be opened"),
    (.appliesHalf, .interruption, "cannot be opened"),
    (.swallowsErrors, .interruption, "went on after"),
    (.takesGarbageForNew, .damage, "returned nil for damaged contents"),
    (.takesGarbageForEmpty, .damage, "returned 0 objects from damaged contents"),
    (.rewritesGarbage, .damage, "changed them"),
    (.takesAnyModel, .otherModel, "was opened"),
    (.sharesEverything, .independence, ""),
    (.keepsThousand, .manyObjects, "and 1495 more"),
    (.keepsFirstThread, .threads, "did not come back"),
    (.losesRoot, .history, "Special"),
    (.keepsFirstVersion, .history, ""),
  ]

  @Test(arguments: broken)
  func `PS-01 a store that breaks a rule fails at its case`(
    _ fault: BrokenFile.Fault, _ rule: Rule, _ text: String
  ) throws {
    let contract = AtomicStoreContract { BrokenFile($0 + "/store.json", fault) }
    let failure = #expect(throws: AtomicStoreContract.Failure.self) { try contract.check(rule) }
    let message = "\(try #require(failure))"
    #expect(failure?.rule == rule)
    #expect(text.isEmpty || message.contains(text), "\(message)")
    #expect(!message.contains("an error came where none was expected"), "\(message)")
  }

  @Test func `PS-01 each case has a store that fails it`() {
    #expect(Set(Self.broken.map(\.1)) == Set(Rule.allCases))
    #expect(Set(Self.broken.map(\.0)) == Set(BrokenFile.Fault.allCases))
  }
}
