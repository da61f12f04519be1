internal import OxbowDocuments

extension ContainerBuilder {
  /// Defines one object for the whole container, built when it is first asked for.
  ///
  /// ```swift
  /// let mailer = builder.singleton(ConsoleMailer.init)
  /// builder.singleton(named: "shop", Shop.init(mailer:), mailer)
  /// ```
  ///
  /// - Parameters:
  ///   - name: The name of the object, unique in its container; by default that of its type with a
  ///     small letter: `consoleMailer`.
  ///   - traits: What else is to be said of it.
  ///   - make: Constructs it: an initializer, or a closure with one parameter for each reference.
  ///   - dependencies: What the constructor needs, in order.
  ///   - file: The source file that defines it, for messages.
  ///   - line: The line in that file.
  ///   - configure: Says which properties are set afterwards.
  /// - Returns: A reference to the object.
  @discardableResult
  public func singleton<T: Sendable, each D>(
    named name: String? = nil, traits: DefinitionTraits<SharedScope> = [],
    _ make: @escaping @Sendable (repeat each D) throws -> T,
    _ dependencies: repeat Ref<each D>, file: String = #fileID, line: Int = #line,
    configure: (inout Injections<T>) -> Void = { _ in }
  ) -> Ref<T> {
    let location = SourceLocation(file: file, line: line)
    return define(
      name, traits.scope, isSendable: true, traits, at: location,
      .call(make, repeat each dependencies, at: location), configure)
  }

  /// Defines one object for the whole container, taken from a factory.
  ///
  /// `factory` constructs the factory from `dependencies`, `configure` says which of the factory's
  /// properties are set, and `product` which of the product's.
  ///
  /// - Returns: A reference to the product.
  @discardableResult
  public func singleton<F: FactoryObject, each D>(
    named name: String? = nil, traits: DefinitionTraits<SharedScope> = [],
    factory: @escaping @Sendable (repeat each D) throws -> F,
    _ dependencies: repeat Ref<each D>, file: String = #fileID, line: Int = #line,
    configure: (inout Injections<F>) -> Void = { _ in },
    product: (inout Injections<F.Product>) -> Void = { _ in }
  ) -> Ref<F.Product> where F.Product: Sendable {
    let location = SourceLocation(file: file, line: line)
    return define(
      name, traits.scope, isSendable: true, traits, at: location,
      factory: .call(factory, repeat each dependencies, at: location), configure, product)
  }

  /// Defines an object that is made anew: for each request and each place where it is injected, or
  /// for each object graph, thread or task.
  ///
  /// ```swift
  /// builder.prototype(Report.init(mailer:), mailer)
  /// builder.prototype(named: "basket", in: .thread, Basket.init)
  /// ```
  ///
  /// - Parameters:
  ///   - name: The name of the object, unique in its container; by default that of its type.
  ///   - scope: How often it is made.
  ///   - traits: What else is to be said of it.
  ///   - make: Constructs it: an initializer, or a closure with one parameter for each reference.
  ///   - dependencies: What the constructor needs, in order.
  ///   - file: The source file that defines it, for messages.
  ///   - line: The line in that file.
  ///   - configure: Says which properties are set afterwards.
  /// - Returns: A reference to the object.
  @discardableResult
  public func prototype<T, each D>(
    named name: String? = nil, in scope: UnsharedScope = .prototype,
    traits: DefinitionTraits<UnsharedScope> = [],
    _ make: @escaping @Sendable (repeat each D) throws -> T,
    _ dependencies: repeat Ref<each D>, file: String = #fileID, line: Int = #line,
    configure: (inout Injections<T>) -> Void = { _ in }
  ) -> Ref<T> {
    let location = SourceLocation(file: file, line: line)
    return define(
      name, scope.scope, isSendable: false, traits, at: location,
      .call(make, repeat each dependencies, at: location), configure)
  }

  /// Defines a `Sendable` object that is made anew; the parameters are those of any other.
  @discardableResult
  public func prototype<T: Sendable, each D>(
    named name: String? = nil, in scope: UnsharedScope = .prototype,
    traits: DefinitionTraits<UnsharedScope> = [],
    _ make: @escaping @Sendable (repeat each D) throws -> T,
    _ dependencies: repeat Ref<each D>, file: String = #fileID, line: Int = #line,
    configure: (inout Injections<T>) -> Void = { _ in }
  ) -> Ref<T> {
    let location = SourceLocation(file: file, line: line)
    return define(
      name, scope.scope, isSendable: true, traits, at: location,
      .call(make, repeat each dependencies, at: location), configure)
  }

  /// Defines an object that is made anew, each time by a new factory; `scope` says how often, and
  /// the other parameters are those of a singleton that a factory makes.
  ///
  /// - Returns: A reference to the product.
  @discardableResult
  public func prototype<F: FactoryObject, each D>(
    named name: String? = nil, in scope: UnsharedScope = .prototype,
    traits: DefinitionTraits<UnsharedScope> = [],
    factory: @escaping @Sendable (repeat each D) throws -> F,
    _ dependencies: repeat Ref<each D>, file: String = #fileID, line: Int = #line,
    configure: (inout Injections<F>) -> Void = { _ in },
    product: (inout Injections<F.Product>) -> Void = { _ in }
  ) -> Ref<F.Product> {
    let location = SourceLocation(file: file, line: line)
    return define(
      name, scope.scope, isSendable: false, traits, at: location,
      factory: .call(factory, repeat each dependencies, at: location), configure, product)
  }

  /// Defines a `Sendable` object that is made anew, each time by a new factory; the parameters are
  /// those of any other.
  @discardableResult
  public func prototype<F: FactoryObject, each D>(
    named name: String? = nil, in scope: UnsharedScope = .prototype,
    traits: DefinitionTraits<UnsharedScope> = [],
    factory: @escaping @Sendable (repeat each D) throws -> F,
    _ dependencies: repeat Ref<each D>, file: String = #fileID, line: Int = #line,
    configure: (inout Injections<F>) -> Void = { _ in },
    product: (inout Injections<F.Product>) -> Void = { _ in }
  ) -> Ref<F.Product> where F.Product: Sendable {
    let location = SourceLocation(file: file, line: line)
    return define(
      name, scope.scope, isSendable: true, traits, at: location,
      factory: .call(factory, repeat each dependencies, at: location), configure, product)
  }
}

extension ContainerBuilder {
  /// Defines an object of a recipe; without a name it has that of its type.
  func define<T, S>(
    _ name: String?, _ scope: any Scope, isSendable: Bool, _ traits: DefinitionTraits<S> = [],
    isHidden: Bool = false, at location: SourceLocation, _ recipe: Recipe<T>,
    _ configure: (inout Injections<T>) -> Void
  ) -> Ref<T> {
    var injections = Injections<T>(at: location)
    configure(&injections)
    let name = name ?? defaultName(of: T.self)
    if !isHidden, T.self is any FactoryObject.Type {
      note(
        ContainerError.Note(
          "object \"\(name)\" is the factory itself, and not what it makes; write factory: before "
            + "the factory to define that", at: location))
    }
    return add(
      Binding(
        name, scope: scope, location: location, isSendable: isSendable, recipe: recipe,
        injections: injections), traits, isHidden: isHidden)
  }

  private func define<F: FactoryObject, S>(
    _ name: String?, _ scope: any Scope, isSendable: Bool, _ traits: DefinitionTraits<S>,
    at location: SourceLocation, factory: Recipe<F>, _ configure: (inout Injections<F>) -> Void,
    _ configureProduct: (inout Injections<F.Product>) -> Void
  ) -> Ref<F.Product> {
    var injections = Injections<F>(at: location, noun: "factory property")
    configure(&injections)
    var productInjections = Injections<F.Product>(at: location, noun: "product property")
    configureProduct(&productInjections)
    let binding = Binding(
      name ?? defaultName(of: F.Product.self), scope: scope, location: location,
      isSendable: isSendable, recipe: .product(of: factory, injections: injections),
      injections: productInjections)
    binding.objects = .open
    return add(binding, traits)
  }

  private func add<T, S>(
    _ binding: Binding<T>, _ traits: DefinitionTraits<S>, isHidden: Bool = false
  ) -> Ref<T> {
    binding.isEager = DefinitionTraits(rawValue: traits.rawValue).contains(.eager)
    binding.isPrimary = traits.contains(.primary)
    return add(binding, isHidden: isHidden)
  }

  /// The name of a definition that has none of its own: that of its type with a small letter.
  ///
  /// `consoleMailer` of `ConsoleMailer`, `urlSession` of `URLSession`, `mailer` of `any Mailer`,
  /// `cache` of `Cache<String>`.
  func defaultName(of type: any Any.Type) -> String {
    let name = "\(type)"
    let bare = name.hasPrefix("any ") ? name.dropFirst(4) : name[...]
    let word = bare.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
    let capitals = word.prefix { $0.isUppercase }
    // Of several capitals the last one begins the next word: `URLSession`.
    let small = capitals.count > 1 && capitals.count < word.count ? capitals.dropLast() : capitals
    let result = small.lowercased() + word.dropFirst(small.count)
    defaultNames.insert(result)
    return result
  }
}
