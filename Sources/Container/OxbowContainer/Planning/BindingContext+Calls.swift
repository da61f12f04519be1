internal import OxbowDocuments

extension BindingContext {
  /// The initializer or method that makes an object, and its arguments in the order of the
  /// parameters.
  struct Call {
    struct Argument {
      let assignment: PropertyAssignment
      /// The name of the parameter.
      let label: String
      /// Whether a property of the definition is the argument.
      let isProperty: Bool
    }

    /// The number of the initializer or method among those of the class.
    let number: Int
    let arguments: [Argument]

    var takesProperties: Bool { arguments.contains { $0.isProperty } }

    /// The properties that are left to be set.
    func rest(of properties: [PropertyAssignment]) -> [PropertyAssignment] {
      guard takesProperties else { return properties }
      let used = Set(arguments.lazy.filter(\.isProperty).map(\.label))
      return properties.filter { !used.contains($0.name) }
    }
  }
}

extension BindingContext {
  /// The planned values of a call's arguments.
  func values(of call: Call, for shape: AnyComponent.Call) -> [InjectionValue] {
    zip(call.arguments, shape.points).compactMap { argument, point in
      let path: InjectionSite.Path =
        argument.isProperty ? .property(argument.label) : .argument(argument.label)
      return value(
        of: argument.assignment.content, for: point, when: .construction,
        at: InjectionSite(path, of: argument.assignment))
    }
  }

  /// The initializer that the definition names, or the one that uses most of its properties.
  func chooseInitializer(of component: AnyComponent) -> Call? {
    guard let call = definition.initializer else { return implicitCall(of: component) }
    guard let number = candidates(for: call, of: component).first else {
      reportWrongLabels(call, component)
      return nil
    }
    return bind(call, to: number, component.initializers[number])
  }

  /// The method that the definition names.
  func chooseMethod(of component: AnyComponent) -> Call? {
    guard let call = definition.initializer,
      let number = component.methods.firstIndex(where: { call.method.means($0.name, $0.labels) })
    else { return nil }
    return bind(call, to: number, component.methods[number])
  }

  private func candidates(for call: InitializerCall, of component: AnyComponent) -> [Int] {
    let initializers = component.initializers
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

  private func reportWrongLabels(_ call: InitializerCall, _ component: AnyComponent) {
    report(
      .noSuchInitializer(
        call.method.description, of: definition.name, className: component.name,
        choices: component.initializers.map { $0.spelling },
        near: nearNames(
          to: MethodName(call.method.base, labels: call.method.labels).description,
          among: component.initializers.map { $0.methodName.description }),
        base: classes.undescribedBase(of: component.type)
      ).at(call.location ?? definition.classLocation))
  }

  // MARK: - Arguments

  /// The arguments in the order of a method's parameters; nil when that is a problem.
  ///
  /// A parameter without an argument takes the property of its name, or nil where it can be nil.
  private func bind(_ call: InitializerCall, to number: Int, _ shape: AnyComponent.Call) -> Call? {
    let labels = shape.labels
    var bound = [Call.Argument?](repeating: nil, count: labels.count)
    var isWhole = true
    for argument in call.arguments {
      guard let index = index(of: argument.name, in: call, labels) else {
        reportUnknownArgument(argument, of: call, labels: labels)
        isWhole = false
        continue
      }
      if bound[index] != nil {
        report(
          .repeatedArgument(argument.name, of: definition.name)
            .at(argument.location ?? call.location))
        isWhole = false
      }
      bound[index] = Call.Argument(assignment: argument, label: labels[index], isProperty: false)
    }
    for (index, label) in labels.enumerated() where bound[index] == nil {
      bound[index] = argument(number: index, of: shape)
      guard bound[index] == nil else { continue }
      report(
        .missingArgument(
          label, of: definition.name, method: call.method.description, labels: labels
        ).at(call.location ?? definition.location))
      isWhole = false
    }
    return isWhole ? Call(number: number, arguments: bound.compactMap(\.self)) : nil
  }

  private func index(of name: String, in call: InitializerCall, _ labels: [String]) -> Int? {
    labels.firstIndex(of: name) ?? call.method.labels.firstIndex(of: name)
  }

  /// The property that is an argument, or nil for a parameter that can be nil.
  private func argument(number: Int, of shape: AnyComponent.Call) -> Call.Argument? {
    let label = shape.labels[number]
    if let property = definition.property(label) {
      return Call.Argument(assignment: property, label: label, isProperty: true)
    }
    guard shape.points[number].canBeNil else { return nil }
    return Call.Argument(
      assignment: PropertyAssignment(label, to: .null), label: label, isProperty: false)
  }

  private func reportUnknownArgument(
    _ argument: PropertyAssignment, of call: InitializerCall, labels: [String]
  ) {
    report(
      .unknownArgument(
        argument.name, of: definition.name, method: call.method.description, labels: labels
      ).at(argument.location ?? call.location))
  }

  // MARK: - Properties as arguments

  /// The initializer that uses most of the properties, among those that need no others.
  private func implicitCall(of component: AnyComponent) -> Call? {
    guard let best = mostArguments(of: component) else {
      reportNoInitializer(of: component)
      return nil
    }
    let shape = component.initializers[best]
    return Call(
      number: best, arguments: shape.labels.indices.compactMap { argument(number: $0, of: shape) })
  }

  /// Of those that use the same properties the one that is given fewest arguments that are nil.
  private func mostArguments(of component: AnyComponent) -> Int? {
    var best: (number: Int, used: Int, left: Int)?
    for (number, initializer) in component.initializers.enumerated()
    where initializer.isInitializer {
      guard let (used, left) = use(of: initializer) else { continue }
      if let best, (best.used, -best.left) >= (used, -left) { continue }
      best = (number, used, left)
    }
    return best?.number
  }

  /// How many parameters of an initializer are properties, and how many are nil; nil where one is
  /// neither.
  private func use(of initializer: AnyComponent.Call) -> (used: Int, left: Int)? {
    var used = 0
    for (number, label) in initializer.labels.enumerated() {
      if definition.property(label) != nil {
        used += 1
      } else if !initializer.points[number].canBeNil {
        return nil
      }
    }
    return (used, initializer.labels.count - used)
  }

  private func reportNoInitializer(of component: AnyComponent) {
    let known = knownNames(of: component)
    for property in definition.properties
    where !known.contains(String(Substring(property.name).firstStep.head)) {
      reportUnknownProperty(property, of: component, known: known)
    }
    report(
      .noInitializer(
        of: definition.name, className: component.name, given: definition.properties.map(\.name),
        choices: component.initializers.filter { $0.isInitializer }.map { $0.spelling },
        base: classes.undescribedBase(of: component.type)
      ).at(definition.classLocation))
  }
}
