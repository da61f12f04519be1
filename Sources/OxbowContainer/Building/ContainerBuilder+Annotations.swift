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
  ///   - column: The column in that line.
  /// - Returns: A reference to the object. Of a lazy object it reaches the proxy, and of a factory the
  ///   product: ask for these by name.
  @discardableResult
  public func add<C: Component>(
    _ type: C.Type, named name: String? = nil, file: String = #fileID, line: Int = #line,
    column: Int = #column
  ) -> Ref<C> {
    let descriptor = C.componentDescriptor
    register(descriptor)
    let location = SourceLocation(file: file, line: line, column: column)
    let definition = descriptor.annotatedDefinition(named: name, at: location)
    add(definition)
    return Ref(definition.name, handle: nil, requiresSendable: false)
  }

  /// Defines an object as the annotations of a class say that is known by name.
  ///
  /// - Parameters:
  ///   - className: The name of the class, as files write it.
  ///   - name: The name of the object, in place of the annotated one.
  ///   - file: The source file that defines it, for messages.
  ///   - line: The line in that file.
  ///   - column: The column in that line.
  public func add(
    className: String, named name: String? = nil, file: String = #fileID, line: Int = #line,
    column: Int = #column
  ) {
    let location = SourceLocation(file: file, line: line, column: column)
    let found = classes.component(
      named: className, of: name ?? className, at: location, report: { report($0) })
    if let found { add(found.annotatedDefinition(named: name, at: location)) }
  }

  /// Defines an object for each class of the program whose annotation names one.
  ///
  /// - Parameters:
  ///   - file: The source file of the call, for messages.
  ///   - line: The line in that file.
  ///   - column: The column in that line.
  public func addAnnotatedComponents(
    file: String = #fileID, line: Int = #line, column: Int = #column
  ) {
    let location = SourceLocation(file: file, line: line, column: column)
    var owners: [String: ComponentDescriptor] = [:]
    for component in classes.all {
      guard let name = component.annotations.name else { continue }
      if let first = owners[name] {
        report(
          .annotatedTwice(
            name, [first.qualifiedName, component.qualifiedName], at: location))
      } else {
        owners[name] = component
        add(component.annotatedDefinition(named: nil, at: location))
      }
    }
  }
}

extension ComponentDescriptor {
  /// The definition that the annotations of the class make.
  func annotatedDefinition(
    named name: String?, at location: SourceLocation?
  ) -> ObjectDefinition {
    var definition = ObjectDefinition(
      name ?? annotations.name ?? self.name, class: qualifiedName, scope: annotations.scope,
      isLazy: annotations.isLazy, at: location)
    definition.isPrimary = annotations.isPrimary
    return definition
  }
}
