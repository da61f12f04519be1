internal import OxbowDocuments

/// One argument of a call, at its place among the parameters.
package struct BoundArgument: Sendable {
  package let assignment: PropertyAssignment
  /// The name of the parameter.
  package let label: String
  /// Whether a property of the definition is the argument.
  package let isProperty: Bool

  /// Where it goes, for messages.
  var role: Dependency.Role { isProperty ? .property(label) : .argument(label) }
}

/// A call whose arguments have their places.
package struct BoundCall {
  package let arguments: [BoundArgument]
  /// The names of the properties that are arguments, and therefore not set.
  package let used: Set<String>

  /// A call without arguments.
  static var plain: BoundCall { BoundCall(arguments: [], used: []) }

  /// The properties that are left to be set.
  package func rest(of properties: [PropertyAssignment]) -> [PropertyAssignment] {
    used.isEmpty ? properties : properties.filter { !used.contains($0.name) }
  }
}

extension MethodName {
  /// Whether a method of a base and labels is meant.
  package func means(_ base: String, _ labels: [String]) -> Bool {
    self.base == base && means(labels)
  }

  /// Whether labels are meant; a selector says `uRL` where Swift says `url`.
  package func means(_ labels: [String]) -> Bool {
    guard labels.count == self.labels.count else { return false }
    // A selector without "With" says base and first label in one word.
    let rest = zip(self.labels, labels).dropFirst(isOneWord ? 1 : 0)
    return rest.allSatisfy { $0 == $1 || $0.lowercased() == $1.lowercased() }
  }

  private var isOneWord: Bool {
    !isInitializer && labels.first?.lowercased() == base.lowercased()
  }
}

extension InitializerCall {
  /// The call's arguments at the places of a method's parameters; nil when that is a problem.
  ///
  /// A parameter without an argument takes the property of its name.
  func bind(to labels: [String], in context: BindingContext) -> BoundCall? {
    var bound = [PropertyAssignment?](repeating: nil, count: labels.count)
    var isFaulty = false
    for argument in arguments {
      guard let place = position(of: argument.name, among: labels) else {
        context.reportUnknownArgument(argument, of: self, labels: labels)
        isFaulty = true
        continue
      }
      if bound[place] != nil {
        context.report(
          .repeatedArgument(
            argument.name, of: context.definition.name, at: argument.location ?? location))
        isFaulty = true
      }
      bound[place] = argument
    }
    let used = takeProperties(for: labels, into: &bound, from: context.definition.properties)
    for (place, label) in labels.enumerated() where bound[place] == nil {
      context.report(
        .missingArgument(
          label, of: context.definition.name, method: method.description, labels: labels,
          at: location ?? context.definition.location))
      isFaulty = true
    }
    guard !isFaulty else { return nil }
    let all = zip(labels, bound.compactMap(\.self)).map { label, assignment in
      BoundArgument(assignment: assignment, label: label, isProperty: used.contains(label))
    }
    return BoundCall(arguments: all, used: used)
  }

  private func position(of name: String, among labels: [String]) -> Int? {
    labels.firstIndex(of: name) ?? method.labels.firstIndex(of: name)
  }

  private func takeProperties(
    for labels: [String], into bound: inout [PropertyAssignment?],
    from properties: [PropertyAssignment]
  ) -> Set<String> {
    var used: Set<String> = []
    for (place, label) in labels.enumerated() where bound[place] == nil {
      guard let property = properties.first(where: { $0.name == label }) else { continue }
      bound[place] = property
      used.insert(label)
    }
    return used
  }
}
