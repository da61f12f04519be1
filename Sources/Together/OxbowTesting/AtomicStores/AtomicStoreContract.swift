internal import OxbowFoundation
public import OxbowRuntime
public import Testing

/// What has to be true of an ``AtomicStore``, as cases that a test runs against a store of one's
/// own.
///
/// ```swift
/// struct JSONFileTests {
///   let contract = AtomicStoreContract { folder in JSONFile(folder + "/store.json") }
///
///   @Test(arguments: AtomicStoreContract.Case.allCases)
///   func `the file keeps the contract`(_ rule: AtomicStoreContract.Case) throws {
///     try contract.check(rule)
///   }
/// }
/// ```
///
/// A case opens the store, changes objects, closes it, and compares what another object loads from
/// the same place with what was saved, again and again. What it throws says which rule was broken,
/// what was seen, and what to do.
///
/// A store cannot be killed in the middle of a save from inside of its process: test that by ending
/// a process, and look whether the file is the old one or the new one.
public struct AtomicStoreContract: Sendable {
  let make: @Sendable (String) throws -> any AtomicStore
  let interrupt: (@Sendable (any AtomicStore) throws -> Void)?
  let damage: @Sendable (String, Damage) throws -> Void

  /// Whether the contents may be elsewhere than in the folder.
  let damagesElsewhere: Bool

  /// Describes how the stores to be tested are made.
  ///
  /// - Parameters:
  ///   - interrupting: Makes the next save of a store fail in the middle. A store that asks for all
  ///     contents needs none: it is interrupted by asking.
  ///   - damaging: Damages what the store keeps in a folder; by default, all files of the folder.
  ///   - makeStore: Makes a store that keeps its contents in an empty folder; another call with the
  ///     same folder opens the same contents. A store elsewhere takes the path, which is never used
  ///     twice, for a name.
  public init(
    interrupting: (@Sendable (any AtomicStore) throws -> Void)? = nil,
    damaging: (@Sendable (String, Damage) throws -> Void)? = nil,
    _ makeStore: @escaping @Sendable (_ folder: String) throws -> any AtomicStore
  ) {
    make = makeStore
    interrupt = interrupting
    damagesElsewhere = damaging != nil
    damage = damaging ?? { try $1.damageFiles(in: $0) }
  }

  /// A rule of the contract.
  public enum Case: String, Sendable, CaseIterable, CustomTestStringConvertible {
    case newStore = "a new store is kept when it is opened"
    case values = "every value comes back exactly"
    case absence = "no value and an empty value differ"
    case links = "links of every kind come back"
    case order = "orders come back"
    case updates = "changed objects come back as they are now"
    case batches = "what batches change reaches the store"
    case deletes = "deleted objects are gone"
    case returning = "a deleted object comes back"
    case versions = "versions come back"
    case keys = "keys are never used again"
    case metadata = "values of the program come back"
    case loading = "loading changes nothing"
    case interruption = "an interrupted save changes nothing"
    case damage = "damaged contents are an error"
    case otherModel = "another model is refused"
    case independence = "stores of two places have nothing in common"
    case manyObjects = "thousands of objects come back"
    case threads = "saves come from any thread"
    case history = "a long history comes back"

    /// The rule.
    public var testDescription: String { rawValue }
  }

  /// What happens to the contents of a store behind its back.
  public enum Damage: String, Sendable, CaseIterable {
    /// They become bytes that mean nothing.
    case garbage
    /// They become empty, as a full disk leaves files.
    case emptied
    /// Their second half is lost.
    case cut
  }

  /// A rule that a store broke.
  public struct Failure: Error, Sendable, CustomStringConvertible {
    /// The rule.
    public let rule: Case

    /// What was seen.
    public let seen: String

    /// What to do.
    public let advice: String

    /// Rule, observation and advice.
    public var description: String { "\(rule.rawValue): \(seen); \(advice)" }
  }

  /// Checks a rule, in folders of its own that are removed at the end.
  ///
  /// - Throws: ``Failure``.
  public func check(_ rule: Case) throws(Failure) {
    do {
      let run = try ContractRun(self, rule)
      defer { run.end() }
      try run.check()
    } catch let failure as Failure {
      throw failure
    } catch {
      throw Failure(
        rule: rule, seen: "an error came where none was expected: \(error)",
        advice: "see whether the store has thrown it")
    }
  }
}

extension AtomicStoreContract.Damage {
  /// Damages each file of a folder.
  fileprivate func damageFiles(in folder: String) throws {
    for path in try FileManager.default.subpathsOfDirectory(atPath: folder) {
      let url = URL(filePath: folder + "/" + path)
      // A folder cannot be read.
      guard let data = try? Data(contentsOf: url) else { continue }
      try damaged(data).write(to: url)
    }
  }

  private func damaged(_ data: Data) -> Data {
    switch self {
    case .garbage: Data((0..<4096).map { UInt8(truncatingIfNeeded: $0 &* 167 &+ $0 >> 3) })
    case .emptied: Data()
    case .cut: data.prefix(data.count / 2)
    }
  }
}
