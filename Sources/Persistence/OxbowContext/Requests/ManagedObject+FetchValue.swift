public import OxbowModel

extension ManagedObject: FetchValueConvertible {
  /// The object as a constant of a predicate: its ID.
  ///
  /// ```swift
  /// let books = FetchRequest<Book>(where: .equal("author", author))
  /// ```
  public var fetchValue: FetchValue { objectID.fetchValue }
}
