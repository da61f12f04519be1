// Calls that cannot work, so that the compiler says what to write in their place. None is ever
// called.

extension Container {
  /// Refused: nothing says the type.
  @available(
    *, unavailable,
    message: """
      nothing says the type of the object; write 'let name: Type = try container.object("…")', or \
      'as: Type.self'
      """
  )
  @_disfavoredOverload
  public func object(_ name: String) throws -> Never { neverCalled() }
}

extension ContainerBuilder {
  /// Refused: a closure gets objects, not the container.
  @available(
    *, unavailable,
    message: """
      the closure gets the objects that it needs, not the container; write '{ Dispatch(courier: \
      $0) }, courier' with one Ref for each parameter
      """
  )
  @_disfavoredOverload @discardableResult
  public func singleton<T>(
    named name: String? = nil, _ make: (Container) throws -> T
  ) -> Ref<T> { neverCalled() }

  /// Refused: the references and the parameters differ in number or type.
  @available(
    *, unavailable,
    message: """
      one Ref is needed for each parameter, in order and of its type: an object is a Ref that a \
      definition returned or 'Ref<Type>("name")', a 'Provider<Type>' the '.provider' of such a \
      Ref, a value 'Ref.value(…)'; a parameter with a default needs one too, or a closure that \
      leaves it out, and where a parameter is a protocol a closure takes the object: '{ Shop(mailer: $0) }'
      """
  )
  @_disfavoredOverload @discardableResult
  public func singleton<T, each D, First, each R>(
    named name: String? = nil, _ make: (repeat each D) throws -> T, _ first: First,
    _ dependencies: repeat each R
  ) -> Ref<T> { neverCalled() }

  /// Refused: a closure gets objects, not the container.
  @available(
    *, unavailable,
    message: """
      the closure gets the objects that it needs, not the container; write '{ Dispatch(courier: \
      $0) }, courier' with one Ref for each parameter
      """
  )
  @_disfavoredOverload @discardableResult
  public func prototype<T>(
    named name: String? = nil, _ make: (Container) throws -> T
  ) -> Ref<T> { neverCalled() }

  /// Refused: the references and the parameters differ in number or type.
  @available(
    *, unavailable,
    message: """
      one Ref is needed for each parameter, in order and of its type: an object is a Ref that a \
      definition returned or 'Ref<Type>("name")', a 'Provider<Type>' the '.provider' of such a \
      Ref, a value 'Ref.value(…)'; a parameter with a default needs one too, or a closure that \
      leaves it out, and where a parameter is a protocol a closure takes the object: '{ Shop(mailer: $0) }'
      """
  )
  @_disfavoredOverload @discardableResult
  public func prototype<T, each D, First, each R>(
    named name: String? = nil, _ make: (repeat each D) throws -> T, _ first: First,
    _ dependencies: repeat each R
  ) -> Ref<T> { neverCalled() }
}

extension Injections {
  /// Refused: the object's type is not that of the property.
  @available(
    *, unavailable,
    message: """
      the object has another type than the property; where that is a protocol, write 'set(ref, \
      named: "property") { $0.property = $1 }'
      """
  )
  @_disfavoredOverload
  public mutating func set<V, Other>(_ property: ReferenceWritableKeyPath<T, V>, _ ref: Ref<Other>)
  {
    neverCalled()
  }
}

private func neverCalled() -> Never {
  preconditionFailure("the compiler refuses every call of this")
}
