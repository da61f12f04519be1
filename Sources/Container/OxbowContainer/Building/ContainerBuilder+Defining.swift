internal import OxbowDocuments

extension ContainerBuilder {
  /// Defines one object for the whole container, built when somebody first asks.
  ///
  /// - Parameters:
  ///   - name: The name of the object, unique in its container.
  ///   - weak: Whether the container lets go of the object when nobody else holds it.
  ///   - eager: Whether the object is built together with the container.
  ///   - primary: Whether this object is the one that counts where several fit a type.
  ///   - make: Constructs it: an initializer, or a closure with one parameter for each reference.
  ///   - dependencies: What the constructor needs, in order.
  ///   - file: The source file that defines it, for messages.
  ///   - line: The line in that file.
  ///   - column: The column in that line.
  ///   - configure: Says which properties are set afterwards.
  /// - Returns: A reference to the object.
  @discardableResult
  public func singleton<T: Sendable, each D>(
    _ name: String, weak: Bool = false, eager: Bool = false, primary: Bool = false,
    _ make: @escaping @Sendable (repeat each D) throws -> T,
    _ dependencies: repeat Ref<each D>, file: String = #fileID,
    line: Int = #line,
    column: Int = #column, configure: (inout Injections<T>) -> Void = { _ in }
  ) -> Ref<T> {
    let location = SourceLocation(file: file, line: line, column: column)
    return define(
      name, scope: weak ? WeakSingletonScope() : SingletonScope(), isSendable: true,
      isEager: eager, isPrimary: primary, at: location,
      recipe: .call(make, repeat each dependencies, at: location), configure)
  }

  /// Defines one object for the whole container, taken from a factory.
  ///
  /// - Parameters:
  ///   - name: The name of the object, unique in its container.
  ///   - weak: Whether the container lets go of the object when nobody else holds it.
  ///   - eager: Whether the object is built together with the container.
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
  public func singleton<F: FactoryObject, each D>(
    _ name: String, weak: Bool = false, eager: Bool = false, primary: Bool = false,
    factory: @escaping @Sendable (repeat each D) throws -> F,
    _ dependencies: repeat Ref<each D>, file: String = #fileID,
    line: Int = #line,
    column: Int = #column, configure: (inout Injections<F>) -> Void = { _ in },
    product: (inout Injections<F.Product>) -> Void = { _ in }
  ) -> Ref<F.Product>
  where F.Product: Sendable {
    let location = SourceLocation(file: file, line: line, column: column)
    return define(
      name, scope: weak ? WeakSingletonScope() : SingletonScope(), isSendable: true,
      isEager: eager, isPrimary: primary, at: location,
      factory: .call(factory, repeat each dependencies, at: location), configure, product: product)
  }
}

extension ContainerBuilder {
  /// Defines an object that is made anew for each request and each place where it is injected.
  ///
  /// - Parameters:
  ///   - name: The name of the object, unique in its container.
  ///   - primary: Whether this object is the one that counts where several fit a type.
  ///   - make: Constructs it: an initializer, or a closure with one parameter for each reference.
  ///   - dependencies: What the constructor needs, in order.
  ///   - file: The source file that defines it, for messages.
  ///   - line: The line in that file.
  ///   - column: The column in that line.
  ///   - configure: Says which properties are set afterwards.
  /// - Returns: A reference to the object.
  @discardableResult
  public func prototype<T, each D>(
    _ name: String, primary: Bool = false, _ make: @escaping @Sendable (repeat each D) throws -> T,
    _ dependencies: repeat Ref<each D>, file: String = #fileID, line: Int = #line,
    column: Int = #column, configure: (inout Injections<T>) -> Void = { _ in }
  ) -> Ref<T> {
    let location = SourceLocation(file: file, line: line, column: column)
    return define(
      name, scope: PrototypeScope(), isSendable: false, isPrimary: primary, at: location,
      recipe: .call(make, repeat each dependencies, at: location), configure)
  }

  /// Defines a `Sendable` object that is made anew for each request and place.
  ///
  /// - Parameters:
  ///   - name: The name of the object, unique in its container.
  ///   - primary: Whether this object is the one that counts where several fit a type.
  ///   - make: Constructs it: an initializer, or a closure with one parameter for each reference.
  ///   - dependencies: What the constructor needs, in order.
  ///   - file: The source file that defines it, for messages.
  ///   - line: The line in that file.
  ///   - column: The column in that line.
  ///   - configure: Says which properties are set afterwards.
  /// - Returns: A reference to the object.
  @discardableResult
  public func prototype<T: Sendable, each D>(
    _ name: String, primary: Bool = false, _ make: @escaping @Sendable (repeat each D) throws -> T,
    _ dependencies: repeat Ref<each D>, file: String = #fileID, line: Int = #line,
    column: Int = #column, configure: (inout Injections<T>) -> Void = { _ in }
  ) -> Ref<T> {
    let location = SourceLocation(file: file, line: line, column: column)
    return define(
      name, scope: PrototypeScope(), isSendable: true, isPrimary: primary, at: location,
      recipe: .call(make, repeat each dependencies, at: location), configure)
  }

  /// Defines an object that is taken from a new factory for each request and place.
  ///
  /// - Parameters:
  ///   - name: The name of the object, unique in its container.
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
  public func prototype<F: FactoryObject, each D>(
    _ name: String, primary: Bool = false,
    factory: @escaping @Sendable (repeat each D) throws -> F,
    _ dependencies: repeat Ref<each D>, file: String = #fileID, line: Int = #line,
    column: Int = #column, configure: (inout Injections<F>) -> Void = { _ in },
    product: (inout Injections<F.Product>) -> Void = { _ in }
  ) -> Ref<F.Product> {
    let location = SourceLocation(file: file, line: line, column: column)
    return define(
      name, scope: PrototypeScope(), isSendable: false, isPrimary: primary, at: location,
      factory: .call(factory, repeat each dependencies, at: location), configure, product: product)
  }

  /// Defines a `Sendable` object that is taken from a new factory for each request and place.
  ///
  /// - Parameters:
  ///   - name: The name of the object, unique in its container.
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
  public func prototype<F: FactoryObject, each D>(
    _ name: String, primary: Bool = false,
    factory: @escaping @Sendable (repeat each D) throws -> F,
    _ dependencies: repeat Ref<each D>, file: String = #fileID, line: Int = #line,
    column: Int = #column, configure: (inout Injections<F>) -> Void = { _ in },
    product: (inout Injections<F.Product>) -> Void = { _ in }
  ) -> Ref<F.Product>
  where F.Product: Sendable {
    let location = SourceLocation(file: file, line: line, column: column)
    return define(
      name, scope: PrototypeScope(), isSendable: true, isPrimary: primary, at: location,
      factory: .call(factory, repeat each dependencies, at: location), configure, product: product)
  }
}
