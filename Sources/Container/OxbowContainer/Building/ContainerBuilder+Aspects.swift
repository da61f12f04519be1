internal import OxbowDocuments

extension ContainerBuilder {
  /// Defines an aspect: one object for the whole container, run around the calls that a pointcut
  /// selects.
  ///
  /// ```swift
  /// builder.aspect(on: .objects(of: (any Books).self).methods("delete"), Audit.init)
  /// ```
  ///
  /// Objects with aspects are reached through the proxy of a `@Proxied` protocol, which takes
  /// their place and their name: what needs one asks for the protocol and not for the class.
  ///
  /// - Parameters:
  ///   - name: The name of the aspect, unique in its container; by default that of its type.
  ///   - pointcut: Which calls it runs around.
  ///   - order: Aspects with smaller numbers are the outer ones; those with the same number follow
  ///     in the order of their definitions.
  ///   - make: Constructs it.
  ///   - dependencies: What the constructor needs, in order.
  ///   - file: The source file that defines it, for messages.
  ///   - line: The line in that file.
  /// - Returns: A reference to the aspect.
  @discardableResult
  public func aspect<T: Advice, each D>(
    named name: String? = nil, on pointcut: Pointcut, order: Int = 0,
    _ make: @escaping @Sendable (repeat each D) throws -> T,
    _ dependencies: repeat Ref<each D>, file: String = #fileID, line: Int = #line
  ) -> Ref<T> {
    aspect(
      named: name, on: [pointcut], order: order, make, repeat each dependencies, file: file,
      line: line)
  }

  /// Defines an aspect that runs around what several pointcuts select.
  ///
  /// The other parameters are those of the function for one pointcut.
  @discardableResult
  public func aspect<T: Advice, each D>(
    named name: String? = nil, on pointcuts: [Pointcut], order: Int = 0,
    _ make: @escaping @Sendable (repeat each D) throws -> T,
    _ dependencies: repeat Ref<each D>, file: String = #fileID, line: Int = #line
  ) -> Ref<T> {
    let location = SourceLocation(file: file, line: line)
    let ref = define(
      name, SingletonScope(), isSendable: true, DefinitionTraits<SharedScope>(), at: location,
      .call(make, repeat each dependencies, at: location), { _ in })
    add(AspectBinding(ref.name, pointcuts, order: order, at: location))
    return ref
  }
}
