internal import OxbowFoundation

/// Walks a `#Predicate` and builds a ``FetchPredicate``.
///
/// A variable is the fetched object, a member of a to-many relationship inside a closure about it,
/// the value of an optional chain, or one of a list of constants.
struct FoundationTranslator {
  private struct Binding {
    let term: TranslatedTerm
    let level: Int
  }

  private var bindings: [PredicateExpressions.VariableID: Binding] = [:]

  /// How many closures about members surround the present expression.
  private var level = 0

  mutating func bind(_ variable: PredicateExpressions.VariableID, to term: TranslatedTerm) {
    bindings[variable] = Binding(term: term, level: level)
  }

  /// Translates a node, or says which kind of node a store cannot answer.
  mutating func translate(_ node: Any) throws(PersistenceError) -> TranslatedTerm {
    guard let node = node as? any TranslatableNode else {
      let name = String(describing: type(of: node)).prefix { $0 != "<" }
      throw PersistenceError(
        .unsupported, "a #Predicate with '\(name)' cannot be answered by a store")
    }
    return try node.translate(&self)
  }

  mutating func expression(_ node: Any) throws(PersistenceError) -> FetchExpression {
    try translate(node).expression()
  }

  mutating func condition(_ node: Any) throws(PersistenceError) -> FetchPredicate {
    try translate(node).condition()
  }

  func term(
    of variable: PredicateExpressions.VariableID
  ) throws(PersistenceError) -> TranslatedTerm {
    guard let binding = bindings[variable] else {
      throw PersistenceError(
        .invalidPredicate, "a #Predicate uses a variable that it does not have")
    }
    if binding.level == level { return binding.term }
    if case .expression(.value) = binding.term { return binding.term }
    throw PersistenceError(
      .unsupported,
      "a closure about the members of a relationship uses a variable from outside of it; capture"
        + " its value before the #Predicate")
  }

  mutating func conditionOnMember(
    _ variable: PredicateExpressions.VariableID, _ node: Any
  ) throws(PersistenceError) -> FetchPredicate {
    level += 1
    defer { level -= 1 }
    bind(variable, to: .object([]))
    return try condition(node)
  }

  /// Translates a closure once for each constant of a list.
  mutating func conditions(
    _ variable: PredicateExpressions.VariableID, on values: [FetchValue], _ node: Any
  ) throws(PersistenceError) -> [FetchPredicate] {
    var result: [FetchPredicate] = []
    for value in values {
      bind(variable, to: .expression(.value(value)))
      result.append(try condition(node))
    }
    return result
  }
}

/// A node of a `#Predicate` that a store can answer.
protocol TranslatableNode {
  func translate(_ walker: inout FoundationTranslator) throws(PersistenceError) -> TranslatedTerm
}
