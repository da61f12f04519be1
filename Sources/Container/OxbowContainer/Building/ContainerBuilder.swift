internal import OxbowDocuments
internal import Synchronization

/// Collects definitions and builds a container from them.
///
/// A definition says how objects of one name come to be: what constructs them, which other objects
/// that needs, which properties are set, and the scope. Definitions are written in code with typed
/// references (`singleton`, `prototype`) or come from files (``add(_:)``); both kinds
/// refer to each other by name. Nothing is constructed before somebody asks the container.
///
/// ```swift
/// let builder = ContainerBuilder()
/// let clock = builder.singleton(named: "clock", SystemClock.init)
/// builder.singleton(named: "greeter", Greeter.init(clock:), clock)
/// let container = try builder.build()
/// ```
///
/// ``build()`` checks everything at once and throws one error with all problems. The builder is not
/// `Sendable`; the container is.
///
/// Defaults differ by route, as in the Oxen container: a definition in code says its scope, one in
/// a file is a singleton unless it says otherwise.
public final class ContainerBuilder {
  private static let lastID = Atomic<UInt64>(0)

  /// What tells this builder's references from those of others.
  let id = lastID.add(1, ordering: .relaxed).newValue

  /// How text in files becomes values.
  public var values = ValueConverters()

  /// What the placeholders in values of files mean.
  public var placeholders = Placeholders()

  /// What passes so that old definitions still load.
  public var compatibility: Compatibility = []

  package var classes: ClassRegistry
  private var definitions: [Definition] = []
  private var locations: [String: SourceLocation?] = [:]
  private var problems: [ContainerError.Problem] = []
  private var processors: [any ObjectPostProcessor] = []
  private var definitionProcessors: [any DefinitionPostProcessor] = []
  private var aspects: [AspectBinding] = []
  private var injections: [@Sendable () -> ContainerInjection] = []
  private var documentNotes: [ContainerError.Note] = []
  /// Names that definitions have after their types.
  var defaultNames: Set<String> = []
  /// Names that somebody else defines, for checks of a part.
  package var elsewhere: Set<String> = []

  /// Creates a builder that knows the program's annotated classes.
  public init() { classes = ClassRegistry() }

  // MARK: - Definitions

  /// Adds a definition from a file, or one that names its class by text.
  ///
  /// Messages about what has no place of its own name the place of the call.
  public func add(_ definition: ObjectDefinition, file: String = #fileID, line: Int = #line) {
    let place = SourceLocation(file: file, line: line)
    let definition = definition.located(at: place)
    add(.object(definition), named: definition.name, at: definition.location)
  }

  func add<T>(_ alias: ObjectAlias, as type: T.Type) -> Ref<T> {
    let index = add(.alias(alias), named: alias.name, at: alias.location)
    let handle = index.map { Ref<T>.Handle(builder: id, index: $0) }
    var ref = Ref<T>(alias.name, handle: handle, requiresSendable: false)
    ref.location = alias.location
    return ref
  }

  @discardableResult
  func add<T>(_ binding: Binding<T>, isHidden: Bool = false) -> Ref<T> {
    let index = add(
      .binding(binding), named: binding.name, at: binding.location, isWritten: !isHidden)
    let handle = index.map { Ref<T>.Handle(builder: id, index: $0) }
    var ref = Ref<T>(binding.name, handle: handle, requiresSendable: false)
    ref.location = binding.location
    return ref
  }

  /// Adds a definition and returns its number, unless its name is taken or empty.
  @discardableResult
  private func add(
    _ content: Definition.Content, named name: String, at location: SourceLocation?,
    isWritten: Bool = true
  ) -> Int? {
    guard !name.isEmpty else {
      problems.append(.invalidName().at(location))
      return nil
    }
    if isWritten, HiddenName.isReserved(name) {
      problems.append(.reservedName(name).at(location))
      return nil
    }
    if let first = locations[name] {
      // Of a lazy object the one behind the proxy has no name of its own that could be taken.
      if isWritten {
        problems.append(
          .duplicate(name, first: first, isDefaultName: defaultNames.contains(name)).at(location))
      }
      return nil
    }
    locations[name] = .some(location)
    definitions.append(Definition(content, number: definitions.count))
    return definitions.count - 1
  }

  /// The names of the scopes that definitions in files may have.
  public static var scopeNames: [String] { Scopes.names }

  // MARK: - Classes

  /// Makes a class known to files.
  ///
  /// Needed only for classes that leave no record in the program: generic and local ones, those in
  /// dynamic libraries, and those whose description is written by hand.
  ///
  /// - Parameters:
  ///   - type: The class.
  ///   - alias: Another name for it.
  public func register<C: Component>(_ type: C.Type, as alias: String? = nil) {
    register(C.componentDescriptor, as: alias)
  }

  /// Adds a look at the definitions, a part of `build()`.
  package func check(_ check: DefinitionCheck) { classes.add(check) }

  /// Makes a described class known to files.
  public func register(_ descriptor: ComponentDescriptor, as alias: String? = nil) {
    classes.add(descriptor, alias: alias)
  }

  /// Makes a proxy class known to files.
  ///
  /// - Parameters:
  ///   - type: The proxy class.
  ///   - name: The name of the protocol; by default the class's name without `Proxy` at its end.
  public func registerProxy<Proxy: ForwardingProxy>(_ type: Proxy.Type, name: String? = nil) {
    let className = "\(Proxy.self)"
    let bare = className.hasSuffix("Proxy") ? String(className.dropLast(5)) : className
    classes.add(ProxyDescriptor(type, name: name ?? bare))
  }

  /// Adds something that sees every object of the container when it is complete.
  ///
  /// Processors with the same order run as they were added.
  public func add(_ processor: some ObjectPostProcessor) { processors.append(processor) }

  /// Adds something that changes definitions from files before they are used.
  ///
  /// Processors with the same order run as they were added, those that files define last.
  public func add(_ processor: some DefinitionPostProcessor) {
    definitionProcessors.append(processor)
  }

  /// Has a definition's object run around calls.
  package func add(_ aspect: AspectBinding) { aspects.append(aspect) }

  /// Has something else injected into objects, after their properties; `make` is called once for
  /// each container.
  package func addInjection(_ make: @escaping @Sendable () -> ContainerInjection) {
    injections.append(make)
  }

  // MARK: - Documents

  /// Adds what a reader found wrong in a document, to be reported with everything else.
  package func report(_ problem: ContainerError.Problem) { problems.append(problem) }

  /// Adds what a reader found worth knowing in a document.
  package func note(_ note: ContainerError.Note) { documentNotes.append(note) }

  // MARK: - Building

  /// Checks all definitions and builds the container.
  ///
  /// Definitions are checked before any constructor runs. Exceptions: converters and
  /// post-processors that are defined, because the definitions need them. Then eager objects are
  /// built. The builder may be used again; each call makes a container of its own.
  ///
  /// - Throws: A ``ContainerError`` with every problem.
  public func build() throws -> Container {
    try ContainerCompiler.link(ContainerCompiler.plan(input), builder: id)
  }

  /// Checks all definitions as ``build()`` does, and says what it found.
  public func check() -> ContainerReport {
    ContainerReport(ContainerCompiler.plan(input))
  }

  private var input: PlanInput {
    var input = PlanInput(definitions: definitions)
    input.classes = classes
    input.values = values
    input.placeholders = placeholders
    input.objectProcessors = processors
    input.definitionProcessors = definitionProcessors
    input.compatibility = compatibility
    input.aspects = aspects
    input.injections = injections
    input.problems = problems
    input.notes = documentNotes
    input.elsewhere = elsewhere
    return input
  }
}

/// What checking a container's definitions found.
public struct ContainerReport: Sendable {
  /// What keeps the container from being built.
  public let problems: [ContainerError.Problem]
  /// What is worth knowing.
  public let notes: [ContainerError.Note]
  /// The definitions; of those with a problem what their files say.
  ///
  /// Made anew by each call.
  public var graph: ContainerGraph { ContainerGraph(plan) }

  /// What was found.
  ///
  /// Sendable by argument: no code changes a binding once its plan is made.
  nonisolated(unsafe) private let plan: ContainerPlan

  init(_ plan: ContainerPlan) {
    problems = plan.problems
    notes = plan.notes
    self.plan = plan
  }
}

extension ContainerReport: CustomStringConvertible, CustomReflectable {
  /// The problems and the notes, each in its lines.
  public var description: String {
    let lines = problems.map(\.description) + notes.map(\.description)
    return lines.isEmpty ? "no problems, no notes" : lines.joined(separator: "\n")
  }

  /// The problems and the notes.
  public var customMirror: Mirror {
    Mirror(self, children: ["problems": problems, "notes": notes])
  }
}

/// Somebody who waits for a container.
public protocol ContainerBuildingDelegate: AnyObject {
  /// The container is built.
  func containerBuildingFinished(_ container: Container)

  /// The container is built, and some things are worth knowing; by default the notes are dropped.
  func containerBuildingFinished(_ container: Container, notes: [ContainerError.Note])

  /// The container could not be built; the error has every problem.
  func containerBuildingFailed(_ error: any Error)
}

extension ContainerBuildingDelegate {
  /// Drops the notes.
  public func containerBuildingFinished(_ container: Container, notes: [ContainerError.Note]) {
    containerBuildingFinished(container)
  }
}

extension ContainerBuilder {
  /// Builds the container and tells a delegate, by exactly one call.
  public func build(reportingTo delegate: some ContainerBuildingDelegate) {
    do {
      let plan = ContainerCompiler.plan(input)
      let container = try ContainerCompiler.link(plan, builder: id)
      delegate.containerBuildingFinished(container, notes: plan.notes)
    } catch {
      delegate.containerBuildingFailed(error)
    }
  }
}

extension ContainerBuilder: CustomStringConvertible, CustomReflectable {
  /// The number of definitions and their names, of many the first ten.
  public var description: String { "ContainerBuilder(\(shownNames(definitions.map(\.name))))" }

  /// The names of the definitions.
  public var customMirror: Mirror {
    Mirror(self, children: ["names": definitions.map(\.name)])
  }
}
