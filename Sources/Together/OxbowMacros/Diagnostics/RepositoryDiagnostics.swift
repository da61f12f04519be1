/// Every message of `@Repository`.
enum RepositoryDiagnostics {
  static func notAProtocol(_ name: String, _ kind: String) -> String {
    "'@Repository' writes the methods of a protocol, and '\(name)' is \(kind); declare a protocol "
      + "that refines 'Repository<…>', attach it there, and let '\(name)' conform to it and to "
      + "'Stored'"
  }

  static func noEntity(_ name: String) -> String {
    "'@Repository' does not see whose objects '\(name)' finds; write 'protocol \(name): "
      + "Repository<Book>' with the class of the entity"
  }

  static func nested(_ name: String) -> String {
    "'\(name)' is inside of a type, whose names an extension of the protocol does not see; declare "
      + "it at the top level of a file"
  }

  static func outside(_ mark: String) -> String {
    "'@\(mark)' belongs on a requirement of a '@Repository' protocol, and means nothing here"
  }

  static let notAMethod =
    "'@Repository' writes methods; mark what you write yourself with '@Written', or declare it in "
    + "an extension of the protocol"

  static func isAsync(_ name: String) -> String {
    "'\(name)' is async, and a context belongs to a thread that changes at each await; make it a "
      + "plain method and call it inside 'perform'"
  }

  static func notThrowing(_ name: String) -> String {
    "'\(name)' asks a store, which can fail; declare it 'throws'"
  }

  static func isStatic(_ name: String) -> String {
    "'\(name)' is static and has no context to ask; make it a method of the object"
  }

  static func isGeneric(_ name: String) -> String {
    "'\(name)' is generic, and '@Repository' writes methods with types that are known; spell the "
      + "types, or mark it '@Written' and write it yourself"
  }

  static func unusableParameter(_ name: String) -> String {
    "this parameter of '\(name)' is not a plain value; take a value, an array or a range"
  }

  static func unknownVerb(_ name: String) -> String {
    "'\(name)' is not a verb of a repository; use find, first, count, exists, delete, stream or "
      + "page, "
      + "or say what is asked with '@Query(\"…\")', or mark it '@Written' and write it yourself"
  }

  static func noVerb(_ name: String, returns type: String) -> String {
    "'\(name)' returns '\(type)', which does not tell what is asked; return an array of objects, "
      + "an optional object, 'Int', 'Bool', 'FetchedObjects' or 'Page'"
  }

  static func wrongResult(
    _ verb: String, _ type: String, wanted: [String], better: String?
  ) -> String {
    let wanted = wanted.map { $0 == "Void" ? "nothing" : "'\($0)'" }.joined(separator: " or ")
    let hint = better.map { "; '\($0)' returns that" } ?? ""
    return "'\(verb)' returns \(wanted), and not '\(type)'\(hint)"
  }

  static func unwantedOption(_ label: String, _ verb: String, _ known: [String]) -> String {
    let known =
      known.isEmpty ? "no options" : known.map { "'\($0)'" }.joined(separator: ", ")
    return "'\(label)' means nothing to '\(verb)', which takes \(known); a property with that name "
      + "is asked for with '@Query'"
  }

  static let noPage =
    "'page' does not say which page; add a parameter of type 'PageRequest'"

  static func unlabeled(_ name: String) -> String {
    "a label says which property '\(name)' is compared with, as in 'titleContains'; write one, or "
      + "use '@Query'"
  }

  static func emptyStep(_ label: String) -> String {
    "'_' steps from a to-one relationship into its object, as in 'author_name', and '\(label)' has "
      + "nothing at one side of it"
  }

  static let noLiteral =
    "'@Query' reads its texts while compiling; write plain string literals"

  static func unknownVariable(_ name: String, parameters: [String]) -> String {
    let known =
      parameters.isEmpty
      ? "the method has none"
      : "it has " + parameters.map { "'\($0)'" }.joined(separator: ", ")
    return "'$\(name)' is not a parameter of the method; \(known)"
  }

  static func unusedParameter(_ name: String) -> String {
    "the text does not use the parameter '\(name)'; write '$\(name)' in it, or drop the parameter"
  }

  static func wrongOrder(_ text: String) -> String {
    "'\(text)' is not a sort key; write paths separated by commas, each with ASC or DESC where you "
      + "like: \"author.name, year DESC\""
  }
}
