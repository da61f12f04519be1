/// Lets post-processors work on the definitions from files.
struct DefinitionProcessing {
  private(set) var entries: [PreparedEntry]
  private(set) var problems: [ContainerError.Problem] = []

  /// Takes a builder's entries without those that are parts of the container itself.
  init(_ entries: [PlanEntry], without names: Set<String>) {
    self.entries = entries.enumerated().filter { !names.contains($1.name) }
      .map { PreparedEntry(number: $0, content: $1) }
  }

  mutating func run(_ processors: [any DefinitionPostProcessor]) {
    guard !processors.isEmpty else { return }
    var definitions = entries.compactMap(\.content.definition)
    for processor in processors {
      do {
        try processor.process(&definitions)
      } catch {
        problems.append(.processorFailed("\(type(of: processor))", error))
      }
    }
    replace(by: definitions)
  }

  /// Definitions keep the places of those whose names they have; others come last.
  private mutating func replace(by definitions: [ObjectDefinition]) {
    var changed: [String: ObjectDefinition] = [:]
    var added: [ObjectDefinition] = []
    let old = Set(entries.map(\.content.name))
    var seen = Set(entries.filter { $0.content.definition == nil }.map(\.content.name))
    for definition in definitions {
      guard !definition.name.isEmpty else {
        problems.append(.invalidName(at: definition.location))
        continue
      }
      guard !HiddenName.isReserved(definition.name) else {
        problems.append(.reservedName(definition.name, at: definition.location))
        continue
      }
      guard seen.insert(definition.name).inserted else {
        let first = changed[definition.name]?.location
        problems.append(.duplicate(definition.name, at: definition.location, first: first))
        continue
      }
      if old.contains(definition.name) {
        changed[definition.name] = definition
      } else {
        added.append(definition)
      }
    }
    entries = entries.compactMap { entry in
      guard entry.content.definition != nil else { return entry }
      return changed[entry.content.name].map {
        PreparedEntry(number: entry.number, content: .definition(SharedDefinition($0)))
      }
    }
    entries += added.map { PreparedEntry(number: nil, content: .definition(SharedDefinition($0))) }
  }
}
