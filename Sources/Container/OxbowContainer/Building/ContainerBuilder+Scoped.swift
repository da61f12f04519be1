internal import OxbowDocuments

/// A scope whose objects have one user at a time, so that they need not be `Sendable`.
///
/// ``ContainerBuilder/prototype(_:primary:_:_:file:line:column:configure:)`` is short for the most
/// usual one.
public struct UnsharedScope: Sendable {
  let scope: any Scope

  /// A new object for each request and each place where it is injected.
  public static let prototype = UnsharedScope(scope: PrototypeScope())

  /// One object for everything that is made for one request.
  ///
  /// A request is one call of the container, of a provider, a factory or a lazy proxy. An object
  /// that outlives its request, such as a singleton, is a request of its own while it is built.
  public static let objectGraph = UnsharedScope(scope: ObjectGraphScope())

  /// One object for each thread, reached by ``Container/withObject(_:as:_:)`` and thread-local
  /// proxies.
  public static let thread = UnsharedScope(scope: ConfinedScope.thread)

  /// One object for each ``Container/withTaskScope(isolation:_:)``, reached in its body and through
  /// task-local proxies.
  public static let task = UnsharedScope(scope: ConfinedScope.task)
}

extension ContainerBuilder {
  /// Defines an object of a scope in which it need not be `Sendable`.
  ///
  /// - Parameters:
  ///   - name: The name of the object, unique in its container.
  ///   - scope: How long it lives.
  ///   - primary: Whether this object is the one that counts where several fit a type.
  ///   - make: Constructs it: an initializer, or a closure with one parameter for each reference.
  ///   - dependencies: What the constructor needs, in order.
  ///   - file: The source file that defines it, for messages.
  ///   - line: The line in that file.
  ///   - column: The column in that line.
  ///   - configure: Says which properties are set afterwards.
  /// - Returns: A reference to the object.
  @discardableResult
  public func scoped<T, each D>(
    _ name: String, in scope: UnsharedScope, primary: Bool = false,
    _ make: @escaping @Sendable (repeat each D) throws -> T,
    _ dependencies: repeat Ref<each D>, file: String = #fileID, line: Int = #line,
    column: Int = #column, configure: (inout Injections<T>) -> Void = { _ in }
  ) -> Ref<T> {
    let location = SourceLocation(file: file, line: line, column: column)
    return define(
      name, scope: scope.scope, isSendable: false, isPrimary: primary, at: location,
      recipe: .call(make, repeat each dependencies, at: location), configure)
  }

  /// Defines a `Sendable` object of such a scope.
  ///
  /// - Parameters:
  ///   - name: The name of the object, unique in its container.
  ///   - scope: How long it lives.
  ///   - primary: Whether this object is the one that counts where several fit a type.
  ///   - make: Constructs it: an initializer, or a closure with one parameter for each reference.
  ///   - dependencies: What the constructor needs, in order.
  ///   - file: The source file that defines it, for messages.
  ///   - line: The line in that file.
  ///   - column: The column in that line.
  ///   - configure: Says which properties are set afterwards.
  /// - Returns: A reference to the object.
  @discardableResult
  public func scoped<T: Sendable, each D>(
    _ name: String, in scope: UnsharedScope, primary: Bool = false,
    _ make: @escaping @Sendable (repeat each D) throws -> T,
    _ dependencies: repeat Ref<each D>, file: String = #fileID, line: Int = #line,
    column: Int = #column, configure: (inout Injections<T>) -> Void = { _ in }
  ) -> Ref<T> {
    let location = SourceLocation(file: file, line: line, column: column)
    return define(
      name, scope: scope.scope, isSendable: true, isPrimary: primary, at: location,
      recipe: .call(make, repeat each dependencies, at: location), configure)
  }

  /// Defines an object of a scope that need not be `Sendable`, taken from a factory.
  ///
  /// - Parameters:
  ///   - name: The name of the object, unique in its container.
  ///   - scope: How long it lives.
  ///   - primary: Whether this object is the one that counts where several fit a type.
  ///   - factory: Constructs the factory.
  ///   - dependencies: What the factory's constructor needs, in order.
  ///   - file: The source file that defines it, for messages.
  ///   - line: The line in that file.
  ///   - column: The column in that line.
  ///   - configure: Says which properties of the factory are set.
  ///   - product: Says which properties of the product are set.
  /// - Returns: A reference to the product.
  @discardableResult
  public func scoped<F: FactoryObject, each D>(
    _ name: String, in scope: UnsharedScope, primary: Bool = false,
    factory: @escaping @Sendable (repeat each D) throws -> F,
    _ dependencies: repeat Ref<each D>, file: String = #fileID, line: Int = #line,
    column: Int = #column, configure: (inout Injections<F>) -> Void = { _ in },
    product: (inout Injections<F.Product>) -> Void = { _ in }
  ) -> Ref<F.Product> {
    let location = SourceLocation(file: file, line: line, column: column)
    return define(
      name, scope: scope.scope, isSendable: false, isPrimary: primary, at: location,
      factory: .call(factory, repeat each dependencies, at: location), configure, product: product)
  }

  /// Defines a `Sendable` object of such a scope, taken from a factory.
  ///
  /// - Parameters:
  ///   - name: The name of the object, unique in its container.
  ///   - scope: How long it lives.
  ///   - primary: Whether this object is the one that counts where several fit a type.
  ///   - factory: Constructs the factory.
  ///   - dependencies: What the factory's constructor needs, in order.
  ///   - file: The source file that defines it, for messages.
  ///   - line: The line in that file.
  ///   - column: The column in that line.
  ///   - configure: Says which properties of the factory are set.
  ///   - product: Says which properties of the product are set.
  /// - Returns: A reference to the product.
  @discardableResult
  public func scoped<F: FactoryObject, each D>(
    _ name: String, in scope: UnsharedScope, primary: Bool = false,
    factory: @escaping @Sendable (repeat each D) throws -> F,
    _ dependencies: repeat Ref<each D>, file: String = #fileID, line: Int = #line,
    column: Int = #column, configure: (inout Injections<F>) -> Void = { _ in },
    product: (inout Injections<F.Product>) -> Void = { _ in }
  ) -> Ref<F.Product>
  where F.Product: Sendable {
    let location = SourceLocation(file: file, line: line, column: column)
    return define(
      name, scope: scope.scope, isSendable: true, isPrimary: primary, at: location,
      factory: .call(factory, repeat each dependencies, at: location), configure, product: product)
  }
}
