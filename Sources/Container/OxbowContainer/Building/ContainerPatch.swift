internal import OxbowDocuments

/// The objects that a patched container replaces.
///
/// See ``Container/patched(file:line:_:)``.
public struct ContainerPatch {
  private(set) var changes = ContainerPlan.Changes()
  let location: SourceLocation

  init(at location: SourceLocation) { self.location = location }

  // MARK: - Replacing

  /// Replaces an object by another one.
  ///
  /// The definition keeps its name and scope, and is eager if it was; what it constructed and
  /// injected counts no more, nor do the aspects around it. The object may have another type as
  /// long as it fits everywhere the name is referred to. A converter or post-processor that a file
  /// defines can be replaced by another one.
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

  /// Replaces an object by a `Sendable` one.
  public mutating func replace<T: Sendable, each D>(
    _ name: String, with make: @escaping @Sendable (repeat each D) throws -> T,
    _ needs: repeat Ref<each D>
  ) {
    replace(name, isSendable: true, .call(make, repeat each needs, at: location))
  }

  /// Replaces the object of a reference by another one.
  public mutating func replace<Old, T, each D>(
    _ ref: Ref<Old>, with make: @escaping @Sendable (repeat each D) throws -> T,
    _ needs: repeat Ref<each D>
  ) {
    replace(ref.name, isSendable: false, .call(make, repeat each needs, at: location))
  }

  /// Replaces the object of a reference by a `Sendable` one.
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

  /// Replaces an object by one that knows the original: a spy, a decorator.
  ///
  /// ```swift
  /// $0.wrap("courier") { (real: any Courier) in
  ///   CourierProxy.recording(into: recorder) { real }
  /// }
  /// ```
  ///
  /// The original is made as its definition says, in the same scope, and nothing but the new object
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

  /// Replaces an object by a `Sendable` one that knows the original.
  public mutating func wrap<Original, T: Sendable, each D>(
    _ name: String, with make: @escaping @Sendable (Original, repeat each D) throws -> T,
    _ needs: repeat Ref<each D>
  ) {
    wrap(name, isSendable: true, make, repeat each needs)
  }

  /// Replaces the object of a reference by one that knows the original.
  public mutating func wrap<Original, T, each D>(
    _ ref: Ref<Original>, with make: @escaping @Sendable (Original, repeat each D) throws -> T,
    _ needs: repeat Ref<each D>
  ) {
    wrap(ref.name, isSendable: false, make, repeat each needs)
  }

  /// Replaces the object of a reference by a `Sendable` one that knows the original.
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

  /// Gives a placeholder another value than the builder did.
  ///
  /// What files define is then planned again, by new converters and post-processors.
  ///
  /// - Parameters:
  ///   - key: The key, as in `${key}`.
  ///   - value: The value.
  public mutating func setPlaceholder(_ key: String, to value: String) {
    changes.placeholders.append((key, value))
  }
}

extension ContainerPatch: CustomStringConvertible, CustomReflectable {
  /// The names of what is replaced and the keys of placeholders, without values.
  public var description: String {
    "ContainerPatch(objects: \(changes.bindings.map(\.name)), "
      + "placeholders: \(changes.placeholders.map(\.key)))"
  }

  /// The names of what is replaced and the keys of placeholders, without values.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "objects": changes.bindings.map(\.name), "placeholders": changes.placeholders.map(\.key),
      ])
  }
}
