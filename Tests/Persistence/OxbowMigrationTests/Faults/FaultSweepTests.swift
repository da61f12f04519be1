import Foundation
import OxbowMigration
import OxbowModel
import OxbowTestSupport
import Testing

// Every write, sync, truncation, removal and opening of a file during a migration fails, once or
// from then on, by an I/O error or a full disk. Whatever happens, the store is as before or after a
// whole transaction, the history says which, the words are right, and the next run finishes.
@Suite struct FaultSweepTests {
  /// OXBOW_FAULT_SWEEP=1 fails each operation; without, each of a fixed part of them.
  static let stride = ProcessInfo.processInfo.environment["OXBOW_FAULT_SWEEP"] == nil ? 9 : 1

  @Test(arguments: FaultCase.allCases, ["wal", "delete"])
  func `a migration on a failing disk is done or not, and can be repeated`(
    migration: FaultCase, journalMode: String
  ) throws {
    let bench = try FaultBench(migration, journalMode: journalMode)
    let plan = FaultyFiles.plan(for: bench.lab.folder.path)
    defer { FaultyFiles.forget(bench.lab.folder.path) }
    var counts = SweepCounts()
    for cause in [FaultPlan.Cause.inputOutput, .fullDisk] {
      for forEver in [false, true] {
        var number = 1 + (counts.faults % Self.stride)
        while true {
          let fault = Fault(number: number, cause: cause, forEver: forEver)
          guard try run(bench, plan, fault, &counts) else { break }
          number += Self.stride
        }
      }
    }
    #expect(counts.faults > 3)
    print("faults, \(migration) in mode \(journalMode): \(counts)")
  }

  /// Runs with one fault; `false` when the migration ends before it.
  private func run(
    _ bench: FaultBench, _ plan: FaultPlan, _ fault: Fault, _ counts: inout SweepCounts
  ) throws -> Bool {
    try bench.reset()
    plan.arm(fault.number, fault.cause, forEver: fault.forEver)
    var thrown: (any Error)?
    do { try bench.migration.run(bench.lab) } catch { thrown = error }
    let (reached, failed) = (plan.count >= fault.number, plan.failed)
    plan.disarm()
    guard reached else { return false }
    guard let kind = failed.first else { return true }
    counts.faults += 1
    let label = "\(bench.migration), \(fault), \(kind): \(thrown.map { "\($0)" } ?? "no error")"
    let (state, report) = try bench.state()
    #expect(state != nil, "\(label)\n\(report.prefix(20))")
    if let thrown {
      counts.errors += 1
      let problems = words(thrown, fault, state: state, last: bench.lastState)
      #expect(problems == [], "\(label)")
      if (thrown as? PersistenceError)?.code == .commitUnknown { counts.unknown += 1 }
    } else {
      #expect(state == bench.lastState, "\(label)")
    }
    if state == bench.lastState { counts.done += 1 }
    if state != bench.lastState || bench.migration.canRepeat {
      #expect(throws: Never.self, "\(label)") { try bench.migration.run(bench.lab) }
      #expect(try bench.state().index == bench.lastState, "\(label)")
    }
    return true
  }

  /// What is wrong with the words of an error.
  private func words(
    _ error: any Error, _ fault: Fault, state: Int?, last: Int
  ) -> [String] {
    guard let error = error as? PersistenceError else { return ["no error of Oxbow's"] }
    let text = error.description
    var problems: [String] = []
    let advice = ["run the migration again", "check that it exists"]
    if !advice.contains(where: text.contains) { problems.append("does not say what to do") }
    if error.code == .commitUnknown {
      if !text.contains("may be in the store") { problems.append("does not say it is unknown") }
    } else if state == last {
      problems.append("is an error of a migration that is done")
    }
    switch fault.cause {
    case .fullDisk:
      // What SQLite did after a failed commit hides the system's number behind it.
      if error.code != .commitUnknown, !text.contains("full") {
        problems.append("does not name the full disk")
      }
    default:
      if text.contains("is full") { problems.append("names a full disk") }
    }
    if text.contains("nothing was saved") { problems.append("talks of a save") }
    return problems
  }

  private struct Fault: CustomStringConvertible {
    var number: Int
    var cause: FaultPlan.Cause
    var forEver: Bool

    var description: String {
      "\(cause.rawValue) \(forEver ? "from operation \(number) on" : "at operation \(number)")"
    }
  }

  private struct SweepCounts: CustomStringConvertible {
    var faults = 0
    var errors = 0
    var unknown = 0
    var done = 0

    var description: String {
      "\(faults) faults, \(errors) errors (\(unknown) with an unknown outcome), \(done) done"
    }
  }
}
