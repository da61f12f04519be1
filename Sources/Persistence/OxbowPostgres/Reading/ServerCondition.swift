#if PostgreSQL
  internal import OxbowFoundation
  internal import OxbowModel
  internal import OxbowRelational

  /// Says a condition in the server's language as far as the server would answer like memory.
  ///
  /// The rest becomes TRUE where that finds too much rather than too little: then the condition is
  /// not exact, and memory decides about the rows that come.
  struct ServerCondition {
    /// A condition that is TRUE or FALSE, never NULL where it is strict.
    struct Part {
      var text: String
      var isExact: Bool

      /// What the server cannot say.
      static let anything = Part(text: "TRUE", isExact: false)

      static func exact(_ text: String) -> Part { Part(text: text, isExact: true) }
    }

    /// A value of a row: an expression, and how the column keeps it.
    struct Value {
      let text: String
      let codec: ColumnCodec

      /// The entity that a to-one relationship leads to.
      let destination: Int?
    }

    let mapping: StoreMapping
    let names: ServerNames
    let store: UUID
    private(set) var parameters: [Parameter] = []

    /// The first part that is a program's own SQL, and what is wrong with one.
    private(set) var sql: SQLText?
    private(set) var problem: PersistenceError?
    private var aliases = 0

    init(_ mapping: StoreMapping, _ names: ServerNames, _ store: UUID) {
      self.mapping = mapping
      self.names = names
      self.store = store
    }

    /// The next parameter.
    mutating func bind(_ parameter: Parameter) -> String {
      parameters.append(parameter)
      return "$\(parameters.count)"
    }

    private mutating func nextAlias() -> String {
      aliases += 1
      return "x\(aliases)"
    }

    /// The condition about a row; `isStrict` where NULL would not count as FALSE.
    mutating func part(
      _ predicate: FetchPredicate, of entity: CompiledEntity, _ alias: String,
      isStrict: Bool = false
    ) -> Part {
      switch predicate {
      case .constant(let truth): return .exact(truth ? "TRUE" : "FALSE")
      case .and(let parts): return all(parts, entity, alias, isStrict)
      case .or(let parts): return any(parts, entity, alias, isStrict)
      case .not(let inner):
        let part = part(inner, of: entity, alias, isStrict: true)
        return part.isExact ? .exact("NOT (\(part.text))") : .anything
      case .truth(.path(let path)):
        guard let value = value(at: path, of: entity, alias), value.codec == .boolean else {
          return .anything
        }
        return found(value.text, isStrict)
      case .comparison(let a, let sign, let b):
        return comparison(a, sign, b, entity, alias, isStrict)
      case .isBetween(let value, let low, let high):
        let parts = [
          FetchPredicate.comparison(value, .greaterOrEqual, low),
          .comparison(value, .lessOrEqual, high),
        ]
        return all(parts, entity, alias, isStrict)
      case .isIn(.path(let path), let list):
        return list.isEmpty
          ? .exact("FALSE") : oneOf(list, path, entity, alias, isStrict)
      case .text(.path(let path), let test, .value(let part), []):
        return search(path, test, part, entity, alias, isStrict)
      case .any(let path, let inner): return some(path, inner, entity, alias)
      case .all(let path, let inner):
        let part = some(path, .not(inner), entity, alias)
        return part.isExact ? .exact("NOT \(part.text)") : .anything
      case .sql(let sql):
        self.sql = self.sql ?? sql
        do throws(PersistenceError) {
          let condition = try mapping.condition(sql, on: entity, alias, store: store)
          let text = ServerScript(condition.text).numbered(after: parameters.count)
          parameters += condition.values.map { Parameter(inferred: $0) }
          return found(text, isStrict)
        } catch { problem = error }
        return .anything
      case .truth, .isIn, .text, .words, .quantified: return .anything
      }
    }

    /// A condition that a value which is missing does not meet.
    private func found(_ text: String, _ isStrict: Bool) -> Part {
      .exact(isStrict ? "coalesce(\(text), FALSE)" : text)
    }
  }

  // MARK: - Logic

  extension ServerCondition {
    private mutating func all(
      _ predicates: [FetchPredicate], _ entity: CompiledEntity, _ alias: String, _ isStrict: Bool
    ) -> Part { junction(predicates, " AND ", none: "TRUE", entity, alias, isStrict) }

    private mutating func any(
      _ predicates: [FetchPredicate], _ entity: CompiledEntity, _ alias: String, _ isStrict: Bool
    ) -> Part { junction(predicates, " OR ", none: "FALSE", entity, alias, isStrict) }

    /// Conditions with a word between them; `none` is what no condition means, and changes nothing.
    private mutating func junction(
      _ predicates: [FetchPredicate], _ word: String, none: String, _ entity: CompiledEntity,
      _ alias: String, _ isStrict: Bool
    ) -> Part {
      var texts: [String] = []
      var isExact = true
      for predicate in predicates {
        let part = part(predicate, of: entity, alias, isStrict: isStrict)
        isExact = isExact && part.isExact
        if part.text != none { texts.append("(\(part.text))") }
      }
      return Part(text: texts.isEmpty ? none : texts.joined(separator: word), isExact: isExact)
    }

    /// One object of a to-many relationship meets a condition.
    private mutating func some(
      _ path: [String], _ inner: FetchPredicate, _ entity: CompiledEntity, _ alias: String
    ) -> Part {
      guard path.count == 1, let name = path.first,
        let relationship = entity.property(named: name)?.relationship, relationship.isToMany,
        mapping.keeps(relationship)
      else { return .anything }
      let far = mapping.model.entities[relationship.destination]
      let member = nextAlias()
      let key = "\(alias).\(quoted(mapping.entities[entity.index].keyColumn))"
      let part = part(inner, of: far, member)
      guard let tables = members(of: relationship, member, key) else { return .anything }
      return Part(
        text: "EXISTS (SELECT FROM \(tables) AND (\(part.text)))", isExact: part.isExact)
    }

    /// The tables of a relationship's members, with the condition that they are an owner's.
    private mutating func members(
      of relationship: CompiledRelationship, _ alias: String, _ owner: String
    ) -> String? {
      let far = mapping.entities[relationship.destination]
      let table = "\(names.table(far.table)) AS \(alias)"
      if let join = mapping.join(of: relationship) {
        let links = nextAlias()
        return "\(names.table(join.table)) AS \(links) JOIN \(table) "
          + "ON \(alias).\(quoted(far.keyColumn)) = \(links).\(quoted(join.otherColumn)) "
          + "WHERE \(links).\(quoted(join.column)) = \(owner)"
      }
      guard let inverse = mapping.model.inverse(of: relationship) else { return nil }
      let entity = mapping.entities[inverse.entity]
      guard let column = entity.column(.key, ofProperty: inverse.property) else { return nil }
      return "\(table) WHERE \(alias).\(quoted(entity.columns[column].name)) = \(owner)"
    }
  }

  // MARK: - Values

  extension ServerCondition {
    /// The value at the end of a path of to-one relationships; NULL where it ends early.
    ///
    /// That of the empty path is the object.
    mutating func value(at path: [String], of entity: CompiledEntity, _ alias: String) -> Value? {
      let path = mapping.model.joiningParts(path, from: entity)
      let table = mapping.entities[entity.index]
      guard let name = path.first else {
        return Value(
          text: "\(alias).\(quoted(table.keyColumn))", codec: .key, destination: entity.index)
      }
      guard name.utf8.first != UInt8(ascii: "$"), let property = entity.property(named: name)
      else { return nil }
      guard let index = table.column(ofProperty: property.index) else { return nil }
      let column = "\(alias).\(quoted(table.columns[index].name))"
      guard path.count > 1 else {
        return Value(
          text: column, codec: table.columns[index].codec,
          destination: property.relationship?.destination)
      }
      guard let relationship = property.relationship, !relationship.isToMany else { return nil }
      let far = mapping.model.entities[relationship.destination]
      let next = nextAlias()
      guard let end = value(at: Array(path.dropFirst()), of: far, next) else { return nil }
      let farTable = mapping.entities[far.index]
      return Value(
        text: "(SELECT \(end.text) FROM \(names.table(farTable.table)) AS \(next) "
          + "WHERE \(next).\(quoted(farTable.keyColumn)) = \(column))",
        codec: end.codec, destination: end.destination)
    }

    /// A constant as a column has it, if the server compares both as memory does.
    private func constant(_ value: FetchValue, for column: Value) -> (SQLValue, ServerType)? {
      switch value {
      case .null: return nil
      case .object(let id):
        guard column.codec == .key, let destination = column.destination, id.store == store,
          mapping.model.entity(named: id.rootEntityName)?.index
            == mapping.model.entities[destination].root
        else { return nil }
        return (.integer(id.key), .integer64)
      case .attribute(let value): return Self.constant(value, for: column.codec)
      }
    }

    private static func constant(
      _ value: AttributeValue, for codec: ColumnCodec
    ) -> (SQLValue, ServerType)? {
      switch (codec, value) {
      case (.integer16, .integer(let number)), (.integer32, .integer(let number)),
        (.integer64, .integer(let number)):
        (.integer(number), .integer64)
      case (.double, .integer(let number)), (.float, .integer(let number)):
        // Whole numbers up to here are numbers of 64 bits with a fraction, too.
        number.magnitude <= 1 << 53 ? (.real(Double(number)), .double) : nil
      case (.float, .double(let number)): number.isNaN ? nil : (.real(number), .double)
      case (.decimalText, .integer(let number)): (.text("\(number)"), .numeric)
      case (.boolean, .boolean), (.double, .double), (.referenceDate, .date), (.text, .string),
        (.uriText, .url), (.decimalText, .decimal), (.blob, .data), (.uuidBlob, .uuid):
        codec.encode(value).map { ($0, codec.serverType) }
      default: nil
      }
    }
  }

  // MARK: - Comparisons

  extension ServerCondition {
    private mutating func comparison(
      _ a: FetchExpression, _ sign: ComparisonOperator, _ b: FetchExpression,
      _ entity: CompiledEntity, _ alias: String, _ isStrict: Bool
    ) -> Part {
      switch (a, b) {
      case (.path(let path), .value(let value)):
        comparison(path, sign, value, entity, alias, isStrict)
      case (.value(let value), .path(let path)):
        comparison(path, sign.turned, value, entity, alias, isStrict)
      default: .anything
      }
    }

    private mutating func comparison(
      _ path: [String], _ sign: ComparisonOperator, _ constant: FetchValue,
      _ entity: CompiledEntity, _ alias: String, _ isStrict: Bool
    ) -> Part {
      guard let value = value(at: path, of: entity, alias) else { return .anything }
      if constant == .null { return comparison(withNothing: value.text, sign) }
      guard let (bound, type) = self.constant(constant, for: value) else { return .anything }
      let isOrdered = value.codec != .boolean && value.codec != .key
      guard isOrdered || sign == .equal || sign == .notEqual else { return .anything }
      let other = bind(Parameter(bound, as: type)) + type.cast
      guard sign != .notEqual else {
        return .exact("\(value.text) <> \(other) OR \(value.text) IS NULL")
      }
      return found("\(value.text) \(sign.symbol) \(other)", isStrict)
    }

    private func comparison(withNothing value: String, _ sign: ComparisonOperator) -> Part {
      switch sign {
      case .equal: .exact("\(value) IS NULL")
      case .notEqual: .exact("\(value) IS NOT NULL")
      case .less, .lessOrEqual, .greater, .greaterOrEqual: .exact("FALSE")
      }
    }

    private mutating func oneOf(
      _ list: [FetchValue], _ path: [String], _ entity: CompiledEntity, _ alias: String,
      _ isStrict: Bool
    ) -> Part {
      guard let value = value(at: path, of: entity, alias) else { return .anything }
      var values: [SQLValue] = []
      var types: Set<ServerType> = []
      for element in list where element != .null {
        guard let (bound, type) = constant(element, for: value) else { return .anything }
        values.append(bound)
        types.insert(type)
      }
      var texts: [String] = []
      if let type = types.first {
        guard types.count == 1 else { return .anything }
        let array = bind(Parameter(values, arrayOf: type))
        let cast = type == .numeric ? "::numeric[]" : ""
        texts.append(found("\(value.text) = ANY(\(array)\(cast))", isStrict).text)
      }
      if list.contains(.null) { texts.append("\(value.text) IS NULL") }
      return .exact(texts.joined(separator: " OR "))
    }

    private mutating func search(
      _ path: [String], _ test: TextOperator, _ part: FetchValue, _ entity: CompiledEntity,
      _ alias: String, _ isStrict: Bool
    ) -> Part {
      guard case .attribute(.string(let text)) = part, test != .like, test != .matches,
        let value = value(at: path, of: entity, alias), value.codec == .text
      else { return .anything }
      let other = bind(.text(text))
      let condition =
        switch test {
        case .beginsWith: "starts_with(\(value.text), \(other))"
        case .endsWith: "right(\(value.text), length(\(other))) = \(other)"
        case .contains, .like, .matches: "strpos(\(value.text), \(other)) > 0"
        }
      return found(condition, isStrict)
    }
  }

  extension ComparisonOperator {
    fileprivate var symbol: String { self == .equal ? "=" : self == .notEqual ? "<>" : rawValue }
  }
#endif
