#if PostgreSQL
  internal import OxbowModel
  internal import OxbowRelational
  internal import OxbowStore

  /// A fetch as the server gets it: which rows may be found, and whether memory still has to
  /// decide.
  struct ServerQuestion {
    let shape: ServerShape
    private(set) var conditions: [String] = []
    private(set) var parameters: [Parameter]

    /// Whether the server finds the rows that memory would, and no others.
    private(set) var isExact = true

    /// Whether memory still has to look at the condition itself.
    private(set) var hasExactCondition = true

    /// SQL of the program in it, which looks for tables in the schema of the store.
    let sql: SQLText?

    /// The terms of the order; `nil` for one that the server does not have.
    private(set) var order: String?
    private let limit: String

    init(_ fetch: StoreFetch, _ store: PostgresStore) throws(PersistenceError) {
      try self.init(
        fetch, fetch.predicate, store.shape(fetch.entity, fetch.includesSubentities), store)
    }

    private init(
      _ fetch: StoreFetch, _ predicate: FetchPredicate?, _ shape: ServerShape,
      _ store: PostgresStore
    ) throws(PersistenceError) {
      self.shape = shape
      let entity = store.model.entities[fetch.entity]
      var condition = ServerCondition(store.mapping, store.names, store.identifier)
      let type = store.mapping.typeCondition(shape.shape, alias: "t0")
      if !type.isEmpty { conditions.append(type) }
      if let predicate {
        let part = condition.part(predicate, of: entity, "t0")
        (isExact, hasExactCondition) = (part.isExact, part.isExact)
        if part.text != "TRUE" { conditions.append("(\(part.text))") }
      }
      if let problem = condition.problem { throw problem }
      sql = condition.sql
      guard sql == nil || hasExactCondition else {
        throw .notYet(
          "conditions in SQL beside others that are decided in memory",
          "write the whole condition in SQL")
      }
      if let last = fetch.afterKey {
        conditions.append("\(shape.key) > \(condition.bind(.integer(last)))")
      }
      if let keys = fetch.keys {
        conditions.append("\(shape.key) = ANY(\(condition.bind(Parameter(keys: keys))))")
      }
      if fetch.after != nil { isExact = false }
      order = Self.order(fetch, entity, shape, &condition)
      limit = Self.limit(fetch)
      parameters = condition.parameters
    }

    private static func order(
      _ fetch: StoreFetch, _ entity: CompiledEntity, _ shape: ServerShape,
      _ condition: inout ServerCondition
    ) -> String? {
      var terms: [String] = []
      for term in fetch.sortKeys {
        guard term.comparison.isEmpty,
          let value = condition.value(at: term.path, of: entity, "t0"), value.codec != .key
        else { return nil }
        terms.append(value.text + (term.isAscending ? " ASC NULLS FIRST" : " DESC NULLS LAST"))
      }
      return (terms + [shape.key + (fetch.keysDescend ? " DESC" : "")]).joined(separator: ", ")
    }

    private static func limit(_ fetch: StoreFetch) -> String {
      (fetch.limit.map { " LIMIT \(max(0, $0))" } ?? "")
        + (fetch.offset > 0 ? " OFFSET \(fetch.offset)" : "")
    }

    // MARK: Statements

    private var tables: String {
      " FROM \(shape.table) AS t0"
        + (conditions.isEmpty ? "" : " WHERE " + conditions.joined(separator: " AND "))
    }

    /// All that is asked for, in order, as columns of a list.
    func select(_ list: String) -> ServerStatement {
      ServerStatement(
        "SELECT \(list)\(tables) ORDER BY \(order ?? shape.key)\(limit)", parameters)
    }

    /// The number of rows.
    var count: ServerStatement {
      limit.isEmpty
        ? ServerStatement("SELECT count(*)\(tables)", parameters)
        : ServerStatement("SELECT count(*) FROM (SELECT\(tables)\(limit)) AS found", parameters)
    }

    /// The rows about which memory decides, in the order of their keys.
    var candidates: ServerStatement {
      ServerStatement("SELECT \(shape.list)\(tables) ORDER BY \(shape.key)", parameters)
    }

    /// The same rows, which no other save changes until the end of the transaction.
    var lockedCandidates: ServerStatement {
      ServerStatement(candidates.text + " FOR NO KEY UPDATE OF t0", parameters)
    }
  }
#endif
