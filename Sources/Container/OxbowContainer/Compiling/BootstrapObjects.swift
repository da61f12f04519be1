internal import OxbowDocuments

/// The objects that have to exist before others are planned: converters and post-processors that
/// are themselves defined.
///
/// They refer only to each other and to values, and are not objects of the container.
struct BootstrapObjects {
  var values: ValueConverters
  var objectProcessors: [any ObjectPostProcessor]
  var definitionProcessors: [any DefinitionPostProcessor]
  private(set) var problems: [ContainerError.Problem] = []
  /// The names of their definitions.
  private(set) var names: Set<String> = []
  /// The definitions that make converters, by the type of their values.
  private var converters: [ObjectIdentifier: String] = [:]

  init(_ input: PlanInput) {
    values = input.values
    objectProcessors = input.objectProcessors
    definitionProcessors = input.definitionProcessors
    var test = Test(input)
    let definitions = input.definitions.filter { test.isBootstrap($0) }
    guard !definitions.isEmpty else { return }
    names = Set(definitions.map(\.name))
    make(definitions, input)
  }

  private mutating func make(_ definitions: [Definition], _ input: PlanInput) {
    var inner = PlanInput(
      definitions: definitions.enumerated().map { number, definition in
        Definition(Self.unshared(definition.content, input), number: number)
      })
    inner.classes = input.classes
    inner.values = input.values
    inner.placeholders = input.placeholders
    let others = input.definitions.map(\.name).filter { !names.contains($0) }
    let plan = ContainerCompiler.plan(inner, before: others)
    do {
      let container = try ContainerCompiler.link(plan, builder: 0)
      for definition in definitions {
        guard let provider = container.engine.entry(named: definition.name)?.provider else {
          continue
        }
        install(try provider.makeAny(nil), definition)
      }
      withExtendedLifetime(container) {}  // Its providers work as long as somebody holds it.
    } catch let error as ContainerError {
      problems += error.problems
    } catch {
      problems.append(.constructionFailed("container", step: "its parts", error))
    }
  }

  private mutating func install(_ object: Any, _ definition: Definition) {
    if let processor = object as? any ObjectPostProcessor { objectProcessors.append(processor) }
    if let processor = object as? any DefinitionPostProcessor {
      definitionProcessors.append(processor)
    }
    if let converter = object as? any TypeConverter { install(converter, definition) }
  }

  private mutating func install<Converter: TypeConverter>(
    _ converter: Converter, _ definition: Definition
  ) {
    let type = ObjectIdentifier(Converter.Value.self)
    if let first = converters[type] {
      problems.append(
        .duplicateConverter(definition.name, first: first, typeName: "\(Converter.Value.self)")
          .at(definition.location))
    }
    converters[type] = definition.name
    values.register(converter)
  }

  /// One that is not Sendable is made for each use: files say nothing of its scope.
  private static func unshared(
    _ content: Definition.Content, _ input: PlanInput
  ) -> Definition.Content {
    guard case .object(var definition) = content, let name = definition.className,
      let name = try? PlaceholderText(placeholders: input.placeholders).expand(name).text,
      input.classes.find(name)?.isSendable != true
    else { return content }
    definition.scope = "prototype"
    return .object(definition)
  }
}

extension BootstrapObjects {
  /// Tells definitions of bootstrap objects from others by their types.
  private struct Test {
    private let classes: ClassRegistry
    private let definitions: [Definition]
    private let placeholders: Placeholders
    private var answers: [String: Bool] = [:]
    /// The classes of definitions that have a parent, as far as they were asked for.
    private var inherited: [String: String?] = [:]
    private lazy var named: [String: ObjectDefinition] = Dictionary(
      definitions.compactMap(\.object).map { ($0.name, $0) }, uniquingKeysWith: { a, _ in a })

    init(_ input: PlanInput) {
      classes = input.classes
      definitions = input.definitions
      placeholders = input.placeholders
    }

    mutating func isBootstrap(_ definition: Definition) -> Bool {
      switch definition.content {
      case .binding(let binding): isBootstrap(binding.type)
      case .object(let object): isBootstrap(object)
      case .alias: false
      }
    }

    private mutating func isBootstrap(_ definition: ObjectDefinition) -> Bool {
      if definition.isAbstract { return false }
      return className(of: definition).map { isBootstrap($0) } ?? false
    }

    private mutating func isBootstrap(_ className: String) -> Bool {
      if let answer = answers[className] { return answer }
      let name = try? PlaceholderText(placeholders: placeholders).expand(className).text
      let answer = classes.find(name ?? className).map { isBootstrap($0.objectType) } ?? false
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

    private func isBootstrap(_ type: any Any.Type) -> Bool {
      type is any ObjectPostProcessor.Type || type is any DefinitionPostProcessor.Type
        || type is any TypeConverter.Type
    }
  }
}
