/// The name and the parts of a composite type, as a class declares it.
public struct _CompositeType: Sendable {
  let name: String
  let elements: [AttributeDescription]

  /// Creates a type of parts.
  public init(_ name: String, elements: [AttributeDescription]) {
    self.name = name
    self.elements = elements
  }
}

extension AttributeDescription {
  /// Creates a composite attribute of a type that a class declares.
  public init(
    _ name: String, _ type: _CompositeType, isOptional: Bool = false,
    renamingIdentifier: String? = nil, versionHashModifier: String? = nil,
    userInfo: [String: String] = [:]
  ) {
    self.init(
      composite: name, of: type.name, isOptional: isOptional, elements: type.elements,
      renamingIdentifier: renamingIdentifier)
    self.versionHashModifier = versionHashModifier
    self.userInfo = userInfo
  }

  /// Creates a composite attribute: one of several named parts, of which each is kept in a column
  /// of its own.
  ///
  /// ```swift
  /// AttributeDescription(
  ///   composite: "place", of: "Point",
  ///   elements: [AttributeDescription("x", .double), AttributeDescription("y", .double)])
  /// ```
  ///
  /// Conditions and sort keys name a part by its path: `place.x`. Parts may be composite
  /// themselves. In an optional composite, every part is optional. `compositeName` is the name of
  /// the type, as model documents have it.
  public init(
    composite name: String, of compositeName: String, isOptional: Bool = false,
    elements: [AttributeDescription], renamingIdentifier: String? = nil
  ) {
    self.init(name, .composite, isOptional: isOptional, renamingIdentifier: renamingIdentifier)
    self.compositeName = compositeName
    self.elements = elements
  }

  /// The attributes that a store keeps for this one: itself, or the parts of a composite one, named
  /// by their paths.
  var leaves: [AttributeDescription] {
    guard type == .composite, !isTransient else { return [self] }
    return elements.flatMap(\.leaves).map { leaf in
      var part = leaf
      part.name = "\(name).\(leaf.name)"
      part.isOptional = isOptional || leaf.isOptional
      if renamingIdentifier != nil || leaf.renamingIdentifier != nil {
        part.renamingIdentifier =
          "\(renamingIdentifier ?? name).\(leaf.renamingIdentifier ?? leaf.name)"
      }
      if let modifier = versionHashModifier {
        part.versionHashModifier = modifier + (leaf.versionHashModifier.map { " \($0)" } ?? "")
      }
      return part
    }
  }

  /// The attribute without its parts, and those parts.
  fileprivate var flattened: [AttributeDescription] {
    guard type == .composite, !isTransient, !elements.isEmpty else { return [self] }
    var head = self
    head.elements = []
    // Its parts say whether they need a value.
    head.isOptional = true
    return [head] + leaves
  }
}

extension ManagedObjectModel {
  /// What stores and migrations work with: the parts of composite attributes become attributes of
  /// their own beside them, and transient relationships are left out.
  package var flattened: ManagedObjectModel {
    let isFlat = entities.allSatisfy { entity in
      entity.attributes.allSatisfy(\.elements.isEmpty)
        && !entity.relationships.contains(where: \.isTransient)
    }
    guard !isFlat else { return self }
    var copy = self
    copy.entities = entities.map(\.flattened)
    return copy
  }
}

extension EntityDescription {
  /// The entity with the parts of composite attributes as attributes of their own, without
  /// transient relationships.
  var flattened: EntityDescription {
    var copy = self
    copy.relationships = relationships.filter { !$0.isTransient }
    copy.attributes = attributes.flatMap(\.flattened)
    return copy
  }
}
