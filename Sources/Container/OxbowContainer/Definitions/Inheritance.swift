/// What definitions take over from their parents, each worked out once.
///
/// The only one that follows parents: preparation, graphs of files and the check of files ask it.
package final class Inheritance {
  /// A definition with what its parents have, or why there is none.
  package enum Outcome {
    case complete(ObjectDefinition)
    /// The nearest parent that does not exist, and whose it is.
    case missing(parent: String, of: ObjectDefinition)
    /// The names of parents that lead to each other, the first again at the end.
    case circle([String])
  }

  private let named: [String: ObjectDefinition]
  private var known: [String: Outcome] = [:]

  /// Follows the parents of definitions; of those with one name the first counts.
  package init(_ definitions: some Sequence<ObjectDefinition>) {
    named = Dictionary(definitions.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// The names of the definitions.
  var names: Dictionary<String, ObjectDefinition>.Keys { named.keys }

  /// What becomes of a definition that has a parent or none.
  package func outcome(of definition: ObjectDefinition) -> Outcome {
    guard let parent = definition.parent else { return .complete(definition) }
    var path = [definition]
    var positions = [definition.name: 0]
    var next = parent
    // Up to what is known, then down again.
    var outcome: Outcome?
    while outcome == nil {
      if let found = known[next] {
        outcome = found
      } else if let position = positions[next] {
        outcome = .circle(path[position...].map(\.name) + [next])
      } else if let ancestor = named[next] {
        positions[next] = path.count
        path.append(ancestor)
        if let parent = ancestor.parent { next = parent } else { outcome = finish(&path) }
      } else {
        outcome = .missing(parent: next, of: path[path.count - 1])
      }
    }
    return outcome.map { passOn($0, to: path) } ?? .complete(definition)
  }

  /// The definition with what its parents have, where these are known and end; else as it is.
  func complete(_ definition: ObjectDefinition) -> ObjectDefinition {
    if case .complete(let whole) = outcome(of: definition) { return whole }
    return definition
  }

  /// The last of a path, which has no parent.
  private func finish(_ path: inout [ObjectDefinition]) -> Outcome? {
    path.popLast().map { last in
      known[last.name] = .complete(last)
      return .complete(last)
    }
  }

  /// Hands what the last one's parent has become to each on the way down.
  private func passOn(_ inherited: Outcome, to path: [ObjectDefinition]) -> Outcome {
    var outcome = inherited
    for definition in path.reversed() {
      if case .complete(let parent) = outcome { outcome = .complete(definition.takingOver(parent)) }
      // A definition in place is not a parent.
      if named[definition.name] != nil { known[definition.name] = outcome }
    }
    return outcome
  }
}

extension Inheritance {
  /// What is wrong with the parents of a definition; nil also where another definition reports it.
  ///
  /// A definition in Swift cannot be a parent; `isInCode` says whether a name is that of one.
  package func problem(
    of definition: ObjectDefinition, isInCode: (String) -> Bool, near: (String) -> [String]
  ) -> ContainerError.Problem? {
    switch outcome(of: definition) {
    case .complete: return nil
    case .missing(let parent, let heir):
      // The others of its heirs have nothing else to say.
      guard heir.name == definition.name else { return nil }
      return .missingParent(
        parent, of: definition.name, isInCode: isInCode(parent), near: near(parent)
      ).at(definition.location)
    case .circle(let path):
      // The member whose name comes first reports the circle, for all.
      let members = path.dropLast()
      guard members.min() == definition.name, let start = members.firstIndex(of: definition.name)
      else { return nil }
      return .cyclicParents(Array(members[start...] + members[..<start]) + [definition.name])
        .at(definition.location)
    }
  }
}

extension ObjectDefinition {
  /// This definition with what a parent has.
  func takingOver(_ parent: ObjectDefinition) -> ObjectDefinition {
    var whole = self
    if className == nil {
      whole.className = parent.className
      whole.classLocation = parent.classLocation ?? classLocation
    }
    if initializer == nil {
      whole.initializer = parent.initializer
      whole.factoryComponent = factoryComponent ?? parent.factoryComponent
    }
    whole.properties = properties.takingOver(parent.properties)
    if let inherited = parent.product {
      whole.product = ProductDefinition(
        class: product?.className ?? inherited.className,
        properties: (product?.properties ?? []).takingOver(inherited.properties),
        at: product?.location ?? inherited.location)
    }
    return whole
  }
}

extension [PropertyAssignment] {
  /// Another list's assignments, then these; of the others only those of names that are not here.
  func takingOver(_ others: [PropertyAssignment]) -> [PropertyAssignment] {
    if others.isEmpty { return self }
    let own = Set(map(\.name))
    return others.filter { !own.contains($0.name) } + self
  }
}
