internal import OxbowDocuments

/// Completes definitions from files before they are planned.
///
/// In this order: what a parent has; the names of class, scope and factory component; what the
/// annotations of the class say; what placeholders in texts mean; then each definition in
/// place becomes one of its own, under a hidden name.
struct DefinitionPreparation {
  let classes: ClassRegistry
  let placeholders: Placeholders
  /// The texts that placeholders made and that messages must not quote.
  let hiddenTexts = HiddenTexts()
  private var definitions: [Definition] = []
  /// What parents have; most containers need none.
  private lazy var inheritance = Inheritance(definitions.lazy.compactMap(\.object))
  var problems: [ContainerError.Problem] = []
  /// The names of definitions that cannot be planned because something is wrong with them.
  private(set) var failed: Set<String> = []
  /// The names of definitions that make no object.
  private(set) var abstract: Set<String> = []
  private(set) var prepared: [Definition] = []
  private var namesInPlace: Set<String> = []
  /// The definitions of classes that nothing defines and that somebody asks for.
  private(set) var classesAskedFor: [Definition] = []
  /// What annotations set, by the name of a class as definitions write it.
  var annotations: [String: [PropertyAssignment]] = [:]

  init(_ input: PlanInput) {
    classes = input.classes
    placeholders = input.placeholders
  }

  mutating func prepare(_ definitions: [Definition]) {
    self.definitions = definitions
    prepared.reserveCapacity(definitions.count)
    for definition in definitions { prepare(definition) }
  }

  /// Adds the definition of a class that somebody asks for, unless its name is taken.
  mutating func define(_ object: ObjectDefinition) {
    let isTaken =
      prepared.contains { $0.name == object.name }
      || definitions.contains { $0.object?.name == object.name }
    guard !isTaken else { return }
    let definition = Definition(.object(object))
    classesAskedFor.append(definition)
    prepare(definition)
  }

  private mutating func prepare(_ definition: Definition) {
    switch definition.content {
    case .alias: break
    case .binding: prepared.append(definition)
    case .object(let object):
      // Most definitions are as they should be.
      if isComplete(object) { return prepared.append(definition) }
      prepare(object, number: definition.number)
    }
  }

  private mutating func isComplete(_ object: ObjectDefinition) -> Bool {
    object.parent == nil && !object.isAbstract && !object.holds { $0.isUnfinished }
      && !object.hasPlaceholderNames && annotatedClass(of: object) == nil
  }

  mutating func prepare(_ object: ObjectDefinition, number: Int?) {
    guard let inherited = inherited(object),
      let named = replacingNames(inherited, isAbstract: object.isAbstract)
    else {
      failed.insert(object.name)
      return
    }
    guard !object.isAbstract else {
      abstract.insert(object.name)
      return
    }
    var result = annotated(named)
    if result.holds(where: { $0.isUnfinished }) {
      result = result.mapContents { content, site in
        takingOutDefinition(
          replacingTexts(content, at: site, in: object.name), at: site, in: object.name)
      }
    }
    prepared.append(Definition(.object(result), number: number))
  }

  // MARK: - Parents

  /// A definition with what its parents have; nil when that is a problem.
  private mutating func inherited(_ object: ObjectDefinition) -> ObjectDefinition? {
    guard object.parent != nil else { return object }
    let inheritance = inheritance
    if case .complete(let whole) = inheritance.outcome(of: object) { return whole }
    let problem = inheritance.problem(
      of: object,
      isInCode: { name in definitions.contains { $0.name == name && $0.object == nil } },
      near: { nearNames(to: $0, among: inheritance.names) })
    if let problem { problems.append(problem) }
    return nil
  }

  // MARK: - Names

  /// A definition whose class, scope and factory component are names; nil when that is a problem.
  ///
  /// An abstract definition is left as it is: the definition that takes over its parts replaces the
  /// placeholders.
  private mutating func replacingNames(
    _ object: ObjectDefinition, isAbstract: Bool
  ) -> ObjectDefinition? {
    guard object.hasPlaceholderNames, !isAbstract else { return object }
    let owner = "object \"\(object.name)\""
    var result = object
    result.className = object.className.map {
      expand($0, of: "\(owner), class", at: object.classLocation, isName: true)
    }
    result.factoryComponent = object.factoryComponent.map {
      expand($0, of: "\(owner), factory component", at: object.location, isName: true)
    }
    result.scope = expand(object.scope, of: "\(owner), scope", at: object.location, isName: true)
    let names = [result.className, result.factoryComponent, result.scope]
    return names.contains(PlaceholderText.unresolved) ? nil : result
  }
}

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

  /// What the class sets, then what its superclasses set as far as the class has it: the
  /// initializer that is annotated there need not be here.
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
  /// A text or name with the values of its placeholders; any other content as it is.
  mutating func replacingTexts(
    _ content: InjectedContent, at site: InjectionSite, in owner: String
  ) -> InjectedContent {
    let isName = if case .reference = content { true } else { false }
    return content.mapText { text in
      guard text.mayHavePlaceholders else { return text }
      return expand(text, of: site.text(in: owner), at: site.valueLocation, isName: isName)
    }
  }

  /// A reference in place of a definition in place, which gets a hidden name; any other content as
  /// it is.
  ///
  /// Its object belongs to the injection point: each injection has a new one, whatever the
  /// scope.
  mutating func takingOutDefinition(
    _ content: InjectedContent, at site: InjectionSite, in owner: String
  ) -> InjectedContent {
    guard case .definition(var inner) = content else { return content }
    inner.name = HiddenName.inPlace("\(owner).\(site.path.name)")
    // Names and paths have points: two of them together may read like two others.
    while !namesInPlace.insert(inner.name).inserted { inner.name = HiddenName.inPlace(inner.name) }
    inner.scope = "prototype"
    prepare(inner, number: nil)
    return .reference(inner.name)
  }

  /// A text with the values of its placeholders; a mark where that is a problem.
  mutating func expand(
    _ text: String, of owner: @autoclosure () -> String, at location: SourceLocation?,
    isName: Bool
  ) -> String {
    do throws(PlaceholderText.Failure) {
      let expanded = try PlaceholderText(placeholders: placeholders).expand(text)
      guard isName else {
        hiddenTexts.add(expanded)
        return expanded.text
      }
      guard expanded.isSecret else { return expanded.text }
      problems.append(.secretName(text, site: owner()).at(location))
    } catch {
      problems.append(
        .placeholder(error, in: text, site: owner(), placeholders).at(location))
    }
    return PlaceholderText.unresolved
  }
}
