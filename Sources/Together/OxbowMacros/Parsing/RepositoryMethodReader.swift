internal import SwiftDiagnostics
internal import SwiftParser
internal import SwiftSyntax
internal import SwiftSyntaxMacros

/// Reads one method of a repository by the grammar of names and labels.
///
/// The name of the method is a verb. Each label is a path of properties and the ending of an
/// operator; some labels are options of the verb. `@Query` has the rest as text.
struct RepositoryMethodReader: DeclarationParser {
  var diagnostics: [Diagnostic] = []
  private let function: FunctionDeclSyntax
  private let entity: String
  private let context: any MacroExpansionContext

  init(_ function: FunctionDeclSyntax, entity: String, in context: any MacroExpansionContext) {
    self.function = function
    self.entity = entity
    self.context = context
  }

  /// The endings of labels, longer ones before their own endings.
  private static let operators: [(ending: String, function: String)] = [
    ("IsNot", "notEqual"), ("Contains", "contains"), ("BeginsWith", "beginsWith"),
    ("EndsWith", "endsWith"), ("Words", "words"), ("AtLeast", "atLeast"), ("AtMost", "atMost"),
    ("Above", "above"), ("After", "above"), ("Below", "below"), ("Before", "below"),
    ("In", "isIn"),
  ]

  /// Labels that are not conditions.
  private static let options = ["limit", "offset", "sortedBy", "batchSize", "page", "after"]

  /// Options that have a type of their own, so that a property may have their name.
  private static let optionTypes = ["page": "PageRequest", "after": "PageToken"]

  mutating func read() -> RepositoryMethod {
    checkSignature()
    let mark = function.attributes.named("Query").first
    let text = mark.flatMap { queryText($0) }
    let verb = verb(isNamed: text == nil)
    if let verb { checkReturnType(verb) }
    var conditions: [RepositoryMethod.Condition] = []
    var options: [RepositoryMethod.Option] = []
    var arguments: [FunctionParameterSyntax] = []
    for parameter in function.signature.parameterClause.parameters {
      if let option = option(parameter, of: verb) {
        options.append(option)
      } else if text != nil {
        arguments.append(parameter)
      } else if let condition = condition(parameter) {
        conditions.append(condition)
      }
    }
    requireOptions(options.map(\.label), of: verb)
    let query = mark.flatMap { self.query($0, text, arguments) }
    return RepositoryMethod(
      attributes: function.attributes.without("Query").lines,
      head: function.with(\.attributes, []).with(\.modifiers, []).trimmedDescription,
      name: function.fullName, verb: verb ?? .find,
      returnsNothing: returnType == "Void", conditions: conditions, options: options, query: query,
      isFaulty: verb == nil || !diagnostics.isEmpty,
      location: context.location(forDirectiveAt: function.name))
  }

  // MARK: - Signature

  private mutating func checkSignature() {
    let name = function.name.text
    let effects = function.signature.effectSpecifiers
    if let async = effects?.asyncSpecifier {
      report(
        "'\(name)' is async, and a context belongs to a thread that changes at each await; make it "
          + "a plain method and call it inside 'perform'", at: async)
    }
    if effects?.throwsClause?.throwsSpecifier.text != "throws" || effects?.throwsClause?.type != nil
    {
      report(
        "'\(name)' asks a store, which can fail; declare it 'throws'", at: function.name)
    }
    if function.modifiers.contains("static") {
      report(
        "'\(name)' is static and has no context to ask; make it a method of the object",
        at: function)
    }
    if let generic = function.genericParameterClause {
      report(
        "'\(name)' is generic, and '@Repository' writes methods with types that are known; spell "
          + "the types, or mark it '@Written' and write it yourself", at: generic)
    }
    for parameter in function.signature.parameterClause.parameters
    where parameter.ellipsis != nil || !isPlain(parameter.type) {
      report(
        "this parameter of '\(name)' is not a plain value; take a value, an array or a range",
        at: parameter)
    }
  }

  private func isPlain(_ type: TypeSyntax) -> Bool {
    if type.is(FunctionTypeSyntax.self) || type.is(SomeOrAnyTypeSyntax.self) { return false }
    return !type.is(AttributedTypeSyntax.self)
  }

  // MARK: - Verb

  private mutating func verb(isNamed: Bool) -> RepositoryVerb? {
    let name = function.name.plainName
    if let verb = RepositoryVerb(rawValue: name) { return verb }
    guard !isNamed else {
      return refuse(
        "'\(name)' is not a verb of a repository; use find, first, count, exists, delete, stream, "
          + "page or slice, or say what is asked with '@Query(\"…\")', or mark it '@Written' and write "
          + "it yourself", at: function.name)
    }
    // Nothing is deleted by a result alone, nor by 'deletedCount'.
    if name.hasPrefix("delete"), name.dropFirst(6).first?.isLowercase != true { return .delete }
    if let verb = asked { return verb }
    return refuse(
      "'\(name)' returns '\(returnType)', which does not tell what is asked; return an array of "
        + "objects, an optional object, 'Int', 'Bool', 'FetchedObjects', 'Page' or 'FetchedSlice', "
        + "begin its name with 'delete' if it deletes, or mark it '@Written' and write it yourself",
      at: function.name)
  }

  private var returnType: String {
    let spelled = function.signature.returnClause?.type.trimmedDescription ?? "Void"
    let type = spelled.filter { !$0.isWhitespace }
    if type == "()" { return "Void" }
    if type.hasPrefix("Array<"), type.hasSuffix(">") { return "[\(type.dropFirst(6).dropLast())]" }
    if type.hasPrefix("Optional<"), type.hasSuffix(">") {
      return "\(type.dropFirst(9).dropLast())?"
    }
    return type
  }

  /// The verb that returns what the method returns, and only reads.
  private var asked: RepositoryVerb? {
    RepositoryVerb.allCases.first { $0 != .delete && fits(returnType, $0) }
  }

  private func fits(_ type: String, _ verb: RepositoryVerb) -> Bool {
    let short = entity.split(separator: ".").last.map(String.init) ?? entity
    return Self.results(verb, entity).contains(type) || Self.results(verb, short).contains(type)
  }

  private static func results(_ verb: RepositoryVerb, _ entity: String) -> [String] {
    switch verb {
    case .find: ["[\(entity)]", "[ManagedObjectID]"]
    case .first: ["\(entity)?", "ManagedObjectID?"]
    case .count: ["Int"]
    case .exists: ["Bool"]
    case .delete: ["Int", "Void"]
    case .stream: ["FetchedObjects<\(entity)>"]
    case .page: ["Page<\(entity)>"]
    case .slice: ["FetchedSlice<\(entity)>"]
    }
  }

  private mutating func checkReturnType(_ verb: RepositoryVerb) {
    guard !fits(returnType, verb) else { return }
    let wanted = Self.results(verb, entity).map { $0 == "Void" ? "nothing" : "'\($0)'" }
    let hint = asked.map { "; '\($0.rawValue)' returns that" } ?? ""
    report(
      "'\(verb.rawValue)' returns \(wanted.joined(separator: " or ")), and not "
        + "'\(returnType)'\(hint)",
      at: function.signature.returnClause.map { Syntax($0.type) } ?? Syntax(function.name))
  }

  // MARK: - Parameters

  private mutating func requireOptions(_ labels: [String], of verb: RepositoryVerb?) {
    if verb == .page, !labels.contains("page") {
      report(
        "'page' does not say which page; add a parameter of type 'PageRequest'", at: function.name)
    }
    if verb == .slice, !labels.contains("after") || !labels.contains("limit") {
      report(
        "'slice' does not say where it begins and how long it is; add the parameters "
          + "'after token: PageToken?' and 'limit: Int'", at: function.name)
    }
  }

  private mutating func option(
    _ parameter: FunctionParameterSyntax, of verb: RepositoryVerb?
  ) -> RepositoryMethod.Option? {
    var label = parameter.firstName.plainName
    let type = parameter.type.as(OptionalTypeSyntax.self)?.wrappedType ?? parameter.type
    if let known = Self.optionTypes.first(where: { $0.value == type.lastName }) {
      label = known.key
    } else if Self.optionTypes[label] != nil {
      return nil
    }
    guard Self.options.contains(label) else { return nil }
    if let verb, !Self.options(of: verb).contains(label) {
      let known = Self.options(of: verb).map { "'\($0)'" }.joined(separator: ", ")
      report(
        "'\(label)' means nothing to '\(verb.rawValue)', which takes "
          + "\(known.isEmpty ? "no options" : known); a property with that name is asked for with "
          + "'@Query'", at: parameter)
    }
    return RepositoryMethod.Option(label: label, value: parameter.localName.reference)
  }

  private static func options(of verb: RepositoryVerb) -> [String] {
    switch verb {
    case .find: ["limit", "offset", "sortedBy"]
    case .first: ["sortedBy"]
    case .stream: ["limit", "offset", "sortedBy", "batchSize"]
    case .page: ["page", "sortedBy"]
    case .slice: ["after", "limit", "sortedBy"]
    case .count, .exists, .delete: []
    }
  }

  private mutating func condition(
    _ parameter: FunctionParameterSyntax
  ) -> RepositoryMethod.Condition? {
    let label = parameter.firstName.plainName
    guard label != "_" else {
      return refuse(
        "a label says which property '\(parameter.localName.text)' is compared with, as in "
          + "'titleContains'; write one, or use '@Query'", at: parameter)
    }
    let found = Self.operators.first {
      label.hasSuffix($0.ending) && label.count > $0.ending.count
    }
    let path = label.dropLast(found?.ending.count ?? 0).split(
      separator: "_", omittingEmptySubsequences: false
    ).map(String.init)
    guard !path.contains("") else {
      return refuse(
        "'_' steps from a to-one relationship into its object, as in 'author_name', and '\(label)' "
          + "has nothing at one side of it", at: parameter)
    }
    return RepositoryMethod.Condition(
      path: path, function: found?.function ?? "equal", value: parameter.localName.reference,
      location: context.location(forDirectiveAt: parameter))
  }

  // MARK: - Texts

  /// The text of a condition, without its quotes.
  private mutating func queryText(_ mark: AttributeSyntax) -> String? {
    guard let expression = Arguments(mark).unlabeled.first else { return nil }
    return literal(expression) ?? ""
  }

  private mutating func literal(_ expression: ExprSyntax) -> String? {
    guard let text = expression.as(StringLiteralExprSyntax.self)?.representedLiteralValue else {
      return refuse(
        "'@Query' reads its texts while compiling; write plain string literals", at: expression)
    }
    return text
  }

  private mutating func query(
    _ mark: AttributeSyntax, _ text: String?, _ parameters: [FunctionParameterSyntax]
  ) -> RepositoryMethod.Query? {
    let node = Arguments(mark).unlabeled.first.map { Syntax($0) } ?? Syntax(mark)
    if let text, !text.isEmpty {
      checkVariables(text, parameters.map(\.localName.plainName), at: node)
    }
    return RepositoryMethod.Query(
      text: Arguments(mark).unlabeled.first?.trimmedDescription,
      order: order(mark),
      arguments: parameters.map { ($0.localName.reference, $0.type.trimmedDescription) },
      position: context.location(of: node).map { ("\($0.line)", "\($0.column)") } ?? ("0", "0"),
      location: context.location(forDirectiveAt: node))
  }

  private mutating func checkVariables(_ text: String, _ names: [String], at node: Syntax) {
    let variables = QueryVariables(text)
    for name in variables.free where !names.contains(name) {
      let known = "it has " + names.map { "'\($0)'" }.joined(separator: ", ")
      report(
        "'$\(name)' is not a parameter of the method; "
          + "\(names.isEmpty ? "the method has none" : known)", at: node)
    }
    for name in names where !variables.free.contains(name) {
      report(
        "the text does not use the parameter '\(name)'; write '$\(name)' in it, or drop the "
          + "parameter", at: node)
    }
  }

  private mutating func order(
    _ mark: AttributeSyntax
  ) -> [(path: [String], isAscending: Bool)] {
    guard let expression = Arguments(mark).expression("sortedBy"), let text = literal(expression)
    else { return [] }
    var keys: [(path: [String], isAscending: Bool)] = []
    for part in text.split(separator: ",") {
      let words = part.split(whereSeparator: \.isWhitespace).map(String.init)
      let direction = words.count == 2 ? words[1].lowercased() : "asc"
      guard (1...2).contains(words.count), ["asc", "desc"].contains(direction) else {
        report(
          "'\(String(part))' is not a sort key; write paths separated by commas, each with ASC or "
            + "DESC where you like: \"author.name, year DESC\"", at: expression)
        continue
      }
      keys.append((words[0].split(separator: ".").map(String.init), direction == "asc"))
    }
    return keys
  }
}

/// The variables of a condition in format text.
struct QueryVariables {
  /// The variables that `SUBQUERY` does not bind.
  private(set) var free: Set<String> = []

  init(_ text: String) {
    var bound: Set<String> = []
    var rest = text[...]
    var bindsNext = false
    while let character = rest.first {
      if character == "'" || character == "\"" {
        rest = Self.behindText(rest)
      } else if character == "$" {
        let name = rest.dropFirst().prefix { $0.isLetter || $0.isNumber || $0 == "_" }
        if bindsNext { bound.insert(String(name)) }
        bindsNext = false
        free.insert(String(name))
        rest = rest.dropFirst(name.count + 1)
      } else if character.isLetter {
        let word = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
        if word.uppercased() == "SUBQUERY" { bindsNext = true }
        rest = rest.dropFirst(word.count)
      } else {
        rest = rest.dropFirst()
      }
    }
    free.subtract(bound)
  }

  /// The rest behind a quoted text, in which a backslash escapes the next character.
  private static func behindText(_ rest: Substring) -> Substring {
    guard let quote = rest.first else { return rest }
    var rest = rest.dropFirst()
    while let character = rest.first, character != quote {
      rest = rest.dropFirst(character == "\\" ? 2 : 1)
    }
    return rest.dropFirst()
  }
}
