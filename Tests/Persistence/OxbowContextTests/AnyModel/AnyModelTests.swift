import OxbowContext
import OxbowModel
import OxbowStore
import OxbowTestSupport
import Testing

/// One predicate, two executors: whatever the model, the objects and the question are, the store
/// and memory have the same answer.
///
/// `OXBOW_FUZZ_CASES` is the number of questions for each seed.
@Suite struct AnyModelTests {
  enum Outcome: Equatable {
    case objects([ManagedObjectID], count: Int)
    case rows([FetchedRow])
    case refused(PersistenceError.Code)
    /// Documented: an error in memory, no row or a rounded number in the store.
    case overflow
  }

  /// A question, and what to call it when its answers differ.
  enum Question {
    case objects(FetchRequest<ManagedObject>)
    case rows(RowRequest)
  }

  private func outcome(
    _ question: Question, _ context: ManagedObjectContext, isReread: Bool = false
  ) -> Outcome {
    do throws(PersistenceError) {
      switch question {
      case .objects(var request):
        if isReread, let predicate = request.predicate {
          request.predicate = try FetchPredicate(format: predicate.description)
        }
        return .objects(try context.fetchIDs(request), count: try context.count(request))
      case .rows(let request): return .rows(try context.fetchRows(request))
      }
    } catch {
      let isOverflow =
        error.message.contains("does not fit into")
        || error.message.contains("more than 38 digits")
      return isOverflow ? .overflow : .refused(error.code)
    }
  }

  private func draw(_ maker: inout AnyQuestion) -> Question {
    maker.random.chance(70) ? .objects(maker.request()) : .rows(maker.rowRequest())
  }

  /// The questions that are asked about one model.
  private static let share = 50

  @Test(arguments: [1, 2, UInt64.random(in: 3...UInt64.max)])
  func `PF-09 PF-07 PF-08 PF-10 questions about any model have one answer`(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    var (asked, answered) = (0, 0)
    while asked < DifferentialTests.cases {
      let world = try AnyWorld(&random)
      var maker = AnyQuestion(world, SeededRandom(seed: random.next()))
      for _ in 0..<min(Self.share, DifferentialTests.cases - asked) {
        let question = draw(&maker)
        asked += 1
        let stored = outcome(question, world.untouched)
        for context in [world.touched, world.halfTouched] {
          let found = outcome(question, context, isReread: context === world.halfTouched)
          if found == .overflow || stored == .overflow { continue }
          if case .refused = found {} else { answered += 1 }
          if stored != found { report(seed, asked, question, world, [stored, found]) }
        }
      }
    }
    print("Any model: seed \(seed), \(asked) questions, \(answered) answers compared")
    #expect(answered > asked)
  }

  @Test(arguments: [1, 2, UInt64.random(in: 3...UInt64.max)])
  func `PF-09 PF-07 answers with unsaved changes are those after the save`(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    var (asked, compared) = (0, 0)
    while asked < DifferentialTests.cases / 2 {
      let world = try AnyWorld(&random)
      var maker = AnyQuestion(world, SeededRandom(seed: random.next()))
      maker.avoidsDerived = true
      for _ in 0..<5 {
        for _ in 0..<Int.random(in: 1...6, using: &random) {
          try world.change(world.untouched, &random)
        }
        let questions = (0..<5).map { _ in draw(&maker) }
        let before = questions.map { outcome($0, world.untouched) }
        guard try save(world) else { break }
        let reader = world.context()
        for (question, before) in zip(questions, before) where before != .overflow {
          asked += 1
          for context in [world.untouched, reader] {
            let after = outcome(question, context)
            if after == .overflow { continue }
            if case .refused = after {} else { compared += 1 }
            if before != after { report(seed, asked, question, world, [before, after]) }
          }
        }
      }
    }
    print("Any model, unsaved: seed \(seed), \(asked) questions, \(compared) answers compared")
    #expect(compared > asked)
  }

  /// Saves; false where an object was deleted to which a row that was not read leads, without an
  /// inverse by which the context could know of it: such a save is refused.
  private func save(_ world: AnyWorld) throws -> Bool {
    do {
      try world.untouched.save()
      return true
    } catch {
      guard error.message.hasPrefix("objects that others refer to are not in the store") else {
        throw error
      }
      return false
    }
  }

  private func report(
    _ seed: UInt64, _ number: Int, _ question: Question, _ world: AnyWorld, _ outcomes: [Outcome]
  ) {
    var text = "seed \(seed), question \(number): "
    switch question {
    case .objects(let request):
      let order = request.sortKeys.map {
        $0.path.joined(separator: ".") + ($0.isAscending ? "" : " descending")
          + " \($0.comparison.rawValue)"
      }
      text += "\(request.entityName ?? "") where \(request.predicate.map { "\($0)" } ?? "all")"
      text += " by \(order), limit \(request.limit ?? -1), offset \(request.offset)"
      text += request.includesSubentities ? "" : ", no subentities"
    case .rows(let request): text += "\(request)"
    }
    for entity in world.model.description.entities {
      text += "\n\(entity.name)\(entity.parent.map { ": \($0)" } ?? "")"
      for attribute in entity.attributes {
        text += " \(attribute.name) \(attribute.type) \(attribute.derivation ?? "")"
        text += attribute.isTransient ? " transient," : ","
      }
      for link in entity.relationships {
        text += " \(link.name) → \(link.destination)\(link.isToMany ? "s" : "")"
        text += " (\(link.inverse ?? "-"), \(link.deleteRule)),"
      }
    }
    for outcome in outcomes { text += "\n\(outcome)" }
    Issue.record("\(text)")
  }
}
