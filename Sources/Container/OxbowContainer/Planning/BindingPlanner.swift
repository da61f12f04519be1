internal import OxbowDocuments

/// Plans the bindings of prepared definitions: first those that name their class, then those whose
/// type follows from another one's.
struct BindingPlanner {
  let classes: ClassRegistry
  private let values: ValueConverters
  private let hiddenTexts: HiddenTexts
  /// The names to which the other names of objects lead in the end.
  let aliases: [String: String]
  private(set) var bindings: [AnyBinding] = []
  /// For each definition of the builder the number of its binding; nil where it has none.
  private(set) var numbers: [Int?]
  var problems: [ContainerError.Problem] = []
  /// Where something is wrong with parts of definitions.
  private var places: Set<Place> = []
  /// The names of definitions whose problems are reported already.
  private(set) var failed: Set<String>
  /// The bindings by name, as far as somebody has asked.
  private var byName: [String: AnyBinding] = [:]
  private var indexed = 0
  /// The classes by the names that definitions have for them.
  private var components: [String: AnyComponent] = [:]

  /// Creates a planner for the definitions of a builder, which has `count` of them.
  init(
    classes: ClassRegistry, values: ValueConverters, hiddenTexts: HiddenTexts,
    failed: Set<String>, aliases: [ObjectAlias], count: Int
  ) {
    numbers = Array(repeating: nil, count: count)
    self.classes = classes
    self.values = values
    self.hiddenTexts = hiddenTexts
    self.failed = failed
    let targets = Dictionary(
      aliases.map { ($0.name, $0.target) }, uniquingKeysWith: { first, _ in first })
    self.aliases = AliasEnds(targets).ends
  }

  /// The names of what makes objects.
  var names: Set<String> { Set(bindings.map(\.name)) }

  /// Plans classes that somebody asks for by type, that nothing defines, and that ask by type
  /// themselves, until there is none.
  mutating func planClasses(askedForIn types: TypeIndex, _ preparation: inout DefinitionPreparation)
  {
    while true {
      let before = preparation.prepared.count
      let wanted = TypeResolution.undefinedClasses(bindings, index: types, classes)
      for (component, dependency) in wanted {
        preparation.define(component.annotatedDefinition(named: nil, at: dependency.location))
      }
      guard preparation.prepared.count > before else { return }
      plan(preparation.prepared[before...])
    }
  }

  /// Plans definitions, each one after those from which its type follows.
  mutating func plan(_ definitions: ArraySlice<Definition>) {
    var waiting: [Waiting] = []
    for definition in definitions {
      switch definition.content {
      case .alias: break
      case .binding(let binding): add(binding, for: definition)
      case .object(let object):
        if let expansion = expansion(of: object) {
          waiting.append(Waiting(source: definition, definition: object, expansion: expansion))
        } else {
          add(binding(of: object), for: definition)
        }
      }
    }
    expand(waiting)
  }

  // MARK: - One definition

  /// The binding of a definition that names its class.
  private mutating func binding(of definition: ObjectDefinition) -> AnyBinding? {
    checkRepeats(definition)
    guard let scope = scope(of: definition), let component = component(of: definition)
    else { return nil }
    return binding(of: definition, in: scope, canBeLazy: true) { $1.binding(of: component) }
  }

  /// The scope that a definition names.
  mutating func scope(of definition: ObjectDefinition) -> (any Scope)? {
    if let scope = Scopes.named(definition.scope) { return scope }
    problems.append(
      .unknownScope(definition.scope, of: definition.name, known: Scopes.names)
        .at(definition.location))
    return nil
  }

  /// The class that a definition names.
  private mutating func component(of definition: ObjectDefinition) -> AnyComponent? {
    guard let className = definition.className else {
      problems.append(.noClass(definition.name).at(definition.location))
      return nil
    }
    if let known = components[className] { return known }
    let component = classes.component(
      named: className, of: definition.name, at: definition.classLocation,
      report: { problems.append($0) }
    )?.body
    components[className] = component
    return component
  }

  /// Whether a name is known to be that of a class.
  func isClass(_ name: String) -> Bool { components[name] != nil || classes.knows(name) }

  func context(
    _ definition: ObjectDefinition, named name: String, scope: any Scope
  ) -> BindingContext {
    BindingContext(
      definition, named: name, scope: scope, classes: classes, values: values,
      hiddenTexts: hiddenTexts)
  }

  // MARK: - Repeated properties

  mutating func checkRepeats(_ definition: ObjectDefinition) {
    let properties = definition.properties
    guard properties.count > 16 else {
      // So few that comparing each with each costs less than a set.
      for (index, property) in properties.enumerated()
      where properties[..<index].contains(where: { $0.name == property.name }) {
        report(repeated: property, of: definition)
      }
      return
    }
    var seen: Set<String> = []
    for property in properties where !seen.insert(property.name).inserted {
      report(repeated: property, of: definition)
    }
  }

  private mutating func report(
    repeated property: PropertyAssignment, of definition: ObjectDefinition
  ) {
    problems.append(.repeatedProperty(property.name, of: definition.name).at(property.location))
  }

  // MARK: - Parts of parents

  private struct Place: Hashable {
    let code: ContainerError.Code
    let location: SourceLocation
  }

  /// Reports what is wrong with the parts of a definition; of those that heirs take over from a
  /// parent, once for all.
  mutating func report(_ found: [ContainerError.Problem], of definition: ObjectDefinition) {
    var here: Set<Place> = []
    for problem in found {
      guard let location = problem.location, location != definition.location else {
        problems.append(problem)
        continue
      }
      let place = Place(code: problem.code, location: location)
      // One part may have several faults.
      here.insert(place)
      if definition.parent == nil || !places.contains(place) { problems.append(problem) }
    }
    places.formUnion(here)
  }

  // MARK: - Results

  /// Adds the binding of a definition; without one the definition has failed.
  mutating func add(_ binding: AnyBinding?, for definition: Definition) {
    guard let binding else { return fail(definition.name) }
    if let number = definition.number { numbers[number] = bindings.count }
    add(binding)
  }

  mutating func add(_ binding: AnyBinding) { bindings.append(binding) }

  mutating func fail(_ name: String) { failed.insert(name) }

  /// The bindings so far, by name.
  mutating func bindingsByName() -> [String: AnyBinding] {
    for binding in bindings[indexed...] { byName[binding.name] = binding }
    indexed = bindings.count
    return byName
  }
}
