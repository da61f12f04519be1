public import OxbowContainer
internal import OxbowDocuments

extension AssemblyDocument {
  /// What can be found wrong with files without knowing their classes.
  ///
  /// Markup, names that are defined twice, references to nothing, unknown scopes. For everything else
  /// load the files into a builder that knows the classes.
  ///
  /// - Parameter documents: The files that make one container.
  /// - Returns: All problems, file by file.
  public static func structuralProblems(
    in documents: [AssemblyDocument]
  ) -> [ContainerError.Problem] {
    var check = StructureCheck()
    for definition in documents.flatMap(\.definitions) { check.define(definition) }
    return documents.flatMap { document in
      document.problems + document.definitions.flatMap { check.problems(of: $0) }
    } + check.duplicates
  }
}

private struct StructureCheck {
  private var places: [String: SourceLocation?] = [:]
  private(set) var duplicates: [ContainerError.Problem] = []

  mutating func define(_ definition: ObjectDefinition) {
    guard !definition.name.isEmpty else { return }
    if let first = places[definition.name] {
      duplicates.append(.duplicate(definition.name, at: definition.location, first: first))
    } else {
      places[definition.name] = .some(definition.location)
    }
  }

  func problems(of definition: ObjectDefinition) -> [ContainerError.Problem] {
    let properties = definition.properties + (definition.product?.properties ?? [])
    return properties.compactMap { property in
      guard let target = property.referencedObject, places[target] == nil else { return nil }
      return .missingReference(
        target, in: definition.name, role: "property \"\(property.name)\"", at: property.location,
        near: nearNames(to: target, among: places.keys), count: places.count)
    } + repeats(in: definition)
  }

  private func repeats(in definition: ObjectDefinition) -> [ContainerError.Problem] {
    var seen: Set<String> = []
    return definition.properties.filter { !seen.insert($0.name).inserted }.map {
      .repeatedProperty($0.name, of: definition.name, at: $0.location)
    }
  }
}
