internal import OxbowDocuments

/// What a patched container has in place of another one's objects.
///
/// See ``Container/patched(file:line:column:_:)``.
public struct ContainerPatch {
  private(set) var changes = ContainerPlan.Changes()
  let location: SourceLocation

  init(at location: SourceLocation) { self.location = location }

  // MARK: - Replacing

  /// Puts another object in the place of one.
  ///
  /// The definition keeps its name and scope, and is eager if it was; what it constructed and
  /// injected counts no more. The object may have another type as long as it fits everywhere the
  /// name is referred to. A converter or post-processor that a file defines can be replaced by
  /// another one.
  ///
  /// - Parameters:
  ///   - name: The name of the object.
  ///   - make: Makes what takes its place: an initializer, or a closure with one parameter for each
  ///     reference.
  ///   - needs: What `make` needs, in order.
  public mutating func replace<T, each D>(
    _ name: String, with make: @escaping @Sendable (repeat each D) throws -> T,
    _ needs: repeat Ref<each D>
  ) {
    replace(name, isSendable: false, .call(make, repeat each needs, at: location))
  }

  /// Puts a `Sendable` object in the place of one.
  public mutating func replace<T: Sendable, each D>(
    _ name: String, with make: @escaping @Sendable (repeat each D) throws -> T,
    _ needs: repeat Ref<each D>
  ) {
    replace(name, isSendable: true, .call(make, repeat each needs, at: location))
  }

  /// Puts another object in the place of that of a reference.
  public mutating func replace<Old, T, each D>(
    _ ref: Ref<Old>, with make: @escaping @Sendable (repeat each D) throws -> T,
    _ needs: repeat Ref<each D>
  ) {
    replace(ref.name, isSendable: false, .call(make, repeat each needs, at: location))
  }

  /// Puts a `Sendable` object in the place of that of a reference.
  public mutating func replace<Old, T: Sendable, each D>(
    _ ref: Ref<Old>, with make: @escaping @Sendable (repeat each D) throws -> T,
    _ needs: repeat Ref<each D>
  ) {
    replace(ref.name, isSendable: true, .call(make, repeat each needs, at: location))
  }

  private mutating func replace<T>(_ name: String, isSendable: Bool, _ recipe: Recipe<T>) {
    let location = location
    changes.bindings.append(
      ContainerPlan.Changes.Change(name: name, keepsOriginal: false) { old, _ in
        Binding<T>(
          old.name, scope: old.scope, location: location, isSendable: isSendable, recipe: recipe)
      })
  }

  // MARK: - Wrapping

  /// Puts an object that knows the original one in its place: a spy, a decorator.
  ///
  /// ```swift
  /// $0.wrap("courier") { (real: any Courier) in
  ///   CourierProxy.recording(into: recorder) { real }
  /// }
  /// ```
  ///
  /// The original is made as its definition says, in the same scope, and nobody but the new object
  /// gets it.
  ///
  /// - Parameters:
  ///   - name: The name of the object.
  ///   - make: Makes what takes its place: the first parameter is the original.
  ///   - needs: What else `make` needs, in order.
  public mutating func wrap<Original, T, each D>(
    _ name: String, with make: @escaping @Sendable (Original, repeat each D) throws -> T,
    _ needs: repeat Ref<each D>
  ) {
    wrap(name, isSendable: false, make, repeat each needs)
  }

  /// Puts a `Sendable` object that knows the original one in its place.
  public mutating func wrap<Original, T: Sendable, each D>(
    _ name: String, with make: @escaping @Sendable (Original, repeat each D) throws -> T,
    _ needs: repeat Ref<each D>
  ) {
    wrap(name, isSendable: true, make, repeat each needs)
  }

  /// Puts an object that knows the original one in the place of that of a reference.
  public mutating func wrap<Original, T, each D>(
    _ ref: Ref<Original>, with make: @escaping @Sendable (Original, repeat each D) throws -> T,
    _ needs: repeat Ref<each D>
  ) {
    wrap(ref.name, isSendable: false, make, repeat each needs)
  }

  /// Puts a `Sendable` object that knows the original one in the place of that of a reference.
  public mutating func wrap<Original, T: Sendable, each D>(
    _ ref: Ref<Original>, with make: @escaping @Sendable (Original, repeat each D) throws -> T,
    _ needs: repeat Ref<each D>
  ) {
    wrap(ref.name, isSendable: true, make, repeat each needs)
  }

  private mutating func wrap<Original, T, each D>(
    _ name: String, isSendable: Bool,
    _ make: @escaping @Sendable (Original, repeat each D) throws -> T,
    _ needs: repeat Ref<each D>
  ) {
    let location = location
    let recipe: (String) -> Recipe<T> = { (original: String) -> Recipe<T> in
      var ref = Ref<Original>(original, handle: nil, requiresSendable: false)
      ref.location = location
      return .call(make, ref, repeat each needs, at: location)
    }
    changes.bindings.append(
      ContainerPlan.Changes.Change(name: name, keepsOriginal: true) { old, original in
        Binding<T>(
          old.name, scope: old.scope, location: location, isSendable: isSendable,
          recipe: recipe(original))
      })
  }

  // MARK: - Values

  /// Says what a placeholder stands for, in place of what the builder says.
  ///
  /// What files define is then planned again, by new converters and post-processors.
  ///
  /// - Parameters:
  ///   - key: The key, as in `${key}`.
  ///   - value: What it stands for.
  public mutating func setPlaceholder(_ key: String, to value: String) {
    changes.placeholders.append((key, value))
  }
}
