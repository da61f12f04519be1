public import OxbowContainer
internal import OxbowContext
internal import OxbowFoundation
public import OxbowModel

extension ContainerBuilder {
  /// Lets files define objects of entities, and set their attributes and relationships.
  ///
  /// ```swift
  /// builder.persistentStore(at: .file("library.sqlite"), types: types)
  /// builder.registerEntities(types)
  /// ```
  ///
  /// ```xml
  /// <object id="eden" class="Book" singleton="false">
  ///   <property name="context" ref="context"/>
  ///   <property name="title" value="Eden"/>
  ///   <property name="author" ref="lem"/>
  /// </object>
  /// ```
  ///
  /// A file can set what the description of the entity has: attributes of plain types, and
  /// relationships, a to-many one as a list. Left out are derived, transformable and composite
  /// attributes. An attribute of an enumeration takes its raw value.
  ///
  /// An object is new in the `context`, which the caller that asks for it saves; where making it
  /// fails, it and those made for it are there until the caller rolls back. It belongs to a
  /// thread, so its definition is a prototype, and it is used inside of
  /// `container.withObject(_:as:_:)`. Where a definition injects an object that exists, by
  /// `container.inject(into:as:)`, that one stays in its own context.
  ///
  /// - Parameter types: The classes; those of superclasses and of destinations among them.
  public func registerEntities(_ types: [any ModelObject.Type]) {
    let entities = EntityComponents(types)
    for type in types {
      if let type = type as? any (ManagedObject & ModelObject).Type {
        register(entities.component(type))
      }
    }
  }
}

/// Descriptions of the classes of entities, from the descriptions of the entities.
private struct EntityComponents {
  private let classes: [String: any (ManagedObject & ModelObject).Type]

  init(_ types: [any ModelObject.Type]) {
    classes = Dictionary(
      types.compactMap { type in
        (type as? any (ManagedObject & ModelObject).Type).map { (type.entityName, $0) }
      }, uniquingKeysWith: { first, _ in first })
  }

  func component<Object: ManagedObject & ModelObject>(_ type: Object.Type) -> ComponentDescriptor {
    let entity = type.entityDescription
    let contextName = "any ObjectContext & Sendable"
    return ComponentDescriptor(
      type, name: "\(type)", sendability: .of(), product: .of(),
      initializers: entity.isAbstract
        ? []
        : [
          InitializerDescriptor(
            ParameterDescriptor(
              "context", (any ObjectContext & Sendable).self, typeName: contextName,
              sendability: .of(), accepts: { $0 is any ObjectContext.Type })
          ) { try $0.insert(Object.self) }
        ],
      properties: [
        // An object that was made elsewhere stays in its context.
        .property(
          "context", (any ObjectContext & Sendable).self, typeName: contextName,
          sendability: .of(), accepts: { $0 is any ObjectContext.Type }, set: { _, _ in })
      ] + entity.attributes.compactMap { attribute($0) }
        + entity.relationships.map { relationship($0) })
  }

  // MARK: - Attributes

  private func attribute<Object: ManagedObject>(
    _ attribute: AttributeDescription
  ) -> PropertyDescriptor<Object>? {
    if attribute.derivation != nil { return nil }
    switch attribute.type {
    case .integer16, .integer32, .integer64: return property(attribute, Int.self)
    case .double: return property(attribute, Double.self)
    case .float: return property(attribute, Float.self)
    case .decimal: return property(attribute, Decimal.self)
    case .string: return property(attribute, String.self)
    case .boolean: return property(attribute, Bool.self)
    case .date: return property(attribute, Date.self)
    case .binaryData: return property(attribute, Data.self)
    case .uuid: return property(attribute, UUID.self)
    case .uri: return property(attribute, URL.self)
    case .undefined, .transformable, .composite, .objectID: return nil
    }
  }

  private func property<Object: ManagedObject, Value: AttributeConvertible & Sendable>(
    _ attribute: AttributeDescription, _ type: Value.Type
  ) -> PropertyDescriptor<Object> {
    let name = attribute.name
    return .property(
      name, type, typeName: "\(type)", sendability: .of(), isOptional: attribute.isOptional,
      accepts: { $0 is Value.Type }, get: { try $0.value(name, as: Value.self) },
      set: { try $0.setValue($1, for: name) })
  }

  // MARK: - Relationships

  private func relationship<Object: ManagedObject>(
    _ relationship: RelationshipDescription
  ) -> PropertyDescriptor<Object> {
    guard let destination = classes[relationship.destination] else {
      return property(relationship, ManagedObject.self)
    }
    return property(relationship, destination)
  }

  private func property<Object: ManagedObject, Destination: ManagedObject>(
    _ relationship: RelationshipDescription, _ destination: Destination.Type
  ) -> PropertyDescriptor<Object> {
    let (name, typeName) = (relationship.name, relationship.destination)
    if relationship.isToMany {
      return .property(
        name, [Destination].self, typeName: "[\(typeName)]", sendability: .of(),
        accepts: { $0 is Destination.Type }, get: { try $0.objects(name) as? [Destination] },
        set: { try $0.setObjects($1, for: name) })
    }
    return .property(
      name, destination, typeName: typeName, sendability: .of(),
      isOptional: relationship.isOptional, accepts: { $0 is Destination.Type },
      get: { try $0.objects(name).first as? Destination },
      set: { try $0.setObjects([$1], for: name) })
  }
}
