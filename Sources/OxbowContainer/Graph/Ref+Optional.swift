extension Ref {
  /// A reference that delivers nil where nothing is defined.
  ///
  /// Of a reference by name the name may be missing; of one by type there may be no object that fits,
  /// while several are a problem as ever. A definition that is there and faulty is one, too.
  ///
  /// ```swift
  /// builder.singleton("mailer", Mailer.init(log:), Ref<any Log>("log").optional)   // init(log: (any Log)?)
  /// ```
  public var optional: Ref<T?> {
    let object = self
    let fit = fit
    var ref = Ref<T?>(name, use: use, requiresSendable: requiresSendable, fit: fit) { linker in
      if object.use != .constant, linker.isAbsent(object.name) { return ConstantProvider(nil) }
      let provider = try linker.provider(of: object)
      return provider.cast(to: T?.self, named: object.name)
    }
    ref.request = request
    ref.location = location
    ref.isOptional = true
    return ref
  }

  /// A reference by name that delivers nil where nothing has the name: `Ref<any Log>.optional("log")`.
  ///
  /// - Parameters:
  ///   - name: The name of the definition.
  ///   - file: The source file of the reference, for messages.
  ///   - line: The line in that file.
  ///   - column: The column in that line.
  /// - Returns: The reference.
  public static func optional(
    _ name: String, file: String = #fileID, line: Int = #line, column: Int = #column
  ) -> Ref<T?> {
    Ref(name, file: file, line: line, column: column).optional
  }

  /// A reference by name to an object that must be `Sendable`, or to nothing.
  public static func optional(
    _ name: String, file: String = #fileID, line: Int = #line, column: Int = #column
  ) -> Ref<T?> where T: Sendable {
    Ref(name, file: file, line: line, column: column).optional
  }
}
