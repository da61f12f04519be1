import Foundation
import Oxbow
import OxbowTestSupport
import Testing

// D1: what `save()`, `rollback()` and their kin mean inside of a transactional call.

@Entity final class Coupon: ManagedObject {
  var worth: Int = 0
  var saves: Int = 0
  /// For which worth it was counted.
  @Attribute(transient: true) var counted: Int = -1
}

@Entity final class Slot: ManagedObject {
  var name: String = ""
  var text: String = ""
}

extension Coupon: ValidationRulesHook, WillSaveHook {
  static var validationRules: [ValidationRule] {
    [ValidationRule(Coupon.self, "worth", "is worth less than nothing") { $0.worth >= 0 }]
  }

  func willSave() {
    guard counted != worth else { return }
    counted = worth
    saves += 1
  }
}

/// A service whose calls are written in the tests.
@Proxied(aspects: true) protocol Work: Sendable {
  func run(_ body: @escaping () throws -> Void) throws
  func apart(_ body: @escaping () throws -> Void) throws
  func read(_ body: @escaping () throws -> Void) throws
}
extension WorkProxy: WorkForwarding {}

struct PlainWork: Work {
  func run(_ body: @escaping () throws -> Void) throws { try body() }
  func apart(_ body: @escaping () throws -> Void) throws { try body() }
  func read(_ body: @escaping () throws -> Void) throws { try body() }
}

@Woven final class WovenWork: Work {
  func run(_ body: @escaping () throws -> Void) throws { try body() }
  func apart(_ body: @escaping () throws -> Void) throws { try body() }
  func read(_ body: @escaping () throws -> Void) throws { try body() }
}

/// A store with transactional calls around it.
struct WorkBench {
  let container: Container
  let store: PersistentContainer
  let work: any Work
  var context: any ObjectContext & Sendable { store.contexts }

  init(woven: Bool = false, retry: TransactionRetry = .never) throws {
    let store = try PersistentContainer(.temporary, types: tomeTypes + [Coupon.self, Slot.self])
    let builder = ContainerBuilder()
    let context = builder.singleton(named: "context") {
      store.contexts as any ObjectContext & Sendable
    }
    if woven {
      builder.singleton(named: "work", { WovenWork() })
    } else {
      builder.singleton(named: "work", { PlainWork() as any Work })
    }
    for (name, propagation) in [
      ("run", Transactional.Propagation.required), ("apart", .requiresNew), ("read", .readOnly),
    ] {
      builder.transactional(
        named: "\(name)Transaction", on: .objects("work").methods(name), propagation: propagation,
        retry: retry, context: context)
    }
    container = try builder.build()
    self.store = store
    work =
      woven
      ? try container.object("work", as: WovenWork.self)
      : try container.object("work", as: WorkProxy.self)
  }

  func insert(_ label: String) throws { try context.insert(Stamp.self) { $0.label = label } }

  /// The labels that the thread's context has.
  func labels() throws -> [String] { try context.fetch(Stamp.self).map(\.label).sorted() }

  /// What is in the store.
  func saved() throws -> [String] {
    try store.perform { try $0.fetch(Stamp.self).map(\.label).sorted() }
  }

  /// The context of this thread itself.
  func managed() throws -> ManagedObjectContext {
    try #require(try store.contexts._targetObjectContext() as? ManagedObjectContext)
  }
}

/// What a body throws, as text: the code of an error of the persistence half.
func thrown(_ body: () throws -> Void) -> String? {
  do { try body() } catch let error as PersistenceError { return error.code.rawValue } catch {
    return "\(type(of: error))"
  }
  return nil
}

@Suite struct TransactionSaveTests {
  @Test(arguments: [false, true])
  func `D1 a save inside is taken back when the call throws`(woven: Bool) throws {
    let bench = try WorkBench(woven: woven)
    try onThread {
      let error = thrown {
        try bench.work.run {
          try bench.insert("half")
          try bench.context.save()
          #expect(try bench.saved().isEmpty)
          throw Refusal()
        }
      }
      #expect(error == "Refusal")
      let hasChanges = try bench.context.hasChanges
      #expect(!hasChanges)
    }
    #expect(try bench.saved().isEmpty)
    try onThread {
      try bench.work.run {
        try bench.insert("a")
        try bench.context.save()
        try bench.insert("b")
        try bench.context.save()
      }
      #expect(try bench.context.statistics.saves == 1)
    }
    #expect(try bench.saved() == ["a", "b"])
  }

  @Test func `SQL inside finds what the store has, after a save inside as well`() throws {
    let bench = try WorkBench()
    @Sendable func rows() throws -> Int {
      try bench.context.fetchRows(sql: "SELECT * FROM \(Stamp.self)").count
    }
    @Sendable func objects() throws -> Int {
      try bench.context.fetch(Stamp.self, sql: "SELECT \(keyOf: Stamp.self) FROM \(Stamp.self)")
        .count
    }
    try onThread {
      try bench.insert("before")
      try bench.context.save()
      try bench.work.run {
        try bench.insert("inside")
        #expect(try bench.labels() == ["before", "inside"])
        try bench.context.save()
        #expect(try bench.labels() == ["before", "inside"])
        #expect(try bench.context.fetchRows(RowRequest("Stamp", ["label"])).count == 2)
        #expect(try [rows(), objects()] == [1, 1])
      }
      #expect(try [rows(), objects()] == [2, 2])
    }
  }

  @Test func `D1 a save inside is made once where the call is made again`() throws {
    let bench = try WorkBench(retry: TransactionRetry(attempts: 3) { _ in })
    let attempts = Journal()
    try onThread {
      try bench.insert("counter")
      try bench.context.save()
      try bench.work.run {
        try bench.insert("log")
        try bench.context.save()
        let counter = try #require(
          try bench.context.fetch(Stamp.self, where: .beginsWith("label", "counter")).first)
        attempts.note("attempt")
        if attempts.lines.count == 1 {
          try bench.store.perform { other in
            try other.fetch(Stamp.self, where: .equal("label", "counter"))[0].label = "counter of B"
            try other.save()
          }
        }
        counter.label += "!"
      }
    }
    #expect(attempts.lines.count == 2)
    #expect(try bench.saved() == ["counter of B!", "log"])
  }

  @Test func `D1 a save inside checks the rules at once`() throws {
    let bench = try WorkBench()
    try onThread {
      try bench.work.run {
        let coupon = try bench.context.insert(Coupon.self)
        coupon.worth = -1
        let error = thrown { try bench.context.save() }
        #expect(error == "validation")
        try bench.context.delete(coupon)
        try bench.insert("a")
        try bench.context.save()
      }
    }
    #expect(try bench.saved() == ["a"])
  }

  @Test func `D1 hooks run once for the same changes, and again for others`() throws {
    let bench = try WorkBench()
    try onThread {
      try bench.work.run {
        let coupon = try bench.context.insert(Coupon.self)
        try bench.context.save()
        try bench.context.save()
        #expect(coupon.saves == 1)
        coupon.worth = 3
        try bench.context.save()
      }
    }
    let coupons = try bench.store.perform {
      try $0.fetch(Coupon.self).map { [$0.saves, $0.worth] }
    }
    #expect(coupons == [[2, 3]])
  }

  @Test func `D1 a save of a call that has joined, or of one apart, ends with its transaction`()
    throws
  {
    let bench = try WorkBench()
    try onThread {
      let error = thrown {
        try bench.work.run {
          try bench.work.run {
            try bench.insert("joined")
            try bench.context.save()
          }
          try bench.work.apart {
            try bench.insert("apart")
            try bench.context.save()
            #expect(try bench.saved().isEmpty)
          }
          #expect(try bench.saved() == ["apart"])
          let undone = thrown {
            try bench.work.apart {
              try bench.insert("apart, and undone")
              try bench.context.save()
              throw Refusal()
            }
          }
          #expect(undone == "Refusal")
          throw CancellationError()
        }
      }
      #expect(error == "CancellationError")
    }
    #expect(try bench.saved() == ["apart"])
  }

  @Test func `D1 a save in a read-only call refuses changes at once`() throws {
    let bench = try WorkBench()
    try onThread {
      try bench.work.read { try bench.context.save() }
      let error = thrown {
        try bench.work.read {
          try bench.insert("a")
          try bench.context.save()
          Issue.record("the save was taken")
        }
      }
      #expect(error == "readOnlyTransaction")
      #expect(try bench.context.hasChanges == false)
    }
    #expect(try bench.saved().isEmpty)
  }

  @Test func `D1 the outermost call may roll back, and nothing is saved`() throws {
    let bench = try WorkBench()
    try onThread {
      try bench.work.run {
        try bench.insert("a")
        try bench.context.save()
        try bench.context.rollback()
        #expect(try bench.context.hasChanges == false)
        try bench.context.save()
      }
    }
    #expect(try bench.saved().isEmpty)
  }

  @Test(arguments: [true, false])
  func `D1 changes after a rollback are refused, not lost`(saves: Bool) throws {
    let bench = try WorkBench()
    try onThread {
      let error = #expect(throws: PersistenceError.self) {
        try bench.work.run {
          try bench.context.rollback()
          try bench.insert("a")
          if saves { try bench.context.save() }
        }
      }
      #expect(error?.code == .transactionFailed)
      #expect(error?.message.contains("rollback() has ended the transaction") == true)
      let hasChanges = try bench.context.hasChanges
      #expect(!hasChanges)
    }
    #expect(try bench.saved().isEmpty)
  }

  @Test func `D1 a rollback of a call that has joined fails the outermost one`() throws {
    let bench = try WorkBench()
    try onThread {
      let error = #expect(throws: PersistenceError.self) {
        try bench.work.run {
          try bench.insert("a")
          try bench.work.run { try bench.context.rollback() }
          let inside = thrown { try bench.context.save() }
          if inside != "transactionFailed" {
            Issue.record("a save after it was taken: \(inside ?? "")")
          }
        }
      }
      #expect(error?.code == .transactionFailed)
      #expect(error?.message.contains("called rollback()") == true)
    }
    #expect(try bench.saved().isEmpty)
  }

  @Test func `D1 what would forget saved changes, or write at once, is refused inside`() throws {
    let bench = try WorkBench()
    try onThread {
      try bench.insert("old")
      try bench.context.save()
      try bench.work.run {
        let context = try bench.managed()
        try context.reset()
        let stamp = try #require(try context.fetch(Stamp.self).first)
        stamp.label = "new"
        try context.save()
        let refused = [
          thrown { try context.reset() }, thrown { try context.refresh(stamp) },
          thrown { try context.batchDelete(Stamp.self) },
        ]
        #expect(refused == Array(repeating: "insideTransaction", count: 3))
        try context.refresh(stamp, mergingChanges: true)
      }
    }
    #expect(try bench.saved() == ["new"])
  }

  @Test func `D1 a child saves into the transaction of its parent`() throws {
    let bench = try WorkBench()
    try onThread {
      for fails in [true, false] {
        let error = thrown {
          try bench.work.run {
            let child = ManagedObjectContext(parent: try bench.managed())
            try child.insert(Stamp.self).label = "of a child"
            try child.save()
            try bench.context.save()
            if fails { throw Refusal() }
          }
        }
        #expect(error == (fails ? "Refusal" : nil))
        let saved = try bench.saved()
        #expect(saved == (fails ? [] : ["of a child"]))
      }
    }
  }

  @Test func `D1 a task's context has transactions, and new ones inside of them`() async throws {
    let bench = try WorkBench()
    try await bench.store.withTaskContext {
      let run: () throws -> Void = {
        let error = thrown {
          try bench.work.run {
            try bench.insert("outer")
            try bench.context.save()
            try bench.work.apart {
              try bench.insert("apart")
              try bench.context.save()
            }
            throw Refusal()
          }
        }
        #expect(error == "Refusal")
        let hasChanges = try bench.context.hasChanges
        #expect(!hasChanges)
      }
      try run()
    }
    #expect(try bench.saved() == ["apart"])
  }
}

// W1: what was unsaved before a call.

@Suite struct TransactionPendingTests {
  @Test func `W1 a read-only call leaves what was unsaved before it`() throws {
    let bench = try WorkBench()
    try onThread {
      try bench.insert("pending")
      try bench.work.read {
        let labels = try bench.labels()
        #expect(labels == ["pending"])
      }
      #expect(try bench.context.hasChanges)
      let error = thrown { try bench.work.read { try bench.insert("more") } }
      #expect(error == "readOnlyTransaction")
      #expect(try bench.labels() == ["pending"])
      try bench.context.save()
    }
    #expect(try bench.saved() == ["pending"])
  }

  @Test func `W1 a reset inside is refused where something was unsaved before, deleted or not`()
    throws
  {
    let bench = try WorkBench()
    try onThread {
      try bench.insert("old")
      let error = thrown {
        try bench.work.run {
          try bench.context.delete(try #require(try bench.context.fetch(Stamp.self).first))
          #expect(thrown { try bench.context.reset() } == "insideTransaction")
          throw Refusal()
        }
      }
      #expect(error == "Refusal")
      #expect(try bench.labels() == ["old"])
      try bench.context.rollback()
      #expect(try bench.labels().isEmpty)
    }
  }

  @Test func `W1 a call that throws leaves what was unsaved before it`() throws {
    let bench = try WorkBench()
    try onThread {
      for label in ["a", "b", "c"] { try bench.insert(label) }
      try bench.context.save()
      let stamps = try bench.context.fetch(Stamp.self).sorted { $0.label < $1.label }
      stamps[0].label = "a of before"
      try bench.context.delete(stamps[1])
      let new = try bench.context.insert(Stamp.self)
      new.label = "new"
      let tome = try bench.context.insert(Tome.self)
      tome.marks = [new, stamps[0]]
      let error = thrown {
        try bench.work.run {
          stamps[0].label = "a of the call"
          stamps[2].label = "c of the call"
          tome.marks = [stamps[2]]
          new.label = "new of the call"
          try bench.context.save()
          try bench.context.delete(new)
          try bench.insert("of the call")
          throw Refusal()
        }
      }
      #expect(error == "Refusal")
      #expect(try bench.labels() == ["a of before", "c", "new"])
      #expect(tome.marks == [new, stamps[0]])
      #expect(stamps[2].volumes.isEmpty)
      try bench.context.save()
    }
    #expect(try bench.saved() == ["a of before", "c", "new"])
  }

  @Test func `W1 a rollback inside leaves what was unsaved before the outermost call`() throws {
    let bench = try WorkBench()
    try onThread {
      try bench.insert("pending")
      try bench.work.run {
        try bench.insert("of the call")
        try bench.context.rollback()
      }
      #expect(try bench.labels() == ["pending"])
      #expect(try bench.saved().isEmpty)
      let error = thrown { try bench.work.run { try bench.context.reset() } }
      #expect(error == "insideTransaction")
      #expect(try bench.labels() == ["pending"])
      try bench.work.apart { try bench.insert("apart") }
      #expect(try bench.saved() == ["apart"])
      try bench.work.run { try bench.insert("joined") }
    }
    #expect(try bench.saved() == ["apart", "joined", "pending"])
  }

  @Test func `W1 what could be undone before a call that throws can be undone after it`() throws {
    let bench = try WorkBench()
    try onThread {
      let context = try bench.managed()
      context.isUndoEnabled = true
      try bench.insert("first")
      try bench.insert("second")
      _ = thrown {
        try bench.work.run {
          try bench.insert("of the call")
          throw Refusal()
        }
      }
      #expect(context.canUndo)
      try context.undo()
      #expect(try bench.labels().isEmpty)
      try context.redo()
      #expect(try bench.labels() == ["first", "second"])
    }
  }
}
