internal import OxbowDocuments

/// How an object of a class is constructed for one definition.
struct InitializerChoice {
  /// The number of the initializer among those of the class.
  let number: Int
  let call: BoundCall
}

extension AnyComponent {
  /// The initializer that the definition names, or the one that uses most of its properties.
  func chooseInitializer(in context: BindingContext) -> InitializerChoice? {
    guard let call = context.definition.initializer else { return implicitChoice(in: context) }
    guard let number = candidates(for: call).first else {
      reportWrongLabels(call, in: context)
      return nil
    }
    return call.bind(to: initializers[number].labels, in: context).map {
      InitializerChoice(number: number, call: $0)
    }
  }

  private func candidates(for call: InitializerCall) -> [Int] {
    let plain = initializers.indices.filter {
      initializers[$0].isInitializer && call.method.means(initializers[$0].labels)
    }
    let statics = initializers.indices.filter {
      !initializers[$0].isInitializer
        && call.method.means(initializers[$0].name, initializers[$0].labels)
    }
    // Swift imports static methods with arguments as initializers, and files do not know.
    let imported = call.method.labels.isEmpty ? [] : plain
    switch call.isStatic ?? !call.method.isInitializer {
    case true: return statics + imported
    case false where call.method.isInitializer: return plain
    case false: return imported
    }
  }

  private func reportWrongLabels(_ call: InitializerCall, in context: BindingContext) {
    context.report(
      .noSuchInitializer(
        call.method.description, of: context.definition.name, className: name,
        at: call.location ?? context.definition.classLocation,
        choices: initializers.map { $0.spelling },
        near: nearNames(
          to: MethodName(call.method.base, labels: call.method.labels).description,
          among: initializers.map { $0.methodName.description })))
  }

  // MARK: - Properties as arguments

  /// The initializer that uses most of the properties, among those whose labels are all there.
  private func implicitChoice(in context: BindingContext) -> InitializerChoice? {
    let properties = context.definition.properties
    guard let best = mostArguments(among: properties) else {
      reportNoInitializer(in: context)
      return nil
    }
    let labels = initializers[best].labels
    guard !labels.isEmpty else { return InitializerChoice(number: best, call: .plain) }
    let arguments = labels.compactMap { label in
      properties.first { $0.name == label }.map {
        BoundArgument(assignment: $0, label: label, isProperty: true)
      }
    }
    return InitializerChoice(
      number: best, call: BoundCall(arguments: arguments, used: Set(labels)))
  }

  private func mostArguments(among properties: [PropertyAssignment]) -> Int? {
    var best: Int?
    for (number, initializer) in initializers.enumerated() where initializer.isInitializer {
      let labels = initializer.labels
      if let before = best, initializers[before].labels.count >= labels.count { continue }
      let isComplete = labels.allSatisfy { label in properties.contains { $0.name == label } }
      if isComplete { best = number }
    }
    return best
  }

  private func reportNoInitializer(in context: BindingContext) {
    let definition = context.definition
    reportUnknownNames(in: context)
    context.report(
      .noInitializer(
        of: definition.name, className: name, at: definition.classLocation,
        given: definition.properties.map(\.name),
        choices: initializers.filter { $0.isInitializer }.map { $0.spelling }))
  }
}
