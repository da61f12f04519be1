internal import OxbowModel
internal import OxbowRelational
internal import OxbowStore

/// A fetch whose form was met: its statement, and the reader of its rows.
///
/// One thread's at a time, as its connection. The first fetch of a form leaves a note, the second
/// one the plan, if both had the text of the note and the values that the form gives; all further
/// ones are neither said in SQL nor looked up by their text.
final class FetchPlan {
  /// What is asked about the objects that a fetch finds.
  enum Question {
    case rows
    case headers
    case keys
    case count

    /// Says the question in SQL.
    func text(
      _ fetch: StoreFetch, _ generator: SelectGenerator, _ shape: RowShape
    ) throws(PersistenceError) -> SQLFragment {
      switch self {
      case .rows: return try generator.rows(fetch, shape)
      case .headers: return try generator.headers(fetch, shape)
      case .keys:
        if let keys = try generator.unorderedKeys(fetch, shape) { return keys }
        return try generator.keys(fetch, shape)
      case .count: return try generator.count(fetch, shape)
      }
    }
  }

  /// What a form has shown.
  private enum Stage {
    case met
    case ready
    case impossible
  }

  private let form: FetchForm
  private let question: Question

  /// What was known of the schema; with other knowledge, the text may be another.
  private let state: StoreState
  private var stage: Stage
  let statement: Statement
  let reader: RowReader

  /// How often it was used.
  private var uses = 0

  fileprivate init(
    _ form: FetchForm, _ question: Question, _ state: StoreState, _ statement: Statement,
    _ reader: RowReader, isRight: Bool
  ) {
    (self.form, self.question, self.state) = (form, question, state)
    (self.statement, self.reader) = (statement, reader)
    stage = isRight ? .met : .impossible
  }

  var isReady: Bool { stage == .ready && !statement.isBorrowed }

  fileprivate func answers(
    _ fetch: StoreFetch, _ question: Question, of store: SQLiteStore, _ state: StoreState
  ) -> Bool {
    self.state === state && self.question == question
      && form.matches(fetch, in: store.identifier)
  }

  /// Compares what a fetch of the form came to with the note.
  fileprivate func meet(_ statement: Statement, _ values: [SQLValue], of fetch: StoreFetch) {
    guard stage == .met else { return }
    let isRight =
      statement === self.statement && values == FetchForm.values(of: fetch)
      && form.fits(state.mapping)
    stage = isRight ? .ready : .impossible
  }

  /// Binds the values of a fetch.
  func bind(_ fetch: StoreFetch) throws {
    var index: Int32 = 0
    try FetchForm.values(of: fetch) { value in
      index += 1
      try statement.bind(value, at: index)
    }
  }

  /// Whether the plan does what the fetch says, as one of 64 uses finds out; for `assert`.
  func isRight(_ fetch: StoreFetch, _ generator: SelectGenerator) -> Bool {
    uses &+= 1
    guard uses & 63 == 1 else { return true }
    let sql = try? question.text(fetch, generator, reader.shape)
    return sql == SQLFragment(statement.sql, FetchForm.values(of: fetch))
  }
}

/// The statement that reads one row of an entity by its key.
struct KeyedRead {
  let entity: Int
  let state: StoreState
  let statement: Statement
  let reader: RowReader
}

/// The statement that inserts the rows of an entity.
struct InsertPlan {
  let entity: Int
  /// The texts of the store that inserts: other knowledge of a schema has others.
  let texts: StatementTexts
  let statement: Statement
}

/// The forms that a connection has met last, the last one in front.
final class FetchPlans {
  /// A program asks two or three forms again and again, so they are compared one by one.
  private static let limit = 8
  private var plans: [FetchPlan] = []

  /// What read one row by its key last.
  var keyed: KeyedRead?

  /// What inserted rows last.
  var insert: InsertPlan?

  /// The plan or the note for a fetch.
  func plan(
    for fetch: StoreFetch, _ question: FetchPlan.Question, of store: SQLiteStore,
    _ state: StoreState
  ) -> FetchPlan? {
    let place = plans.firstIndex { $0.answers(fetch, question, of: store, state) }
    guard let place else { return nil }
    let plan = plans[place]
    // Those in the front half have room behind them.
    if place >= Self.limit / 2 {
      plans.remove(at: place)
      plans.insert(plan, at: 0)
    }
    return plan
  }

  func note(_ plan: FetchPlan) {
    if plans.count == Self.limit { plans.removeLast() }
    plans.insert(plan, at: 0)
  }
}

extension Connection {
  /// The forms that it has met last.
  var plans: FetchPlans {
    if let plans = keeper as? FetchPlans { return plans }
    let plans = FetchPlans()
    keeper = plans
    return plans
  }

  /// Lends the statement that inserts rows of an entity to `body` (docs/performance.md, P/save).
  func withInsert<R>(
    into entity: EntityMapping, _ texts: StatementTexts, _ generator: ChangeGenerator,
    _ body: (Statement) throws -> R
  ) throws -> R {
    if let plan = plans.insert, plan.entity == entity.entity, plan.texts === texts,
      !plan.statement.isBorrowed
    {
      return try lend(plan.statement, body)
    }
    let sql = texts.value(.insert(entity: entity.entity)) { generator.insert(entity) }
    return try withStatement(sql) { statement in
      // Another one is thrown away afterwards.
      if statement.isBorrowed {
        plans.insert = InsertPlan(entity: entity.entity, texts: texts, statement: statement)
      }
      return try body(statement)
    }
  }

  /// Lends the statement of a fetch to `body`, its values bound, and the reader of its rows.
  func withStatement<R>(
    of fetch: StoreFetch, _ question: FetchPlan.Question, _ store: SQLiteStore,
    _ state: StoreState, _ body: (Statement, RowReader) throws -> R
  ) throws -> R {
    let known = plans.plan(for: fetch, question, of: store, state)
    if let known, known.isReady, !StatementRecord.isRecording {
      assert(known.isRight(fetch, store.generator(state)), "a plan is not what '\(fetch)' says")
      return try lend(known.statement) { statement in
        try known.bind(fetch)
        return try body(statement, known.reader)
      }
    }
    let reader = state.reader(
      fetch.entity, includesSubentities: fetch.includesSubentities,
      isFault: question == .keys || question == .headers)
    let sql = try question.text(fetch, store.generator(state), reader.shape)
    return try withStatement(sql.text) { statement in
      try statement.bind(sql.values)
      // Another one is thrown away afterwards.
      if statement.isBorrowed {
        if let known {
          known.meet(statement, sql.values, of: fetch)
        } else if let form = FetchForm(fetch) {
          plans.note(
            FetchPlan(
              form, question, state, statement, reader,
              isRight: sql.values == FetchForm.values(of: fetch)))
        }
      }
      return try body(statement, reader)
    }
  }
}
