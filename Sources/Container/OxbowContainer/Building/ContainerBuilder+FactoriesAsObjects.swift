internal import OxbowDocuments

// Factories that are defined as what they are, which seldom is what was meant.

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
    named name: String? = nil, traits: DefinitionTraits<SharedScope> = [],
    _ make: @escaping @Sendable (repeat each D) throws -> F,
    _ dependencies: repeat Ref<each D>, file: String = #fileID, line: Int = #line,
    configure: (inout Injections<F>) -> Void = { _ in }
  ) -> Ref<F> {
    let location = SourceLocation(file: file, line: line)
    return define(
      name, traits.scope, isSendable: true, traits, at: location,
      .call(make, repeat each dependencies, at: location), configure)
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
    named name: String? = nil, in scope: UnsharedScope = .prototype,
    traits: DefinitionTraits<UnsharedScope> = [],
    _ make: @escaping @Sendable (repeat each D) throws -> F,
    _ dependencies: repeat Ref<each D>, file: String = #fileID, line: Int = #line,
    configure: (inout Injections<F>) -> Void = { _ in }
  ) -> Ref<F> {
    let location = SourceLocation(file: file, line: line)
    return define(
      name, scope.scope, isSendable: false, traits, at: location,
      .call(make, repeat each dependencies, at: location), configure)
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
    named name: String? = nil, in scope: UnsharedScope = .prototype,
    traits: DefinitionTraits<UnsharedScope> = [],
    _ make: @escaping @Sendable (repeat each D) throws -> F,
    _ dependencies: repeat Ref<each D>, file: String = #fileID, line: Int = #line,
    configure: (inout Injections<F>) -> Void = { _ in }
  ) -> Ref<F> {
    let location = SourceLocation(file: file, line: line)
    return define(
      name, scope.scope, isSendable: true, traits, at: location,
      .call(make, repeat each dependencies, at: location), configure)
  }
}
