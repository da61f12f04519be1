public import OxbowDocuments

/// The definitions of a container and who needs whom: a picture to read, to draw and to search.
///
/// ```swift
/// print(try container.explain("repository"))
/// print(container.graph.mermaid)
/// ```
///
/// A container makes one of what it was built from. From files alone, without their classes, it
/// shows what these say; names that nothing has are part of it.
public struct ContainerGraph: Sendable {
  /// The definitions, in the order in which they were added.
  public let definitions: [DefinitionSummary]
  /// The index of the definition of each name.
  private let numbers: [String: Int]

  /// Reads definitions without looking at their classes.
  ///
  /// - Parameters:
  ///   - definitions: The definitions.
  ///   - aliases: Other names of their objects.
  public init(_ definitions: [ObjectDefinition], aliases: [ObjectAlias] = []) {
    let inheritance = Inheritance(definitions)
    let targets = Dictionary(
      aliases.map { ($0.name, $0.target) }, uniquingKeysWith: { first, _ in first })
    self.init(
      summaries: definitions.map { DefinitionSummary(structureOf: inheritance.complete($0)) },
      aliases: AliasEnds(targets).ends.merging(targets) { end, _ in end })
  }

  init(summaries: [DefinitionSummary], aliases: [String: String]) {
    var numbers = Dictionary(
      summaries.enumerated().map { ($0.element.name, $0.offset) },
      uniquingKeysWith: { first, _ in first })
    var summaries = summaries
    for (alias, target) in aliases.sorted(by: { $0.key < $1.key }) {
      guard let number = numbers[target], numbers[alias] == nil else { continue }
      numbers[alias] = number
      summaries[number].aliases.append(alias)
    }
    self.numbers = numbers
    definitions = summaries.map { summary in
      var summary = summary
      for number in summary.needs.indices {
        let target = summary.needs[number].target
        summary.needs[number].isDefined = numbers[target] != nil || target.contains("${")
        summary.needs[number].target = aliases[target] ?? target
      }
      return summary
    }
  }

  /// The definition of a name.
  public subscript(name: String) -> DefinitionSummary? { numbers[name].map { definitions[$0] } }

  /// What all definitions need, in their order.
  public var needs: [DefinitionSummary.Need] { definitions.flatMap(\.needs) }

  /// The names that are referred to and that nothing has, in order, each once.
  public var missingNames: [String] {
    var seen: Set<String> = []
    let parents = definitions.compactMap(\.parent).filter { numbers[$0] == nil }
    return (needs.filter { !$0.isDefined }.map(\.target) + parents)
      .filter { seen.insert($0).inserted }
  }

  /// Says what is known of an object.
  ///
  /// - Parameters:
  ///   - name: The object's name.
  ///   - location: The location of the question, for messages.
  /// - Returns: Where it comes from, what it needs and who needs it.
  /// - Throws: ``ContainerError`` with the code `unknownObject`, and near names.
  public func explain(_ name: String, at location: SourceLocation? = nil) throws -> Explanation {
    guard let definition = self[name] else {
      throw ContainerError(
        .unknownObject(name, among: definitions.map(\.name)).at(location),
        task: "explain \"\(name)\"")
    }
    return Explanation(
      definition: definition, neededBy: needs.filter { $0.target == definition.name },
      heirs: definitions.filter { $0.parent == definition.name }.map(\.name),
      chain: chain(to: name))
  }

  /// The names on a shortest chain from an object that is not needed down to one.
  private func chain(to name: String) -> [String] {
    guard let number = numbers[name] else { return [] }
    let chains = DirectedGraph(definitions.count) { number in
      definitions[number].needs.compactMap { numbers[$0.target] }
    }.shortestChains()
    return chains.chain(to: number).map { definitions[$0].name }
  }
}

extension Container {
  /// The definitions and who needs whom; made anew by each call.
  public var graph: ContainerGraph { ContainerGraph(engine.plan) }

  /// Says what is known of an object: where it comes from, what it needs and who needs it.
  ///
  /// - Parameters:
  ///   - name: The object's name.
  ///   - file: The source file of the call, for messages.
  ///   - line: The line in that file.
  /// - Returns: The explanation; print it.
  /// - Throws: ``ContainerError`` with the code `unknownObject`, and near names.
  public func explain(
    _ name: String, file: String = #fileID, line: Int = #line
  ) throws -> Explanation {
    try graph.explain(name, at: SourceLocation(file: file, line: line))
  }
}
