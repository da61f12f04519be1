package import OxbowDocuments

/// How an object is constructed: what that needs, and how it is linked.
package struct Recipe<T> {
  package let dependencies: [Dependency]
  package let link: (Linker) throws -> Constructor<T>

  package init(dependencies: [Dependency], link: @escaping (Linker) throws -> Constructor<T>) {
    self.dependencies = dependencies
    self.link = link
  }

  /// A recipe that calls a function with the objects of references.
  package static func call<each D>(
    _ make: @escaping @Sendable (repeat each D) throws -> T, _ references: repeat Ref<each D>,
    labels: [String?] = [], at location: SourceLocation?
  ) -> Recipe<T> {
    var dependencies: [Dependency] = []
    var position = 0
    for ref in repeat each references {
      let label = position < labels.count ? labels[position] : nil
      position += 1
      let number = position
      dependencies += ref.dependencies(
        .construction,
        role: label.map { .argument($0) } ?? .other { "initializer argument \(number)" },
        at: location)
    }
    return Recipe(dependencies: dependencies) { linker in
      PackConstructor(make, (repeat try linker.provider(of: each references)))
    }
  }
}

/// How one property is set: what that needs, and how it is linked.
package struct Injection<T> {
  package let dependencies: [Dependency]
  package let link: (Linker) throws -> Injector<T>

  package init(dependencies: [Dependency], link: @escaping (Linker) throws -> Injector<T>) {
    self.dependencies = dependencies
    self.link = link
  }

  /// What some injections need.
  ///
  /// A loop, because a key path in generic code is made anew each time.
  package static func dependencies(of injections: [Injection<T>]) -> [Dependency] {
    var dependencies: [Dependency] = []
    for injection in injections { dependencies += injection.dependencies }
    return dependencies
  }

  /// An injection that hands the object of a reference to a setter.
  package static func reference<V>(
    _ ref: Ref<V>, role: InjectionSite.Path, at location: SourceLocation?,
    set: @escaping @Sendable (T, V) throws -> Void
  ) -> Injection<T> {
    Injection(dependencies: ref.dependencies(.injection, role: role, at: location)) { linker in
      let provider = try linker.provider(of: ref)
      return { object, session in try set(object, provider.make(session)) }
    }
  }
}

extension Ref {
  /// What the reference needs: none for a constant.
  package func dependencies(
    _ when: Dependency.Moment, role: InjectionSite.Path, at location: SourceLocation?
  ) -> [Dependency] {
    guard use != .constant else { return [] }
    return [
      Dependency(
        target: name, use: use, when: when, role: role, location: location, type: T.self,
        requiresSendable: requiresSendable, request: request, isOptional: isOptional, fit: fit)
    ]
  }
}
