/// Changes definitions from files before anything is made of them.
///
/// Definitions come as their documents say: parents, annotations and placeholders are not looked at
/// yet. Definitions in Swift are not among them. A processor may change, add and remove
/// definitions.
///
/// A definition whose class conforms is not an object of the container: the container makes it
/// first and lets it work on all others. In code,
/// ``ContainerBuilder/add(_:)-(DefinitionPostProcessor)`` does the same.
public protocol DefinitionPostProcessor {
  /// Smaller numbers run first; 0 unless it says otherwise.
  var order: Int { get }

  /// Changes definitions.
  ///
  /// - Throws: Whatever keeps the definitions from being used; `build()` fails with it.
  func process(_ definitions: inout [ObjectDefinition]) throws
}

extension DefinitionPostProcessor {
  /// 0: neither before nor after others.
  public var order: Int { 0 }
}

extension [Definition] {
  /// Lets post-processors work on the definitions from files.
  ///
  /// Definitions keep the positions of those whose names they have; others come last.
  ///
  /// - Returns: What is wrong with the result, and what the processors throw.
  mutating func process(by processors: [any DefinitionPostProcessor]) -> [ContainerError.Problem] {
    guard !processors.isEmpty else { return [] }
    var problems: [ContainerError.Problem] = []
    var objects = compactMap(\.object)
    for processor in processors.sorted(by: { $0.order < $1.order }) {
      do {
        try processor.process(&objects)
      } catch {
        problems.append(.processorFailed("\(type(of: processor))", error))
      }
    }
    replaceObjects(by: objects, &problems)
    return problems
  }

  private mutating func replaceObjects(
    by objects: [ObjectDefinition], _ problems: inout [ContainerError.Problem]
  ) {
    var found: [String: ObjectDefinition] = [:]
    var added: [ObjectDefinition] = []
    let old = Set(lazy.filter { $0.object != nil }.map(\.name))
    let others = Set(lazy.filter { $0.object == nil }.map(\.name))
    for object in objects {
      if let problem = Self.problem(of: object, first: found[object.name], others) {
        problems.append(problem)
        continue
      }
      found[object.name] = object
      if !old.contains(object.name) { added.append(object) }
    }
    self = compactMap { definition in
      guard definition.object != nil else { return definition }
      return found[definition.name].map { Definition(.object($0), number: definition.number) }
    }
    self += added.map { Definition(.object($0)) }
  }

  private static func problem(
    of object: ObjectDefinition, first: ObjectDefinition?, _ others: Set<String>
  ) -> ContainerError.Problem? {
    if object.name.isEmpty { return .invalidName().at(object.location) }
    if HiddenName.isReserved(object.name) {
      return .reservedName(object.name).at(object.location)
    }
    if first == nil, !others.contains(object.name) { return nil }
    return .duplicate(object.name, first: first?.location).at(object.location)
  }
}

extension DefinitionGroup: DefinitionPostProcessor {
  package var order: Int { .min }

  package func process(_ definitions: inout [ObjectDefinition]) {
    definitions = definitions.flatMap { $0.className == className ? parts($0) : [$0] }
  }

  /// Whether one of the definitions is of the group.
  func isNeeded(for definitions: [Definition]) -> Bool {
    definitions.contains { definition in
      if case .object(let object) = definition.content {
        object.className == className
      } else {
        false
      }
    }
  }
}
