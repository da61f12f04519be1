internal import SwiftSyntax

/// The arguments of an attribute, as they are spelled.
struct Arguments {
  private let list: [LabeledExprSyntax]

  init(_ attribute: AttributeSyntax) {
    guard case .argumentList(let arguments) = attribute.arguments else {
      list = []
      return
    }
    list = Array(arguments)
  }

  var isEmpty: Bool { list.isEmpty }

  /// The first argument without a label.
  var first: String? { list.first { $0.label == nil }?.expression.trimmedDescription }

  /// All arguments without a label.
  var unlabeled: [ExprSyntax] { list.filter { $0.label == nil }.map(\.expression) }

  subscript(label: String) -> String? { self.expression(label)?.trimmedDescription }

  /// The arguments with these labels that are given, in that order and under other labels.
  func renamed(_ labels: KeyValuePairs<String, String>) -> [String] {
    labels.compactMap { label, name in self[label].map { "\(name): \($0)" } }
  }

  func expression(_ label: String) -> ExprSyntax? {
    list.first { $0.label?.text == label }?.expression
  }
}
