internal import OxbowDocuments

extension ContainerBuilder {
  /// Gives an object another name.
  ///
  /// ```swift
  /// let bank = builder.singleton("bank", Bank.init)
  /// builder.alias("ledger", of: bank)     // Ref<any Ledger>("ledger") is the bank
  /// ```
  ///
  /// - Parameters:
  ///   - name: The other name, unique in its container.
  ///   - ref: The object; a reference to a definition and not to something that it makes.
  ///   - file: The source file that says so, for messages.
  ///   - line: The line in that file.
  ///   - column: The column in that line.
  /// - Returns: A reference to the object by its other name.
  @discardableResult
  public func alias<T>(
    _ name: String, of ref: Ref<T>, file: String = #fileID, line: Int = #line,
    column: Int = #column
  ) -> Ref<T> {
    let location = SourceLocation(file: file, line: line, column: column)
    guard ref.linking == nil, ref.request == nil else {
      report(.noName("alias \"\(name)\"", at: location))
      return ref
    }
    return add(ObjectAlias(name, of: ref.name, at: location), as: T.self)
  }

  /// Gives an object another name, as files do.
  public func add(_ alias: ObjectAlias) { _ = add(alias, as: Any.self) }
}
