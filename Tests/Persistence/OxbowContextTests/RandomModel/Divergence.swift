/// A difference between what a program did and what it should have done.
struct Divergence: Error {
  /// The class of the difference; a smaller program must show the same.
  let kind: String
  let text: String

  init(_ kind: String, _ text: String) {
    self.kind = kind
    self.text = text
  }
}

/// What programs did.
struct Tally: Sendable {
  var sequences = 0
  var steps = 0
  var saves = 0
  var conflicts = 0
  var refusals = 0
  var merges = 0
  var reversals = 0
  var divergences: [String: Int] = [:]

  static func += (a: inout Tally, b: Tally) {
    a.sequences += b.sequences
    a.steps += b.steps
    a.saves += b.saves
    a.conflicts += b.conflicts
    a.refusals += b.refusals
    a.merges += b.merges
    a.reversals += b.reversals
    a.divergences.merge(b.divergences, uniquingKeysWith: +)
  }
}

extension Tally: CustomStringConvertible {
  var description: String {
    let classes = divergences.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
    return "\(steps) steps, \(sequences) sequences, \(saves) saves, \(conflicts) conflicts, "
      + "\(refusals) refusals, \(merges) merges, \(reversals) undone, divergences: "
      + (classes.isEmpty ? "none" : classes.joined(separator: ", "))
  }
}

/// Plays steps and finds divergences.
protocol Player: AnyObject {
  /// What a context should hold, as far as it is needed to make steps for it.
  func scene(_ context: Int) -> OracleState

  /// Plays a step and looks at everything after it.
  func play(_ step: Step) throws

  /// Plays what ends every program.
  func end() throws

  var tally: Tally { get }
}
