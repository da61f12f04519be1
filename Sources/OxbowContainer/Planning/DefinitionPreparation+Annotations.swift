extension DefinitionPreparation {
  /// A definition with what the annotations of its class and superclasses say.
  ///
  /// What the definition says goes first, then the class, then its superclasses.
  mutating func annotated(_ definition: ObjectDefinition) -> ObjectDefinition {
    guard let (name, component) = annotatedClass(of: definition) else { return definition }
    let assignments = annotations[name] ?? []
    var whole = definition
    guard let call = definition.initializer else {
      whole.properties = definition.properties.takingOver(assignments)
      return whole
    }
    // An initializer that the definition names takes the annotated arguments that it has; what
    // annotations say to other initializers is not meant.
    let labels = Set(call.method.labels)
    let given = Set(call.arguments.map(\.name))
    let properties = Set(classes.propertyNames(of: component))
    let isArgument = { (assignment: PropertyAssignment) in labels.contains(assignment.name) }
    whole.initializer?.arguments += assignments.filter {
      isArgument($0) && !given.contains($0.name)
    }
    whole.properties = definition.properties.takingOver(
      assignments.filter { !isArgument($0) && properties.contains($0.name) })
    return whole
  }

  /// The class of a definition, if annotations say something about its objects.
  mutating func annotatedClass(
    of definition: ObjectDefinition
  ) -> (name: String, component: ComponentDescriptor)? {
    guard definition.factoryComponent == nil, let name = definition.className,
      annotations[name]?.isEmpty != true, let component = classes.find(name)
    else { return nil }
    if annotations[name] == nil { annotations[name] = assignments(annotatedOn: component) }
    return annotations[name]?.isEmpty == true ? nil : (name, component)
  }

  /// What the class sets, then what its superclasses set as far as the class has it: the initializer
  /// that is annotated there need not be here.
  private func assignments(annotatedOn component: ComponentDescriptor) -> [PropertyAssignment] {
    let line = classes.line(of: component.type)
    guard line.contains(where: { !$0.annotations.assignments.isEmpty }) else { return [] }
    let names = Set(classes.propertyNames(of: component) + component.initializerLabels.joined())
    return line.reduce(into: component.annotations.assignments) { found, described in
      found = found.takingOver(described.annotations.assignments.filter { names.contains($0.name) })
    }
  }
}

extension DefinitionPreparation {
  /// Defines classes that a place asks for by type, that nothing defines, and that ask by type themselves,
  /// until there is none.
  mutating func defineWanted(by drafts: inout BindingPlanner, _ types: TypeIndex) {
    while true {
      let before = prepared.count
      let wanted = TypeResolution.undefinedClasses(drafts.bindings, index: types, classes)
      for (component, dependency) in wanted {
        let definition = component.annotatedDefinition(named: nil, at: dependency.location)
        guard !isTaken(definition.name) else { continue }
        define(SharedDefinition(definition))
      }
      guard prepared.count > before else { return }
      drafts.add(prepared[before...])
    }
  }

  private mutating func isTaken(_ name: String) -> Bool {
    prepared.contains { $0.content.name == name } || named[name] != nil
  }
}
