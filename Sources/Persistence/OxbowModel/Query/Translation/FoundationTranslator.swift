internal import OxbowFoundation

/// Walks a `#Predicate` and builds a ``FetchPredicate``.
///
/// A variable is the fetched object, a member of a to-many relationship inside a closure about it,
/// the value of an optional chain, or one of a list of constants.
struct FoundationTranslator {
  private struct Binding {
    let variable: PredicateExpressions.VariableID
    let term: TranslatedTerm
    let level: Int
  }

  /// A predicate has few variables.
  private var bindings: [Binding] = []

  /// How many closures about members surround the present expression.
  private var level = 0

  mutating func bind(_ variable: PredicateExpressions.VariableID, to term: TranslatedTerm) {
    let binding = Binding(variable: variable, term: term, level: level)
    if let place = place(of: variable) {
      bindings[place] = binding
    } else {
      bindings.append(binding)
    }
  }

  private func place(of variable: PredicateExpressions.VariableID) -> Int? {
    bindings.firstIndex { $0.variable == variable }
  }

  /// Translates a node, or says which kind of node a store cannot answer.
  ///
  /// The node's type is cast, and not the node, which takes three times as long.
  mutating func translate<Node: PredicateExpression>(
    _ node: Node
  ) throws(PersistenceError) -> TranslatedTerm {
    guard let type = Node.self as? any TranslatableNode.Type else {
      let name = String(describing: Node.self).prefix { $0 != "<" }
      throw PersistenceError(
        .unsupported, "a #Predicate with '\(name)' cannot be answered by a store")
    }
    return try translate(node, type)
  }

  private mutating func translate<Node, Known: TranslatableNode>(
    _ node: Node, _ type: Known.Type
  ) throws(PersistenceError) -> TranslatedTerm {
    // `Known` is `Node`.
    try unsafeBitCast(node, to: type).translate(&self)
  }

  mutating func expression(_ node: some PredicateExpression) throws(PersistenceError)
    -> FetchExpression
  {
    try translate(node).expression()
  }

  mutating func condition(_ node: some PredicateExpression) throws(PersistenceError)
    -> FetchPredicate
  {
    try translate(node).condition()
  }

  func term(
    of variable: PredicateExpressions.VariableID
  ) throws(PersistenceError) -> TranslatedTerm {
    guard let binding = place(of: variable).map({ bindings[$0] }) else {
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
    _ variable: PredicateExpressions.VariableID, _ node: some PredicateExpression
  ) throws(PersistenceError) -> FetchPredicate {
    level += 1
    defer { level -= 1 }
    bind(variable, to: .object([]))
    return try condition(node)
  }

  /// Translates a closure once for each constant of a list.
  mutating func conditions(
    _ variable: PredicateExpressions.VariableID, on values: [FetchValue],
    _ node: some PredicateExpression
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
