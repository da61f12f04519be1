internal import OxbowDocuments

/// An entry of a builder on its way to a binding.
struct PreparedEntry {
  /// The entry's place in the builder; nil for what was added since.
  let number: Int?
  let content: PlanEntry
}

/// Completes definitions from files before they become bindings.
///
/// In this order: what a parent lends, what the annotations of the class say, what the placeholders in
/// texts stand for; then each definition in place becomes one of its own, under a hidden name.
struct DefinitionPreparation {
  let classes: ClassRegistry
  let placeholders: Placeholders
  private let entries: [PreparedEntry]
  /// The definitions by name, to find parents; most containers need none.
  lazy var named: [String: ObjectDefinition] = Dictionary(
    entries.compactMap(\.content.definition).map { ($0.name, $0) },
    uniquingKeysWith: { first, _ in first })
  /// What parents lend.
  lazy var heritage: Heritage = Heritage(named)
  var problems: [ContainerError.Problem] = []
  /// The names of definitions that are not drafted because something is wrong with them.
  private(set) var failed: Set<String> = []
  /// The names of definitions that make no object.
  private(set) var abstract: Set<String> = []
  private(set) var prepared: [PreparedEntry] = []
  /// The definitions of classes that nothing defines and that places ask for.
  private(set) var wanted: [PlanEntry] = []
  /// What annotations set, by the name of a class as definitions write it.
  var annotations: [String: [PropertyAssignment]] = [:]

  init(_ entries: [PreparedEntry], classes: ClassRegistry, placeholders: Placeholders) {
    self.entries = entries
    self.classes = classes
    self.placeholders = placeholders
  }

  /// Prepares all entries.
  mutating func run() {
    prepared.reserveCapacity(entries.count)
    for entry in entries { prepare(entry) }
  }

  /// Whether a name belongs to a definition in Swift.
  func isInCode(_ name: String) -> Bool {
    entries.contains { $0.content.name == name && $0.content.definition == nil }
  }

  /// Adds a definition that no entry has.
  mutating func define(_ wanted: SharedDefinition) {
    self.wanted.append(.definition(wanted))
    prepare(PreparedEntry(number: nil, content: .definition(wanted)))
  }

  mutating func prepare(_ entry: PreparedEntry) {
    switch entry.content {
    case .alias: break
    case .binding: prepared.append(entry)
    case .definition(let shared):
      // Most definitions are as they should be.
      if isComplete(shared.definition) { return prepared.append(entry) }
      prepare(shared.definition, number: entry.number)
    }
  }

  private mutating func isComplete(_ definition: ObjectDefinition) -> Bool {
    definition.parent == nil && !definition.isAbstract
      && !definition.holds { $0.hasPlaceholders || $0.hasDefinitions }
      && !definition.hasPlaceholderNames && annotatedClass(of: definition) == nil
  }

  private mutating func prepare(_ definition: ObjectDefinition, number: Int?) {
    guard let lent = inherited(definition),
      let whole = named(lent, isAbstract: definition.isAbstract)
    else {
      failed.insert(definition.name)
      return
    }
    guard !definition.isAbstract else {
      abstract.insert(definition.name)
      return
    }
    var result = annotated(whole)
    if result.holds(where: { $0.hasPlaceholders }) {
      result = result.mapContents { content, place in expand(content, at: place) }
    }
    if result.holds(where: { $0.hasDefinitions }) {
      result = result.mapContents { content, place in takeOut(content, at: place) }
    }
    prepared.append(PreparedEntry(number: number, content: .definition(SharedDefinition(result))))
  }

  // MARK: - Names

  /// A definition whose class, scope and factory component are names; nil when that is a problem.
  ///
  /// An abstract definition is left as it is: whoever takes over its parts replaces the placeholders.
  private mutating func named(
    _ definition: ObjectDefinition, isAbstract: Bool
  ) -> ObjectDefinition? {
    guard definition.hasPlaceholderNames, !isAbstract else { return definition }
    var result = definition
    let place = "object \"\(definition.name)\""
    result.className = definition.className.map {
      expand($0, place: "\(place), class", at: definition.classLocation)
    }
    result.factoryComponent = definition.factoryComponent.map {
      expand($0, place: "\(place), factory component", at: definition.location)
    }
    result.scope = expand(definition.scope, place: "\(place), scope", at: definition.location)
    let names = [result.className, result.factoryComponent, result.scope]
    return names.contains(PlaceholderText.unresolved) ? nil : result
  }

  private mutating func expand(
    _ text: String, place: String, at location: SourceLocation?
  ) -> String {
    do throws(PlaceholderText.Failure) {
      return try PlaceholderText(placeholders: placeholders).expand(text)
    } catch {
      report(error, in: text, place: place, at: location)
      return PlaceholderText.unresolved
    }
  }

  // MARK: - Texts

  private mutating func expand(
    _ content: InjectedContent, at place: ContentPlace
  ) -> InjectedContent {
    content.mapTexts { text, location in
      expand(text, place: place.text, at: location ?? place.location)
    }
  }

  private mutating func report(
    _ fault: PlaceholderText.Failure, in text: String, place: String, at location: SourceLocation?
  ) {
    switch fault {
    case .unknownKey(let key):
      problems.append(
        .unknownPlaceholder(
          key, place: place, at: location, near: nearNames(to: key, among: placeholders.keys)))
    case .circle(let keys): problems.append(.placeholderCircle(keys, place: place, at: location))
    case .unclosed: problems.append(.unclosedPlaceholder(text, place: place, at: location))
    case .tooDeep, .tooLong:
      problems.append(
        .placeholderLimit(
          isDepth: fault == .tooDeep,
          fault == .tooDeep ? PlaceholderText.deepest : PlaceholderText.longest,
          place: place, at: location))
    }
  }

  // MARK: - Definitions in place

  /// Gives a definition in place a hidden name and refers to that.
  ///
  /// Its object belongs to the place: whoever has the place made has a new one, whatever the scope.
  private mutating func takeOut(
    _ content: InjectedContent, at place: ContentPlace
  ) -> InjectedContent {
    content.mapDefinitions(path: place.path) { definition, path in
      var inner = definition
      inner.name = HiddenName.inPlace(path)
      inner.scope = "prototype"
      prepare(inner, number: nil)
      return inner.name
    }
  }
}
