/// Predicates in code: search of text in every script, and members.
extension FetchPredicate {
  /// The text at the path is equal to `text`, apart from what the options overlook.
  public static func equal(_ path: String, _ text: String, _ options: TextOptions) -> Self {
    .comparison(
      .folded(.path(at: path), options), .equal, .folded(.value(text.fetchValue), options))
  }

  /// The text at the path has the form of `pattern`: `*` is any text, `?` is one Unicode scalar.
  public static func like(
    _ path: String, _ pattern: String, _ options: TextOptions = []
  ) -> Self {
    .text(.path(at: path), .like, .value(pattern.fetchValue), options)
  }

  /// The whole text at the path matches a regular expression, as `NSRegularExpression` reads it.
  public static func matches(
    _ path: String, _ expression: String, _ options: TextOptions = []
  ) -> Self {
    .text(.path(at: path), .matches, .value(expression.fetchValue), options)
  }

  /// No object of the to-many relationship at the path meets the condition.
  public static func none(_ path: String, _ condition: FetchPredicate) -> Self {
    .not(.any(path, condition))
  }
}

extension FetchExpression {
  /// The value at the end of a path whose names are joined by dots (`"folder.name"`).
  public static func path(at path: String) -> FetchExpression {
    .path(
      path.isEmpty
        ? [] : path.split(separator: ".", omittingEmptySubsequences: false).map(String.init))
  }
}
