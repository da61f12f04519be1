public import OxbowContainer
internal import OxbowDocuments

extension AssemblyDocument {
  /// What can be found wrong with files without knowing their classes.
  ///
  /// Markup; names that are defined twice; references, parents and factories that do not exist, go
  /// in circles or are abstract; unknown scopes; properties that are set twice; joinpoints that
  /// select nothing. For everything else load the files into a builder that knows the classes.
  ///
  /// - Parameters:
  ///   - documents: The files that make one container.
  ///   - defined: The names of objects that code defines.
  /// - Returns: All problems, file by file.
  public static func structuralProblems(
    in documents: [AssemblyDocument], defined: Set<String> = []
  ) -> [ContainerError.Problem] {
    let aspects = documents.flatMap(\.aspects).map(\.object)
    var check = StructureCheck(
      documents.flatMap(\.definitions) + aspects, aliases: documents.flatMap(\.aliases),
      defined: defined)
    for document in documents {
      check.add(document.problems)
      for definition in document.definitions { check.check(definition) }
      for alias in document.aliases { check.check(alias) }
      check.check(document.aspects)
    }
    check.checkNames(in: documents)
    return check.problems
  }
}
