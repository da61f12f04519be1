import Foundation
import Oxbow
import OxbowTestSupport
import Testing

// Random programs of transactions, run on a store and on a few lines that say what is expected.

/// What a program does, one step after the other.
indirect enum TransactionStep: Sendable {
  case insert(String, viaChild: Bool)
  case update(Int, to: String)
  case delete(Int)
  case save(caught: Bool)
  case rollback
  case reset
  case fail
  /// Another writer changes an object, the first time that the step is come to.
  case other(Int, to: String, id: Int)
  case call(Transactional.Propagation, [TransactionStep], caught: Bool)
}

/// What programs run on.
///
/// Objects are called by names that never change, and have a text.
protocol TransactionMachine: AnyObject {
  func insert(_ name: String, viaChild: Bool) throws
  func update(_ name: String, to text: String) throws
  func delete(_ name: String) throws
  func save() throws
  func rollback() throws
  func reset() throws
  func change(_ name: String, to text: String) throws
  func call(_ propagation: Transactional.Propagation, _ body: () throws -> Void) throws
  /// What the context has, unsaved changes included, and what the store has.
  func view() throws -> [String: String]
  func saved() throws -> [String: String]
}

/// Runs programs and notes what is seen.
final class TransactionRun {
  let machine: any TransactionMachine
  private(set) var trace: [String] = []
  private(set) var steps = 0
  private var seen: Set<Int> = []
  /// The names that the calls apart have made, by depth: they delete nothing else.
  private var own: [Set<String>] = []

  init(on machine: any TransactionMachine) { self.machine = machine }

  func run(_ program: [TransactionStep]) throws {
    attempt { try run(steps: program) }
    attempt { try machine.save() }
    try machine.rollback()
    note("end")
    trace.append("saved \(text(try machine.saved()))")
  }

  private func run(steps: [TransactionStep]) throws {
    for step in steps {
      do { try run(step) } catch {
        trace.append("\(step.name) throws \(name(of: error))")
        throw error
      }
      note(step.name)
    }
  }

  private func run(_ step: TransactionStep) throws {
    steps += 1
    switch step {
    case .insert(let name, let viaChild):
      // Not the same name or text where a call is made again: a call apart may have saved it.
      let name = "\(name).\(steps)"
      try machine.insert(name, viaChild: viaChild)
      if !own.isEmpty { own[own.count - 1].insert(name) }
    case .update(let number, let text):
      let text = "\(text).\(steps)"
      try pick(number) { try machine.update($0, to: text) }
    case .delete(let number):
      try pick(number, among: own.last) { try machine.delete($0) }
    case .save(let caught): caught ? attempt { try machine.save() } : try machine.save()
    case .rollback: try machine.rollback()
    case .reset: attempt { try machine.reset() }
    case .fail: throw Refusal()
    case .other(let number, let text, let id):
      if seen.insert(id).inserted { try change(number, to: text) }
    case .call(let propagation, let body, let caught):
      caught ? attempt { try call(propagation, body) } : try call(propagation, body)
    }
  }

  private func change(_ number: Int, to text: String) throws {
    let names = try machine.saved().keys.sorted()
    if !names.isEmpty { try machine.change(names[number % names.count], to: text) }
  }

  private func call(_ propagation: Transactional.Propagation, _ body: [TransactionStep]) throws {
    let isApart = propagation == .requiresNew
    if isApart { own.append([]) }
    defer { if isApart { own.removeLast() } }
    try machine.call(propagation) {
      trace.append("begin \(propagation)")
      try run(steps: body)
    }
  }

  private func pick(
    _ number: Int, among own: Set<String>? = nil, _ body: (String) throws -> Void
  ) throws {
    let names = try machine.view().keys.filter { own?.contains($0) ?? true }.sorted()
    if !names.isEmpty { try body(names[number % names.count]) }
  }

  private func attempt(_ body: () throws -> Void) {
    do { try body() } catch { trace.append("caught \(name(of: error))") }
  }

  private func note(_ step: String) {
    trace.append("\(step) \((try? machine.view()).map { text($0) } ?? "unreadable")")
  }

  private func text(_ view: [String: String]) -> String {
    view.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: " ")
  }

  private func name(of error: any Error) -> String {
    (error as? PersistenceError)?.code.rawValue ?? "\(type(of: error))"
  }
}

extension TransactionStep {
  var name: String {
    switch self {
    case .call(let propagation, _, _): "end \(propagation)"
    default: "\(self)"
    }
  }
}

// MARK: - The store

/// The calls of the programs, woven or behind a proxy.
final class StoreMachine: TransactionMachine {
  private let bench: WorkBench
  private let prefix: String

  init(_ bench: WorkBench, _ prefix: String) { (self.bench, self.prefix) = (bench, prefix) }

  private func slot(_ name: String) throws -> Slot {
    try #require(try bench.context.fetch(Slot.self, where: .equal("name", name)).first)
  }

  func insert(_ name: String, viaChild: Bool) throws {
    guard viaChild else {
      _ = try bench.context.insert(Slot.self) { $0.name = name }
      return
    }
    let child = ManagedObjectContext(parent: try bench.managed())
    try child.insert(Slot.self).name = name
    try child.save()
  }

  func update(_ name: String, to text: String) throws { try slot(name).text = text }
  func delete(_ name: String) throws { try bench.context.delete(slot(name)) }
  func save() throws { try bench.context.save() }
  func rollback() throws { try bench.context.rollback() }
  func reset() throws { try bench.context.reset() }

  func change(_ name: String, to text: String) throws {
    try bench.store.perform { other in
      try other.fetch(Slot.self, where: .equal("name", name)).first?.text = text
      try other.save()
    }
  }

  func call(_ propagation: Transactional.Propagation, _ body: () throws -> Void) throws {
    // The calls of the protocol keep their arguments, so a closure that does not escape may not be
    // one; it does not, because no aspect of the bench keeps a call.
    try withoutActuallyEscaping(body) { body in
      switch propagation {
      case .required: try bench.work.run(body)
      case .requiresNew: try bench.work.apart(body)
      case .readOnly: try bench.work.read(body)
      }
    }
  }

  func view() throws -> [String: String] {
    try texts(bench.context.fetch(Slot.self, where: .beginsWith("name", prefix)))
  }

  func saved() throws -> [String: String] {
    try bench.store.perform { [prefix] in
      let slots = try $0.fetch(Slot.self, where: .beginsWith("name", prefix))
      return Dictionary(slots.map { ($0.name, $0.text) }) { "\($0) twice \($1)" }
    }
  }

  private func texts(_ slots: [Slot]) throws -> [String: String] {
    Dictionary(slots.map { ($0.name, $0.text) }) { "\($0) twice \($1)" }
  }
}

// MARK: - The oracle

/// What is expected.
final class TransactionOracle: TransactionMachine {
  private struct Failure: Error {}

  private enum Edit: Equatable {
    case insert(String)
    case update(String, base: Int)
    case delete(base: Int)
  }

  private struct Transaction {
    var readOnly: Bool
    var before: [String: Edit]
    var joined = 0
    var isFailed = false
    var isRolledBack = false
    var isMarked = false
  }

  private struct Context {
    var edits: [String: Edit] = [:]
    var transaction: Transaction?
  }

  private var rows: [String: (text: String, version: Int)] = [:]
  private var contexts = [Context()]
  private let attempts: Int

  init(attempts: Int) { self.attempts = attempts }

  private var context: Context {
    get { contexts[contexts.count - 1] }
    set { contexts[contexts.count - 1] = newValue }
  }

  func insert(_ name: String, viaChild: Bool) { context.edits[name] = .insert("") }

  func update(_ name: String, to text: String) {
    switch context.edits[name] {
    case .insert: context.edits[name] = .insert(text)
    case .update(_, let base): context.edits[name] = .update(text, base: base)
    case .delete, nil: context.edits[name] = .update(text, base: rows[name]?.version ?? 0)
    }
  }

  func delete(_ name: String) {
    switch context.edits[name] {
    case .insert: context.edits[name] = nil
    case .update(_, let base): context.edits[name] = .delete(base: base)
    case .delete, nil: context.edits[name] = .delete(base: rows[name]?.version ?? 0)
    }
  }

  func save() throws {
    guard let transaction = context.transaction else { return try write() }
    try requireSavable(transaction)
    if !context.edits.isEmpty { context.transaction?.isMarked = true }
  }

  private func requireSavable(_ transaction: Transaction) throws {
    if transaction.isFailed { throw PersistenceError(.transactionFailed, "") }
    guard context.edits != transaction.before else { return }
    if transaction.isRolledBack { throw PersistenceError(.transactionFailed, "") }
    if transaction.readOnly { throw PersistenceError(.readOnlyTransaction, "") }
  }

  private func write() throws {
    for (name, edit) in context.edits {
      switch edit {
      case .insert: break
      case .update(_, let base), .delete(let base):
        guard rows[name]?.version == base else { throw PersistenceError(.conflict, "") }
      }
    }
    for (name, edit) in context.edits {
      switch edit {
      case .insert(let text): rows[name] = (text, 1)
      case .update(let text, let base): rows[name] = (text, base + 1)
      case .delete: rows[name] = nil
      }
    }
    context.edits = [:]
  }

  func rollback() {
    context.edits = context.transaction?.before ?? [:]
    guard let transaction = context.transaction else { return }
    context.transaction?.isMarked = false
    if transaction.joined > 0 {
      context.transaction?.isFailed = true
    } else {
      context.transaction?.isRolledBack = true
    }
  }

  func reset() throws {
    if let transaction = context.transaction,
      !transaction.before.isEmpty || (transaction.isMarked && !context.edits.isEmpty)
    {
      throw PersistenceError(.insideTransaction, "")
    }
    context.edits = [:]
  }

  func change(_ name: String, to text: String) {
    guard let row = rows[name] else { return }
    rows[name] = (text, row.version + 1)
  }

  func call(_ propagation: Transactional.Propagation, _ body: () throws -> Void) throws {
    if propagation == .requiresNew {
      contexts.append(Context())
      defer { contexts.removeLast() }
      return try outermost(readOnly: false, body)
    }
    guard context.transaction != nil else {
      return try outermost(readOnly: propagation == .readOnly, body)
    }
    context.transaction?.joined += 1
    defer { context.transaction?.joined -= 1 }
    do { try body() } catch {
      context.transaction?.isFailed = true
      throw error
    }
  }

  private func outermost(readOnly: Bool, _ body: () throws -> Void) throws {
    let before = context.edits
    for attempt in 1... {
      context.transaction = Transaction(readOnly: readOnly, before: before)
      do {
        try body()
        try commit()
        context.transaction = nil
        return
      } catch {
        context.transaction = nil
        context.edits = before
        let isConflict = (error as? PersistenceError)?.code == .conflict
        if !isConflict || !before.isEmpty || attempt == attempts { throw error }
      }
    }
  }

  private func commit() throws {
    guard let transaction = context.transaction else { return }
    try requireSavable(transaction)
    if !transaction.readOnly, !transaction.isRolledBack { try write() }
  }

  func view() -> [String: String] {
    var view = rows.mapValues(\.text)
    for (name, edit) in context.edits {
      switch edit {
      case .insert(let text), .update(let text, _): view[name] = text
      case .delete: view[name] = nil
      }
    }
    return view
  }

  func saved() -> [String: String] { rows.mapValues(\.text) }
}

// MARK: - Programs

/// Makes programs.
struct TransactionPrograms {
  var random: SeededRandom
  let prefix: String
  private var count = 0

  init(seed: UInt64, prefix: String) {
    random = SeededRandom(seed: seed)
    self.prefix = prefix
  }

  mutating func program() -> [TransactionStep] { steps(atMost: 12, depth: 0) }

  private mutating func steps(atMost most: Int, depth: Int) -> [TransactionStep] {
    (0..<Int.random(in: 1...most, using: &random)).map { _ in step(depth) }
  }

  private mutating func step(_ depth: Int) -> TransactionStep {
    count += 1
    let number = Int.random(in: 0..<1000, using: &random)
    switch Int.random(in: 0..<100, using: &random) {
    case ..<18: return .insert("\(prefix)\(count)", viaChild: random.chance(20))
    case ..<34: return .update(number, to: "t\(count)")
    case ..<46: return .delete(number)
    case ..<58: return .save(caught: random.chance(50))
    case ..<63: return .rollback
    case ..<66: return .reset
    case ..<70: return .fail
    case ..<76: return .other(number, to: "o\(count)", id: count)
    default:
      guard depth < 3 else { return .update(number, to: "t\(count)") }
      let kinds: [Transactional.Propagation] = [.required, .required, .requiresNew, .readOnly]
      return .call(
        kinds.randomElement(using: &random) ?? .required, steps(atMost: 6, depth: depth + 1),
        caught: random.chance(60))
    }
  }
}

@Suite struct RandomTransactionTests {
  /// How many steps all programs have; more with `OXBOW_TRANSACTION_STEPS`.
  private static let steps =
    ProcessInfo.processInfo.environment["OXBOW_TRANSACTION_STEPS"].flatMap { Int($0) } ?? 4000

  /// The seed; another one with `OXBOW_TRANSACTION_SEED`.
  private static let seed =
    ProcessInfo.processInfo.environment["OXBOW_TRANSACTION_SEED"].flatMap { UInt64($0) } ?? 27

  @Test(arguments: [false, true])
  func `random transactions do what is expected, on four threads at once`(woven: Bool) async throws
  {
    var (seed, counts) = (Self.seed, (programs: 0, steps: 0))
    // A store for each seed: each step looks at all that is in it.
    while counts.steps < Self.steps / 2 {
      let more = try await Self.run(woven, seed: seed)
      counts = (counts.programs + more.programs, counts.steps + more.steps)
      seed &+= 1
    }
    print(
      "random transactions, seeds \(Self.seed) to \(seed &- 1): \(counts.programs) programs, "
        + "\(counts.steps) steps")
  }

  private static func run(
    _ woven: Bool, seed: UInt64
  ) async throws -> (programs: Int, steps: Int) {
    let bench = try WorkBench(woven: woven, retry: TransactionRetry(attempts: 3) { _ in })
    return try await withThrowingTaskGroup { group in
      for thread in 0..<4 {
        group.addTask {
          try onThread {
            try run(
              bench, thread, seed: seed &* 8 &+ UInt64(thread * 2 + (woven ? 1 : 0)), steps: 250)
          }
        }
      }
      return try await group.reduce(into: (0, 0)) { $0 = ($0.0 + $1.0, $0.1 + $1.1) }
    }
  }

  private static func run(
    _ bench: WorkBench, _ thread: Int, seed: UInt64, steps: Int
  ) throws -> (programs: Int, steps: Int) {
    let prefix = "\(["a", "b", "c", "d"][thread])-"
    var programs = TransactionPrograms(seed: seed, prefix: prefix)
    let real = StoreMachine(bench, prefix)
    let oracle = TransactionOracle(attempts: 3)
    var counts = (programs: 0, steps: 0)
    while counts.steps < steps {
      let program = programs.program()
      let (expected, found) = (TransactionRun(on: oracle), TransactionRun(on: real))
      try expected.run(program)
      try found.run(program)
      counts = (counts.programs + 1, counts.steps + found.steps)
      guard expected.trace != found.trace else { continue }
      let place = zip(expected.trace, found.trace).prefix { $0 == $1 }.count
      let earlier = found.trace[..<place].suffix(12).joined(separator: "\n  ")
      Issue.record(
        """
        seed \(seed / 8) (\(seed % 8)), program \(counts.programs): \(program)
          \(earlier)
        expected: \(expected.trace.dropFirst(place).first ?? "the end")
        found:    \(found.trace.dropFirst(place).first ?? "the end")
        """)
      return counts
    }
    return counts
  }
}
