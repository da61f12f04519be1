internal import OxbowDocuments

extension ContainerBuilder {
  /// Defines an object as the annotations of its class say.
  ///
  /// Without a name in the annotation the object has the name of its class; without a scope it is a
  /// prototype. What the annotations of superclasses set is set, too.
  ///
  /// ```swift
  /// builder.add(Knight.self)    // @Component("lancelot", .singleton) final class Knight { … }
  /// ```
  ///
  /// - Parameters:
  ///   - type: The class.
  ///   - name: The name of the object, in place of the annotated one.
  ///   - file: The source file that defines it, for messages.
  ///   - line: The line in that file.
  /// - Returns: A reference to the object. Of a lazy object it reaches the proxy, and of a factory
  ///   the product: ask for these by name.
  @discardableResult
  public func add<C: Component>(
    _ type: C.Type, named name: String? = nil, file: String = #fileID, line: Int = #line
  ) -> Ref<C> {
    let descriptor = C.componentDescriptor
    register(descriptor)
    let location = SourceLocation(file: file, line: line)
    let definition = descriptor.annotatedDefinition(named: name, at: location)
    add(definition)
    return Ref(definition.name, handle: nil, requiresSendable: false)
  }

  /// Defines an object as the annotations of a class say, of which only the name is known, as files
  /// write it.
  public func add(
    className: String, named name: String? = nil, file: String = #fileID, line: Int = #line
  ) {
    let location = SourceLocation(file: file, line: line)
    let found = classes.component(
      named: className, of: name ?? className, at: location, report: { report($0) })
    if let found { add(found.annotatedDefinition(named: name, at: location)) }
  }

  /// Defines an object for each class of the program whose annotation names one.
  public func addAnnotatedComponents(file: String = #fileID, line: Int = #line) {
    let location = SourceLocation(file: file, line: line)
    var owners: [String: ComponentDescriptor] = [:]
    for component in classes.all {
      guard let name = component.annotations.name else { continue }
      if let first = owners[name] {
        report(.annotatedTwice(name, [first.qualifiedName, component.qualifiedName]).at(location))
      } else {
        owners[name] = component
        add(component.annotatedDefinition(named: nil, at: location))
      }
    }
  }
}

extension ContainerBuilder {
  /// Gives an object another name.
  ///
  /// ```swift
  /// let bank = builder.singleton(named: "bank", Bank.init)
  /// builder.alias("ledger", of: bank)     // Ref<any Ledger>("ledger") is the bank
  /// ```
  ///
  /// The name is unique in its container, and the reference one to a definition, not to something
  /// that it makes.
  ///
  /// - Returns: A reference to the object by its other name.
  @discardableResult
  public func alias<T>(
    _ name: String, of ref: Ref<T>, file: String = #fileID, line: Int = #line
  ) -> Ref<T> {
    let location = SourceLocation(file: file, line: line)
    guard ref.linking == nil, ref.request == nil else {
      report(.noName("alias \"\(name)\"").at(location))
      return ref
    }
    return add(ObjectAlias(name, of: ref.name, at: location), as: T.self)
  }

  /// Gives an object another name, as files do.
  public func add(_ alias: ObjectAlias) { _ = add(alias, as: Any.self) }
}
