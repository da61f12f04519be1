internal import OxbowDocuments

/// The parts of a container that are themselves defined: converters and post-processors.
///
/// They are made before everything else, refer only to each other and to values, and are no objects of
/// the container.
struct BootstrapObjects {
  var values: ValueConverters
  var objectProcessors: [any ObjectPostProcessor]
  var definitionProcessors: [any DefinitionPostProcessor]
  private(set) var problems: [ContainerError.Problem] = []
  /// The names of the definitions that were made parts.
  private(set) var names: Set<String> = []
  /// The definitions that make converters, by the type of their values.
  private var converters: [ObjectIdentifier: String] = [:]

  init(_ input: PlanInput) {
    values = input.values
    objectProcessors = input.objectProcessors
    definitionProcessors = input.definitionProcessors
    var test = BootstrapTest(input)
    let parts = input.entries.filter { test.isPart($0) }
    guard !parts.isEmpty else { return }
    names = Set(parts.map(\.name))
    make(parts, input)
  }

  private mutating func make(_ parts: [PlanEntry], _ input: PlanInput) {
    var inner = PlanInput(entries: parts.map { Self.unshared($0, input) })
    inner.classes = input.classes
    inner.values = input.values
    inner.placeholders = input.placeholders
    let others = input.entries.map(\.name).filter { !names.contains($0) }
    let plan = ContainerPlan(
      inner, absent: Dictionary(others.map { ($0, .later) }, uniquingKeysWith: { a, _ in a }))
    problems = plan.problems
    guard problems.isEmpty else { return }
    do {
      let container = try Container(plan: plan, builder: 0)
      for part in parts {
        guard let provider = container.engine.entry(named: part.name)?.provider else { continue }
        install(try provider.makeAny(nil), part)
      }
      withExtendedLifetime(container) {}  // Its providers work as long as somebody holds it.
    } catch let error as ContainerError {
      problems += error.problems
    } catch {
      problems.append(.constructionFailed("container", step: "its parts", at: nil, error))
    }
  }

  private mutating func install(_ object: Any, _ entry: PlanEntry) {
    if let processor = object as? any ObjectPostProcessor { objectProcessors.append(processor) }
    if let processor = object as? any DefinitionPostProcessor {
      definitionProcessors.append(processor)
    }
    if let converter = object as? any TypeConverter { install(converter, entry) }
  }

  private mutating func install<Converter: TypeConverter>(
    _ converter: Converter, _ entry: PlanEntry
  ) {
    let type = ObjectIdentifier(Converter.Value.self)
    if let first = converters[type] {
      problems.append(
        .duplicateConverter(
          entry.name, first: first, typeName: "\(Converter.Value.self)", at: entry.location))
    }
    converters[type] = entry.name
    values.register(converter)
  }

  /// A part that is not Sendable is made for each use: files say nothing of the scope of parts.
  private static func unshared(
    _ entry: PlanEntry, _ input: PlanInput
  ) -> PlanEntry {
    guard var definition = entry.definition, let name = definition.className,
      let name = try? PlaceholderText(placeholders: input.placeholders).expand(name),
      input.classes.find(name)?.isSendable != true
    else { return entry }
    definition.scope = "prototype"
    return .definition(SharedDefinition(definition))
  }
}

extension ContainerPlan {
  /// Makes the parts of the container itself, then a plan of everything else.
  package init(_ original: PlanInput) {
    let parts = BootstrapObjects(original)
    var input = original
    input.values = parts.values
    input.objectProcessors = parts.objectProcessors
    input.problems += parts.problems
    var definitions = DefinitionProcessing(input.entries, without: parts.names)
    definitions.run(parts.definitionProcessors.sorted { $0.order < $1.order })
    input.problems += definitions.problems
    self.init(
      input, definitions.entries,
      parts: input.entries.enumerated().filter { parts.names.contains($1.name) }
        .map { PreparedEntry(number: $0, content: $1) },
      absent: Dictionary(uniqueKeysWithValues: parts.names.map { ($0, .infrastructure) }))
    self.input = original
    self.parts = parts.names
  }
}

/// Tells parts of the container from objects by their types.
private struct BootstrapTest {
  private let classes: ClassRegistry
  private let entries: [PlanEntry]
  private let placeholders: Placeholders
  private var answers: [String: Bool] = [:]
  /// The classes of definitions that have a parent, as far as they were asked for.
  private var inherited: [String: String?] = [:]
  private lazy var named: [String: ObjectDefinition] = Dictionary(
    entries.compactMap(\.definition).map { ($0.name, $0) }, uniquingKeysWith: { a, _ in a })

  init(_ input: PlanInput) {
    classes = input.classes
    entries = input.entries
    placeholders = input.placeholders
  }

  mutating func isPart(_ entry: PlanEntry) -> Bool {
    switch entry {
    case .binding(let binding): isPart(binding.type)
    case .definition(let shared): isPart(shared.definition)
    case .alias: false
    }
  }

  private mutating func isPart(_ definition: ObjectDefinition) -> Bool {
    if definition.isAbstract { return false }
    return className(of: definition).map { isPart($0) } ?? false
  }

  private mutating func isPart(_ className: String) -> Bool {
    if let answer = answers[className] { return answer }
    let name = try? PlaceholderText(placeholders: placeholders).expand(className)
    let answer = classes.find(name ?? className).map { isPart($0.objectType) } ?? false
    answers[className] = answer
    return answer
  }

  /// The class of a definition or of the nearest of its parents that has one.
  private mutating func className(of definition: ObjectDefinition) -> String? {
    if definition.parent == nil { return definition.className }
    var path: [String] = []
    var current: ObjectDefinition? = definition
    var found: String?
    while let step = current, inherited[step.name] == nil, path.count <= named.count {
      path.append(step.name)
      found = step.className
      if found != nil { break }
      current = step.parent.flatMap { named[$0] }
    }
    if found == nil, let current { found = inherited[current.name] ?? nil }
    for name in path { inherited[name] = .some(found) }
    return found
  }

  private func isPart(_ type: any Any.Type) -> Bool {
    type is any ObjectPostProcessor.Type || type is any DefinitionPostProcessor.Type
      || type is any TypeConverter.Type
  }
}
