internal import OxbowDocuments

// Factories that are defined as what they are, which seldom is what somebody means.

extension ContainerBuilder {
  /// Defines a factory, and not what it makes.
  @available(
    *, deprecated,
    message: """
      this defines the factory itself; write 'factory:' before it to define what it makes, or have \
      a closure return 'any FactoryObject<Product> & Sendable' if the factory is meant
      """
  )
  @discardableResult
  public func singleton<F: FactoryObject & Sendable, each D>(
    _ name: String, weak: Bool = false, eager: Bool = false, primary: Bool = false,
    _ make: @escaping @Sendable (repeat each D) throws -> F,
    _ dependencies: repeat Ref<each D>, file: String = #fileID, line: Int = #line,
    column: Int = #column, configure: (inout Injections<F>) -> Void = { _ in }
  ) -> Ref<F> {
    let location = SourceLocation(file: file, line: line, column: column)
    return define(
      name, scope: weak ? WeakSingletonScope() : SingletonScope(), isSendable: true,
      isEager: eager, isPrimary: primary, at: location,
      recipe: .call(make, repeat each dependencies, at: location), configure)
  }

  /// Defines a factory, and not what it makes.
  @available(
    *, deprecated,
    message: """
      this defines the factory itself; write 'factory:' before it to define what it makes, or have \
      a closure return 'any FactoryObject<Product>' if the factory is meant
      """
  )
  @discardableResult
  public func prototype<F: FactoryObject, each D>(
    _ name: String, primary: Bool = false, _ make: @escaping @Sendable (repeat each D) throws -> F,
    _ dependencies: repeat Ref<each D>, file: String = #fileID, line: Int = #line,
    column: Int = #column, configure: (inout Injections<F>) -> Void = { _ in }
  ) -> Ref<F> {
    let location = SourceLocation(file: file, line: line, column: column)
    return define(
      name, scope: PrototypeScope(), isSendable: false, isPrimary: primary, at: location,
      recipe: .call(make, repeat each dependencies, at: location), configure)
  }

  /// Defines a `Sendable` factory, and not what it makes.
  @available(
    *, deprecated,
    message: """
      this defines the factory itself; write 'factory:' before it to define what it makes, or have \
      a closure return 'any FactoryObject<Product> & Sendable' if the factory is meant
      """
  )
  @discardableResult
  public func prototype<F: FactoryObject & Sendable, each D>(
    _ name: String, primary: Bool = false, _ make: @escaping @Sendable (repeat each D) throws -> F,
    _ dependencies: repeat Ref<each D>, file: String = #fileID, line: Int = #line,
    column: Int = #column, configure: (inout Injections<F>) -> Void = { _ in }
  ) -> Ref<F> {
    let location = SourceLocation(file: file, line: line, column: column)
    return define(
      name, scope: PrototypeScope(), isSendable: true, isPrimary: primary, at: location,
      recipe: .call(make, repeat each dependencies, at: location), configure)
  }
}
