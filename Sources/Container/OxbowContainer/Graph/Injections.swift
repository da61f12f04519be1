internal import OxbowDocuments

/// The properties that a definition sets after the constructor, in the order in which they are set.
///
/// ```swift
/// builder.prototype(named: "report", Report.init) {
///   $0.set(\.repository, repository)
///   $0.set(\.title, to: "Weekly")
///   $0.set(clock, named: "clock") { $0.clock = $1 }   // a Ref<SystemClock> for `any Clock`
/// }
/// ```
///
/// A `Sendable` class has no settable properties as a rule: give its objects what they need through
/// the initializer.
public struct Injections<T> {
  /// What the properties need, in order.
  private(set) var dependencies: [Dependency] = []
  /// The texts among what is set.
  private(set) var texts: [TextNeed] = []
  private var links: [(any Linking) throws -> Injector<T>] = []
  private let location: SourceLocation?
  private let noun: String

  init(at location: SourceLocation?, noun: String = "property") {
    self.location = location
    self.noun = noun
  }

  /// What sets the properties, linked, in order.
  func injectors(_ linker: any Linking) throws -> [Injector<T>] {
    var injectors: [Injector<T>] = []
    injectors.reserveCapacity(links.count)
    for link in links { injectors.append(try link(linker)) }
    return injectors
  }

  /// Sets a property to the object of a reference.
  public mutating func set<V>(
    _ property: any ReferenceWritableKeyPath<T, V> & Sendable, _ ref: Ref<V>
  ) {
    append(ref, named: name(of: property)) { $0[keyPath: property] = $1 }
  }

  /// Sets an optional property to the object of a reference.
  public mutating func set<V>(
    _ property: any ReferenceWritableKeyPath<T, V?> & Sendable, _ ref: Ref<V>
  ) {
    append(ref, named: name(of: property)) { $0[keyPath: property] = $1 }
  }

  /// Sets a property to what a text of a file would mean: placeholders are replaced, then the
  /// text is converted.
  ///
  /// ```swift
  /// $0.set(\.storePath, text: "${data}/shop.store")
  /// ```
  public mutating func set<V: Sendable>(
    _ property: any ReferenceWritableKeyPath<T, V> & Sendable, text: String
  ) {
    set(property, Ref.text(text))
  }

  /// Sets a property to a value; a text is taken as it is.
  public mutating func set<V: Sendable>(
    _ property: any ReferenceWritableKeyPath<T, V> & Sendable, to value: V
  ) {
    note(InjectedText.of(value), named: name(of: property))
    links.append { _ in { object, _ in object[keyPath: property] = value } }
  }

  /// Hands the object of a reference to a setter.
  ///
  /// The form for a property whose type is a protocol of the object's class, and for methods. The
  /// setter converts where it assigns, so that the compiler checks it.
  ///
  /// - Parameters:
  ///   - ref: The object.
  ///   - name: The property's name, for messages.
  ///   - setter: Receives the owner and the object.
  public mutating func set<V>(
    _ ref: Ref<V>, named name: String? = nil, by setter: @escaping @Sendable (T, V) throws -> Void
  ) {
    append(ref, named: name ?? "\(links.count + 1)", setter)
  }

  private mutating func append<V>(
    _ ref: Ref<V>, named name: String, _ setter: @escaping @Sendable (T, V) throws -> Void
  ) {
    dependencies += ref.dependencies(.injection, role: role(of: name), at: location)
    note(ref.text, named: name)
    links.append { linker in
      let provider = try linker.provider(of: ref)
      return { object, context in try setter(object, provider.make(context)) }
    }
  }

  private mutating func note(_ text: InjectedText?, named name: String) {
    if let text { texts.append(TextNeed(text, role: role(of: name), at: location)) }
  }

  private func role(of name: String) -> InjectionSite.Path {
    .other { [noun] in "\(noun) \"\(name)\"" }
  }

  /// The property's name where the runtime knows it, which it does for stored ones; else its
  /// number.
  private func name(of property: AnyKeyPath) -> String {
    let path = "\(property)"
    guard let last = path.split(separator: ".").last, !last.hasPrefix("<") else {
      return "\(links.count + 1)"
    }
    return String(last)
  }
}
