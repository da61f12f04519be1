internal import OxbowContainer
internal import OxbowDocuments

/// Checks definitions against each other, without their classes.
struct StructureCheck {
  private var found = MarkupReport()
  private let definitions: NamedDefinitions
  /// The names of objects that no file defines.
  private let defined: Set<String>
  private let classNames: Set<String>
  private let inheritance: Inheritance
  private var budget = NearNamesBudget()

  init(_ all: [ObjectDefinition], aliases: [ObjectAlias] = [], defined: Set<String> = []) {
    self.defined = defined
    definitions = NamedDefinitions(all, aliases: aliases)
    classNames = all.reduce(into: []) { Self.addClasses(of: $1, to: &$0) }
    inheritance = Inheritance(all)
  }

  /// Adds the classes of a definition and of those in it, with and without their modules.
  private static func addClasses(of definition: ObjectDefinition, to names: inout Set<String>) {
    for name in [definition.className, definition.product?.className].compactMap(\.self) {
      names.formUnion([name, withoutModule(name)])
    }
    definition.visit { content, _ in
      if case .definition(let inner) = content { addClasses(of: inner, to: &names) }
    }
  }

  private static func withoutModule(_ name: String) -> String {
    name.lastIndex(of: ".").map { String(name[$0...].dropFirst()) } ?? name
  }

  /// The first thousand problems, and how many more there are.
  var problems: [ContainerError.Problem] { found.problems }

  mutating func add(_ more: [ContainerError.Problem]) {
    for problem in more { add(problem) }
  }

  private mutating func add(_ problem: ContainerError.Problem) { found.report(problem) }

  // MARK: - Definitions

  /// Checks a definition, or one in place at a path of another one.
  mutating func check(_ definition: ObjectDefinition, under outer: InjectionSite.Path? = nil) {
    checkScope(definition)
    checkParent(definition)
    if let factory = definition.factoryComponent {
      checkReference(factory, in: definition, role: "factory component", at: definition.location)
    }
    definition.visit(under: outer) { content, site in check(content, at: site, in: definition) }
    checkRepeats(definition.properties, of: definition)
    checkRepeats(definition.product?.properties ?? [], of: definition)
  }

  private mutating func checkScope(_ definition: ObjectDefinition) {
    let known = ContainerBuilder.scopeNames
    guard !known.contains(definition.scope), !Self.hasPlaceholder(definition.scope) else { return }
    add(.unknownScope(definition.scope, of: definition.name, known: known).at(definition.location))
  }

  private mutating func checkRepeats(
    _ assignments: [PropertyAssignment], of definition: ObjectDefinition
  ) {
    var seen: Set<String> = []
    for assignment in assignments where !seen.insert(assignment.name).inserted {
      add(.repeatedProperty(assignment.name, of: definition.name).at(assignment.location))
    }
  }

  // MARK: - Parents

  private mutating func checkParent(_ definition: ObjectDefinition) {
    guard definition.parent != nil else { return }
    let problem = inheritance.problem(
      of: definition, isInCode: { _ in false },
      near: { near($0, among: definitions.names) })
    if let problem { return add(problem) }
    guard case .complete(let whole) = inheritance.outcome(of: definition) else { return }
    if whole.className == nil, whole.factoryComponent == nil, !definition.isAbstract {
      add(.noClass(definition.name).at(definition.location))
    }
  }

  // MARK: - References

  private mutating func check(
    _ content: InjectedContent, at site: InjectionSite, in owner: ObjectDefinition
  ) {
    switch content {
    case .reference(let target):
      checkReference(target, in: owner, role: site.path.text, at: site.location)
    case .text(let text, _):
      if !PlaceholderText.isClosed(text) {
        add(.unclosedPlaceholder(text, site: site.text(in: owner.name)).at(site.location))
      }
    case .dictionary(let entries): checkKeys(entries, at: site, in: owner)
    case .definition(let inner): check(inner, under: site.path)
    case .byType, .null, .collection: break
    }
  }

  private mutating func checkKeys(
    _ entries: [InjectedEntry], at site: InjectionSite, in owner: ObjectDefinition
  ) {
    var seen: Set<String> = []
    for entry in entries where !seen.insert(entry.key).inserted {
      let part = site.entry(entry.key, at: entry.location)
      add(.repeatedKey(entry.key, site: part.text(in: owner.name)).at(entry.location))
    }
  }

  private mutating func checkReference(
    _ target: String, in owner: ObjectDefinition, role: String, at location: SourceLocation?
  ) {
    if Self.hasPlaceholder(target) || defined.contains(target) { return }
    guard let found = definitions.referenced(target) else {
      // What is wrong with an alias is reported at the alias.
      if definitions.isAlias(target) { return }
      return reportMissing(target, in: owner.name, role: role, at: location)
    }
    guard found.isAbstract else { return }
    add(.abstractReference(target, in: owner.name, role: role).at(location))
  }

  private mutating func reportMissing(
    _ target: String, in owner: String, role: String, at location: SourceLocation?
  ) {
    add(
      .missingReference(
        target, in: owner, role: role, near: near(target, among: definitions.names),
        count: definitions.names.count
      ).at(location))
  }

  private mutating func near(_ name: String, among known: some Collection<String>) -> [String] {
    budget.nearNames(to: name, among: known)
  }

  /// Whether a name is not known before placeholders are.
  private static func hasPlaceholder(_ name: String) -> Bool { name.contains("${") }

  // MARK: - Aliases

  mutating func check(_ alias: ObjectAlias) {
    let target = alias.target
    if defined.contains(target) || definitions[target] != nil {
      guard definitions[target]?.isAbstract == true else { return }
      return add(.abstractReference(target, in: alias.name, role: "alias").at(alias.location))
    }
    if definitions.isAlias(target) {
      guard let circle = definitions.circle(from: alias.name) else { return }
      return add(.cyclicAliases(circle + [alias.name]).at(alias.location))
    }
    reportMissing(target, in: alias.name, role: "alias", at: alias.location)
  }

  // MARK: - Aspects

  mutating func check(_ aspects: [AspectDefinition]) {
    for aspect in aspects {
      for point in aspect.joinPoints { check(point, of: aspect) }
    }
  }

  private mutating func check(_ point: JoinPoint, of aspect: AspectDefinition) {
    guard case .names(let targets) = point.targets else { return }
    let known = point.kind == .object ? Set(definitions.names) : classNames
    for target in targets where !known.contains(target.text) {
      let isElsewhere = defined.contains(target.text) || definitions.isAlias(target.text)
      if point.kind == .object ? isElsewhere : known.contains(Self.withoutModule(target.text)) {
        continue
      }
      add(.noTarget(target, of: point, aspect: aspect.name, near: near(target.text, among: known)))
    }
  }

  // MARK: - Names

  /// Reports what is defined twice, in one document or in several.
  mutating func checkNames(in documents: [AssemblyDocument]) {
    var objects: [String: SourceLocation?] = [:]
    for name in defined { objects[name] = .some(nil) }
    for document in documents {
      for object in document.definitions { enter(object.name, object.location, in: &objects) }
      for alias in document.aliases { enter(alias.name, alias.location, in: &objects) }
      for aspect in document.aspects { enter(aspect.name, aspect.location, in: &objects) }
    }
  }

  private mutating func enter(
    _ name: String, _ location: SourceLocation?, in known: inout [String: SourceLocation?]
  ) {
    if let first = known[name] { return add(.duplicate(name, first: first).at(location)) }
    known[name] = .some(location)
  }
}

/// Definitions by name; of those with one name the first.
struct NamedDefinitions {
  private let all: [ObjectDefinition]
  private let numbers: [String: Int]
  /// The other names, and where they lead.
  private let aliases: Set<String>
  private let followed: AliasEnds

  init(_ all: [ObjectDefinition], aliases: [ObjectAlias] = []) {
    self.all = all
    let numbers = Dictionary(
      all.indices.map { (all[$0].name, $0) }, uniquingKeysWith: { first, _ in first })
    self.numbers = numbers
    let targets = Dictionary(
      aliases.filter { numbers[$0.name] == nil }.map { ($0.name, $0.target) },
      uniquingKeysWith: { first, _ in first })
    self.aliases = Set(targets.keys)
    followed = AliasEnds(targets)
  }

  /// The definition that a reference leads to, by its name or another one of its object.
  func referenced(_ name: String) -> ObjectDefinition? {
    self[end(of: name)]
  }

  /// Where a name leads; nowhere new in a circle.
  func end(of name: String) -> String { followed.ends[name] ?? name }

  /// The aliases that lead to each other, from the one on whose name comes first, which is this.
  func circle(from name: String) -> [String]? { followed.circles[name] }

  /// Whether a name is another name of something.
  func isAlias(_ name: String) -> Bool { aliases.contains(name) }

  var names: Dictionary<String, Int>.Keys { numbers.keys }

  subscript(name: String) -> ObjectDefinition? { numbers[name].map { all[$0] } }
}
