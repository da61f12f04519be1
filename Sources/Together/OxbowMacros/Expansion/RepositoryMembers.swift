internal import SwiftSyntax
internal import SwiftSyntaxBuilder

extension RepositoryProtocol {
  /// The members of the extension: one for each method.
  var members: String { methods.map(member).joined(separator: "\n\n") }

  /// The texts, where there are any, with the record by which `build()` finds them.
  var queries: DeclSyntax? {
    let texts = methods.enumerated().compactMap { number, method in
      method.query.map { (number, method, $0) }
    }
    guard !texts.isEmpty else { return nil }
    let constants = texts.map { number, _, query in
      "  static let query\(number) = RepositoryQuery<\(entity)>("
        + "\(query.text ?? "nil"), sortedBy: [\(query.keys)])"
    }
    let methods = texts.map { number, method, query in
      "      .init(\"\(method.name)\", query\(number), \(query.types), "
        + "line: \(query.position.line), column: \(query.position.column)),\n"
    }
    return """
      /// The texts of `\(raw: name)`.
      nonisolated enum \(raw: queriesName) {
      \(raw: constants.joined(separator: "\n"))

        private static var check: RepositoryCheck {
          RepositoryCheck("\(raw: name)", of: \(raw: entity).self, file: \(raw: file), methods: [
      \(raw: methods.joined())    ], accepts: { $0 is any \(raw: name).Type })
        }

      \(raw: componentRecord(".check(check.definitionCheck)", indentedBy: 2))
      }
      """
  }

  private var queriesName: String { "_Queries" + name }

  private func member(_ method: RepositoryMethod) -> String {
    let intro = "  /// Asks the store, as `\(method.name)` says.\n  "
    let head = intro + method.attributes.indented(by: 2) + memberAccess(access) + method.head
    guard !method.isFaulty else {
      return
        "  /// Never called: the method has a mistake.\n  \(memberAccess(access))\(method.head) "
        + "{\n    fatalError()\n  }"
    }
    let number = methods.firstIndex { $0.head == method.head } ?? 0
    let body = conditions(method) + [result(method, "\(queriesName).query\(number)")]
    return head + " {\n" + body.joined(separator: "\n").indentedLines + "\n  }"
  }

  /// Statements whose errors are shown where the labels are.
  private func conditions(_ method: RepositoryMethod) -> [String] {
    let root = "Match<\(entity)>"
    // The rank is not a property.
    let order = (method.query?.order ?? []).filter { $0.path != ["rank()"] }.map { key in
      located(
        "\(root).checked(\(root).root.\(key.path.joined(separator: ".")))",
        at: method.query?.location ?? "")
    }
    return order
      + method.conditions.enumerated().map { number, condition in
        let path = condition.path.joined(separator: ".")
        return located(
          "let _c\(number): FetchPredicate = \(root).\(condition.function)("
            + "\(root).root.\(path), \"\(path)\", \(condition.value))", at: condition.location)
      }
  }

  private func result(_ method: RepositoryMethod, _ query: String) -> String {
    var condition = method.conditions.indices.map { "_c\($0)" }.joined(separator: " && ")
    if let text = method.query, text.text != nil {
      let list = text.arguments.map { "\"\($0.name.plainName)\": \($0.name)" }.joined(
        separator: ", ")
      condition = "try \(query).condition([\(list.isEmpty ? ":" : list)])"
    }
    if condition.isEmpty { condition = "nil" }
    func value(_ label: String) -> String? { method.options.first { $0.label == label }?.value }
    var options = ["sortedBy", "after", "limit", "offset", "batchSize"].compactMap { label in
      value(label).map { "\(label): \($0)" }
    }
    if let keys = method.query, !keys.order.isEmpty {
      if let given = method.options.firstIndex(where: { $0.label == "sortedBy" }) {
        options[0] = "sortedBy: \(method.options[given].value) + \(query).sortKeys"
      } else {
        options.insert("sortedBy: \(query).sortKeys", at: 0)
      }
    }
    let word = method.returnsNothing ? "" : "return "
    let name = method.verb.rawValue
    // These are methods of `Repository` itself.
    let isRepositorys = [.count, .slice, .page].contains(method.verb)
    let first = [value("page"), isRepositorys ? "where: \(condition)" : condition]
    let list = (first.compactMap(\.self) + options).joined(separator: ", ")
    return located(
      "\(word)try \(isRepositorys ? "self." : "_")\(name)(\(list))", at: method.location)
  }
}

extension RepositoryMethod.Query {
  fileprivate var keys: String {
    order.map {
      "SortKey(\"\($0.path.joined(separator: "."))\"\($0.isAscending ? "" : ", ascending: false"))"
    }.joined(separator: ", ")
  }

  fileprivate var types: String {
    let list = arguments.map { "\"\($0.name.plainName)\": (\($0.type)).self" }
    return "[\(list.isEmpty ? ":" : list.joined(separator: ", "))]"
  }
}

extension String {
  /// The lines, indented except for directives, which must begin a line.
  fileprivate var indentedLines: String {
    split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.hasPrefix("#sourceLocation") ? String($0) : "    " + $0 }
      .joined(separator: "\n")
  }
}
