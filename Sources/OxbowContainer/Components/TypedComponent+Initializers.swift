internal import OxbowDocuments

/// How an object of a class is constructed for one definition.
struct InitializerChoice<Owner> {
  let initializer: InitializerDescriptor<Owner>
  let call: BoundCall
}

extension TypedComponent {
  /// The initializer that the definition names, or the one that uses most of its properties.
  func chooseInitializer(in context: BlueprintContext) -> InitializerChoice<Owner>? {
    guard let call = context.definition.initializer else { return implicitChoice(in: context) }
    let found = candidates(for: call)
    guard let initializer = found.first else {
      reportWrongLabels(call, in: context)
      return nil
    }
    return call.bind(to: initializer.labels, in: context).map {
      InitializerChoice(initializer: initializer, call: $0)
    }
  }

  private func candidates(for call: InitializerCall) -> [InitializerDescriptor<Owner>] {
    let initializers = initializers.filter { $0.isInitializer && call.method.means($0.labels) }
    let statics = self.initializers.filter {
      !$0.isInitializer && call.method.means($0.name, $0.labels)
    }
    // Swift imports static methods with arguments as initializers, and files do not know.
    let imported = call.method.labels.isEmpty ? [] : initializers
    switch call.isStatic ?? !call.method.isInitializer {
    case true: return statics + imported
    case false where call.method.isInitializer: return initializers
    case false: return imported
    }
  }

  private func reportWrongLabels(_ call: InitializerCall, in context: BlueprintContext) {
    let choices = initializers.map(\.spelling)
    context.report(
      .noSuchInitializer(
        call.method.description, of: context.definition.name, className: name,
        at: call.location ?? context.definition.classLocation, choices: choices,
        near: nearNames(
          to: MethodName(call.method.base, labels: call.method.labels).description,
          among: initializers.map { MethodName($0.name, labels: $0.labels).description })))
  }

  // MARK: - Properties as arguments

  /// The initializer that uses most of the properties, among those whose labels are all there.
  private func implicitChoice(in context: BlueprintContext) -> InitializerChoice<Owner>? {
    let definition = context.definition
    guard let best = mostArguments(in: definition) else {
      let all = initializers.filter { $0.isInitializer }
      reportUnknownNames(in: context)
      context.report(
        .noInitializer(
          of: definition.name, className: name, at: definition.classLocation,
          given: definition.properties.map(\.name), choices: all.map { $0.spelling }))
      return nil
    }
    let labels = initializerLabels[best]
    let arguments = labels.compactMap { label in
      definition.property(label).map {
        BoundArgument(assignment: $0, label: label, isProperty: true)
      }
    }
    return InitializerChoice(
      initializer: initializers[best], call: BoundCall(arguments: arguments, used: Set(labels)))
  }

  private func mostArguments(in definition: ObjectDefinition) -> Int? {
    var best: Int?
    for (number, labels) in initializerLabels.enumerated()
    where initializers[number].isInitializer && labels.allSatisfy(definition.sets) {
      if let before = best, initializerLabels[before].count >= labels.count { continue }
      best = number
    }
    return best
  }
}

extension ObjectDefinition {
  fileprivate func sets(_ name: String) -> Bool { properties.contains { $0.name == name } }
}

extension InitializerDescriptor {
  /// Whether it is an initializer and no static method.
  var isInitializer: Bool { name == "init" }

  /// How it is written in Swift.
  var spelling: String {
    let call = "\(name)(" + labels.map { "\($0):" }.joined() + ")"
    return isInitializer ? call : "static \(call)"
  }
}
