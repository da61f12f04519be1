// Definitions without a name of their own. Each is called by its type, as `defaultName(of:)` says;
// there is one for each function that takes a name, with the same parameters.

extension ContainerBuilder {
  /// Defines one object for the whole container, built when somebody first asks, and named after
  /// its type: a `ConsoleMailer` is called `consoleMailer`.
  ///
  /// ```swift
  /// let mailer = builder.singleton(ConsoleMailer.init)
  /// let report = builder.prototype(Report.init(mailer:), mailer)
  /// ```
  ///
  /// The parameters are those of the definition with a name. A second definition of the same name
  /// is a problem of ``build()``, which says where both are.
  ///
  /// - Returns: A reference to the object.
  @discardableResult
  public func singleton<T: Sendable, each D>(
    weak: Bool = false, eager: Bool = false, primary: Bool = false,
    _ make: @escaping @Sendable (repeat each D) throws -> T,
    _ dependencies: repeat Ref<each D>, file: String = #fileID, line: Int = #line,
    column: Int = #column, configure: (inout Injections<T>) -> Void = { _ in }
  ) -> Ref<T> {
    singleton(
      name(after: T.self), weak: weak, eager: eager, primary: primary, make,
      repeat each dependencies, file: file, line: line, column: column, configure: configure)
  }

  /// Defines one object for the whole container, taken from a factory, and named after its type.
  ///
  /// - Returns: A reference to the product.
  @discardableResult
  public func singleton<F: FactoryObject, each D>(
    weak: Bool = false, eager: Bool = false, primary: Bool = false,
    factory: @escaping @Sendable (repeat each D) throws -> F,
    _ dependencies: repeat Ref<each D>, file: String = #fileID, line: Int = #line,
    column: Int = #column, configure: (inout Injections<F>) -> Void = { _ in },
    product: (inout Injections<F.Product>) -> Void = { _ in }
  ) -> Ref<F.Product>
  where F.Product: Sendable {
    singleton(
      name(after: F.Product.self), weak: weak, eager: eager, primary: primary, factory: factory,
      repeat each dependencies, file: file, line: line, column: column, configure: configure,
      product: product)
  }

  /// Defines an object that is made anew for each request and injection, and named after its type.
  ///
  /// - Returns: A reference to the object.
  @discardableResult
  public func prototype<T, each D>(
    primary: Bool = false, _ make: @escaping @Sendable (repeat each D) throws -> T,
    _ dependencies: repeat Ref<each D>, file: String = #fileID, line: Int = #line,
    column: Int = #column, configure: (inout Injections<T>) -> Void = { _ in }
  ) -> Ref<T> {
    prototype(
      name(after: T.self), primary: primary, make, repeat each dependencies, file: file, line: line,
      column: column, configure: configure)
  }

  /// Defines a `Sendable` object that is made anew for each request and injection, and named after
  /// its type.
  ///
  /// - Returns: A reference to the object.
  @discardableResult
  public func prototype<T: Sendable, each D>(
    primary: Bool = false, _ make: @escaping @Sendable (repeat each D) throws -> T,
    _ dependencies: repeat Ref<each D>, file: String = #fileID, line: Int = #line,
    column: Int = #column, configure: (inout Injections<T>) -> Void = { _ in }
  ) -> Ref<T> {
    prototype(
      name(after: T.self), primary: primary, make, repeat each dependencies, file: file, line: line,
      column: column, configure: configure)
  }

  /// Defines an object that is taken from a new factory for each request and injection, and named
  /// after its type.
  ///
  /// - Returns: A reference to the product.
  @discardableResult
  public func prototype<F: FactoryObject, each D>(
    primary: Bool = false, factory: @escaping @Sendable (repeat each D) throws -> F,
    _ dependencies: repeat Ref<each D>, file: String = #fileID, line: Int = #line,
    column: Int = #column, configure: (inout Injections<F>) -> Void = { _ in },
    product: (inout Injections<F.Product>) -> Void = { _ in }
  ) -> Ref<F.Product> {
    prototype(
      name(after: F.Product.self), primary: primary, factory: factory, repeat each dependencies,
      file: file, line: line, column: column, configure: configure, product: product)
  }

  /// Defines a `Sendable` object that is taken from a new factory for each request and injection,
  /// and named after its type.
  ///
  /// - Returns: A reference to the product.
  @discardableResult
  public func prototype<F: FactoryObject, each D>(
    primary: Bool = false, factory: @escaping @Sendable (repeat each D) throws -> F,
    _ dependencies: repeat Ref<each D>, file: String = #fileID, line: Int = #line,
    column: Int = #column, configure: (inout Injections<F>) -> Void = { _ in },
    product: (inout Injections<F.Product>) -> Void = { _ in }
  ) -> Ref<F.Product>
  where F.Product: Sendable {
    prototype(
      name(after: F.Product.self), primary: primary, factory: factory, repeat each dependencies,
      file: file, line: line, column: column, configure: configure, product: product)
  }

  /// Defines an object of a scope in which it need not be `Sendable`, named after its type.
  ///
  /// - Returns: A reference to the object.
  @discardableResult
  public func scoped<T, each D>(
    in scope: UnsharedScope, primary: Bool = false,
    _ make: @escaping @Sendable (repeat each D) throws -> T,
    _ dependencies: repeat Ref<each D>, file: String = #fileID, line: Int = #line,
    column: Int = #column, configure: (inout Injections<T>) -> Void = { _ in }
  ) -> Ref<T> {
    scoped(
      name(after: T.self), in: scope, primary: primary, make, repeat each dependencies, file: file,
      line: line, column: column, configure: configure)
  }

  /// Defines a `Sendable` object of such a scope, named after its type.
  ///
  /// - Returns: A reference to the object.
  @discardableResult
  public func scoped<T: Sendable, each D>(
    in scope: UnsharedScope, primary: Bool = false,
    _ make: @escaping @Sendable (repeat each D) throws -> T,
    _ dependencies: repeat Ref<each D>, file: String = #fileID, line: Int = #line,
    column: Int = #column, configure: (inout Injections<T>) -> Void = { _ in }
  ) -> Ref<T> {
    scoped(
      name(after: T.self), in: scope, primary: primary, make, repeat each dependencies, file: file,
      line: line, column: column, configure: configure)
  }

  /// Defines an object of a scope that need not be `Sendable`, taken from a factory and named after
  /// its type.
  ///
  /// - Returns: A reference to the product.
  @discardableResult
  public func scoped<F: FactoryObject, each D>(
    in scope: UnsharedScope, primary: Bool = false,
    factory: @escaping @Sendable (repeat each D) throws -> F,
    _ dependencies: repeat Ref<each D>, file: String = #fileID, line: Int = #line,
    column: Int = #column, configure: (inout Injections<F>) -> Void = { _ in },
    product: (inout Injections<F.Product>) -> Void = { _ in }
  ) -> Ref<F.Product> {
    scoped(
      name(after: F.Product.self), in: scope, primary: primary, factory: factory,
      repeat each dependencies, file: file, line: line, column: column, configure: configure,
      product: product)
  }

  /// Defines a `Sendable` object of such a scope, taken from a factory and named after its type.
  ///
  /// - Returns: A reference to the product.
  @discardableResult
  public func scoped<F: FactoryObject, each D>(
    in scope: UnsharedScope, primary: Bool = false,
    factory: @escaping @Sendable (repeat each D) throws -> F,
    _ dependencies: repeat Ref<each D>, file: String = #fileID, line: Int = #line,
    column: Int = #column, configure: (inout Injections<F>) -> Void = { _ in },
    product: (inout Injections<F.Product>) -> Void = { _ in }
  ) -> Ref<F.Product>
  where F.Product: Sendable {
    scoped(
      name(after: F.Product.self), in: scope, primary: primary, factory: factory,
      repeat each dependencies, file: file, line: line, column: column, configure: configure,
      product: product)
  }

  private func name<T>(after type: T.Type) -> String {
    let name = Self.defaultName(of: type)
    defaultNames.insert(name)
    return name
  }

  /// The name of a definition that has none of its own: that of its type with a small letter.
  ///
  /// `consoleMailer` of `ConsoleMailer`, `urlSession` of `URLSession`, `mailer` of `any Mailer`,
  /// `cache` of `Cache<String>`.
  private static func defaultName(of type: any Any.Type) -> String {
    let name = "\(type)"
    let bare = name.hasPrefix("any ") ? name.dropFirst(4) : name[...]
    let word = bare.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
    let capitals = word.prefix { $0.isUppercase }
    // Of several capitals the last one begins the next word: `URLSession`.
    let small = capitals.count > 1 && capitals.count < word.count ? capitals.dropLast() : capitals
    return small.lowercased() + word.dropFirst(small.count)
  }
}
