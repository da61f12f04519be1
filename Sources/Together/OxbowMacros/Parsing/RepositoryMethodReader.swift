internal import SwiftDiagnostics
internal import SwiftSyntax

/// Reads one method of a repository by the grammar of names and labels.
///
/// The name of the method is a verb. Each label is a path of properties and the ending of an
/// operator; some labels are options of the verb. What that cannot say, `@Query` says as text.
struct RepositoryMethodReader {
  private let function: FunctionDeclSyntax
  private let entity: String
  private(set) var parser: RepositoryParser
  private let before: Int

  init(_ function: FunctionDeclSyntax, entity: String, parser: RepositoryParser) {
    self.function = function
    self.entity = entity
    self.parser = parser
    before = parser.diagnostics.count
  }

  /// The endings of labels, longer ones before those that they end with.
  private static let operators: [(ending: String, function: String)] = [
    ("IsNot", "notEqual"), ("Contains", "contains"), ("BeginsWith", "beginsWith"),
    ("EndsWith", "endsWith"), ("AtLeast", "atLeast"), ("AtMost", "atMost"), ("Above", "above"),
    ("After", "above"), ("Below", "below"), ("Before", "below"), ("In", "isIn"),
  ]

  /// Parameters that are no conditions.
  private static let options = ["limit", "offset", "sortedBy", "batchSize", "page"]

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
    if verb == .page, !options.contains(where: { $0.label == "page" }) {
      report(RepositoryDiagnostics.noPage.at(function.name))
    }
    let query = mark.flatMap { self.query($0, text, arguments) }
    return RepositoryMethod(
      attributes: attributes, head: head, name: fullName, verb: verb ?? .find,
      returnsNothing: returnType == "Void", conditions: conditions, options: options, query: query,
      isFaulty: verb == nil || parser.diagnostics.count > before,
      location: parser.locate(Syntax(function.name)))
  }

  private mutating func report(_ diagnostic: Diagnostic) { parser.report(diagnostic) }

  // MARK: - Signature

  private mutating func checkSignature() {
    let name = function.name.text
    let effects = function.signature.effectSpecifiers
    if let async = effects?.asyncSpecifier { report(RepositoryDiagnostics.isAsync(name).at(async)) }
    if effects?.throwsClause?.throwsSpecifier.text != "throws" || effects?.throwsClause?.type != nil
    {
      report(RepositoryDiagnostics.notThrowing(name).at(function.name))
    }
    if function.modifiers.contains("static") {
      report(RepositoryDiagnostics.isStatic(name).at(function))
    }
    if let generic = function.genericParameterClause {
      report(RepositoryDiagnostics.isGeneric(name).at(generic))
    }
    for parameter in function.signature.parameterClause.parameters
    where parameter.ellipsis != nil || !isPlain(parameter.type) {
      report(RepositoryDiagnostics.unusableParameter(name).at(parameter))
    }
  }

  private func isPlain(_ type: TypeSyntax) -> Bool {
    if type.is(FunctionTypeSyntax.self) || type.is(SomeOrAnyTypeSyntax.self) { return false }
    return !type.is(AttributedTypeSyntax.self)
  }

  private var fullName: String {
    let labels = function.signature.parameterClause.parameters.map { $0.firstName.plainName + ":" }
    return "\(function.name.plainName)(\(labels.joined()))"
  }

  private var attributes: String {
    function.attributes.filter { element in
      let name = element.as(AttributeSyntax.self)?.attributeName.lastName
      return name != "Query"
    }.map { $0.trimmedDescription + "\n" }.joined()
  }

  private var head: String {
    function.with(\.attributes, []).with(\.modifiers, []).trimmedDescription
  }

  // MARK: - Verb

  private mutating func verb(isNamed: Bool) -> RepositoryVerb? {
    let name = function.name.plainName
    if let verb = RepositoryVerb(rawValue: name) { return verb }
    guard !isNamed else {
      report(RepositoryDiagnostics.unknownVerb(name).at(function.name))
      return nil
    }
    if name.hasPrefix("delete") { return .delete }
    if let verb = RepositoryVerb.allCases.first(where: { fits(returnType, $0) }) { return verb }
    report(RepositoryDiagnostics.noVerb(name, returns: returnType).at(function.name))
    return nil
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
    }
  }

  private mutating func checkReturnType(_ verb: RepositoryVerb) {
    guard !fits(returnType, verb) else { return }
    let better = RepositoryVerb.allCases.first { $0 != .delete && fits(returnType, $0) }
    let node = function.signature.returnClause.map { Syntax($0.type) } ?? Syntax(function.name)
    report(
      RepositoryDiagnostics.wrongResult(
        verb.rawValue, returnType, wanted: Self.results(verb, entity), better: better?.rawValue
      ).at(node))
  }

  // MARK: - Parameters

  private mutating func option(
    _ parameter: FunctionParameterSyntax, of verb: RepositoryVerb?
  ) -> RepositoryMethod.Option? {
    var label = parameter.firstName.plainName
    if parameter.type.lastName == "PageRequest" { label = "page" }
    guard Self.options.contains(label) else { return nil }
    if label == "page", parameter.type.lastName != "PageRequest" { return nil }
    if let verb, !Self.options(of: verb).contains(label) {
      report(
        RepositoryDiagnostics.unwantedOption(label, verb.rawValue, Self.options(of: verb))
          .at(parameter))
    }
    return RepositoryMethod.Option(label: label, value: value(parameter))
  }

  private static func options(of verb: RepositoryVerb) -> [String] {
    switch verb {
    case .find: ["limit", "offset", "sortedBy"]
    case .first: ["sortedBy"]
    case .stream: ["limit", "offset", "sortedBy", "batchSize"]
    case .page: ["page", "sortedBy"]
    case .count, .exists, .delete: []
    }
  }

  private mutating func condition(
    _ parameter: FunctionParameterSyntax
  ) -> RepositoryMethod.Condition? {
    let label = parameter.firstName.plainName
    guard label != "_" else {
      report(RepositoryDiagnostics.unlabeled(value(parameter)).at(parameter))
      return nil
    }
    let found = Self.operators.first {
      label.hasSuffix($0.ending) && label.count > $0.ending.count
    }
    let path = label.dropLast(found?.ending.count ?? 0).split(
      separator: "_", omittingEmptySubsequences: false
    ).map(String.init)
    guard !path.contains("") else {
      report(RepositoryDiagnostics.emptyStep(label).at(parameter))
      return nil
    }
    return RepositoryMethod.Condition(
      path: path, function: found?.function ?? "equal", value: value(parameter),
      location: parser.locate(Syntax(parameter)))
  }

  private func value(_ parameter: FunctionParameterSyntax) -> String {
    (parameter.secondName ?? parameter.firstName).text
  }

  // MARK: - Texts

  /// The text of a condition, without its quotes.
  private mutating func queryText(_ mark: AttributeSyntax) -> String? {
    guard let expression = Arguments(mark).unlabeled.first else { return nil }
    guard let text = literal(expression) else {
      report(RepositoryDiagnostics.noLiteral.at(expression))
      return ""
    }
    return text
  }

  private func literal(_ expression: ExprSyntax) -> String? {
    guard let literal = expression.as(StringLiteralExprSyntax.self) else { return nil }
    let parts = literal.segments.map { $0.as(StringSegmentSyntax.self)?.content.text }
    return parts.contains(nil) ? nil : parts.compactMap { $0 }.joined()
  }

  private mutating func query(
    _ mark: AttributeSyntax, _ text: String?, _ parameters: [FunctionParameterSyntax]
  ) -> RepositoryMethod.Query? {
    let arguments = parameters.map { (name: $0, value: value($0)) }
    let node = Arguments(mark).unlabeled.first.map { Syntax($0) } ?? Syntax(mark)
    if let text, !text.isEmpty { checkVariables(text, arguments.map(\.value), at: node) }
    return RepositoryMethod.Query(
      text: Arguments(mark).unlabeled.first?.trimmedDescription,
      order: order(mark),
      arguments: parameters.map { (value($0), $0.type.trimmedDescription) },
      position: parser.position(of: node), location: parser.locate(node))
  }

  private mutating func checkVariables(_ text: String, _ names: [String], at node: Syntax) {
    let variables = QueryVariables(text)
    for name in variables.free where !names.contains(name) {
      report(RepositoryDiagnostics.unknownVariable(name, parameters: names).at(node))
    }
    for name in names where !variables.free.contains(name) {
      report(RepositoryDiagnostics.unusedParameter(name).at(node))
    }
  }

  private mutating func order(
    _ mark: AttributeSyntax
  ) -> [(path: [String], isAscending: Bool)] {
    guard let expression = Arguments(mark).expression("sortedBy") else { return [] }
    guard let text = literal(expression) else {
      report(RepositoryDiagnostics.noLiteral.at(expression))
      return []
    }
    var keys: [(path: [String], isAscending: Bool)] = []
    for part in text.split(separator: ",") {
      let words = part.split(whereSeparator: \.isWhitespace).map(String.init)
      let direction = words.count == 2 ? words[1].lowercased() : "asc"
      guard (1...2).contains(words.count), ["asc", "desc"].contains(direction) else {
        report(RepositoryDiagnostics.wrongOrder(String(part)).at(expression))
        continue
      }
      keys.append((words[0].split(separator: ".").map(String.init), direction == "asc"))
    }
    return keys
  }
}

/// The variables of a condition in format text.
struct QueryVariables {
  /// Those that no `SUBQUERY` binds.
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

  /// What follows a text in quotes, in which a backslash escapes the next character.
  private static func behindText(_ rest: Substring) -> Substring {
    guard let quote = rest.first else { return rest }
    var rest = rest.dropFirst()
    while let character = rest.first, character != quote {
      rest = rest.dropFirst(character == "\\" ? 2 : 1)
    }
    return rest.dropFirst()
  }
}
