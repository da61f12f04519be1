internal import OxbowDocuments

extension ManagedObjectModel {
  /// Checks the model as a whole and reports every problem at once.
  ///
  /// - Throws: ``PersistenceError`` with code `invalidModel`.
  public func validate() throws(PersistenceError) {
    var validator = ModelValidator(self)
    validator.run()
    guard validator.problems.isEmpty else {
      throw .collecting(
        .invalidModel, "the model has \(validator.problems.count) problems", validator.problems)
    }
  }

  /// Checks that a store can keep everything that the model declares.
  ///
  /// - Throws: ``PersistenceError`` with code `unsupported`, naming every entity and property that
  ///   no store keeps yet.
  public func requireStorable() throws(PersistenceError) {
    var problems: [PersistenceError] = []
    for entity in entities {
      for attribute in entity.attributes {
        guard let reason = attribute.unstorableReason else { continue }
        problems.append(
          .unstorable("attribute '\(attribute.name)'", of: entity, reason, attribute.location))
      }
    }
    guard problems.isEmpty else {
      throw .collecting(.unsupported, "no store can keep this model yet", problems)
    }
  }
}

extension AttributeDescription {
  /// Whether it is composite and has no parts, or one of its parts has none.
  private var hasEmptyParts: Bool {
    type == .composite && (elements.isEmpty || elements.contains(where: \.hasEmptyParts))
  }

  /// Why no store keeps the attribute, or `nil` when it is kept or needs no column.
  fileprivate var unstorableReason: String? {
    if type == .composite, !isTransient { return hasEmptyParts ? "has no parts" : nil }
    return isTransient || type.storage != nil ? nil : "is \(type.rawValue)"
  }
}

extension PersistenceError {
  fileprivate static func unstorable(
    _ property: String, of entity: EntityDescription, _ reason: String,
    _ location: SourceLocation?
  ) -> PersistenceError {
    PersistenceError(
      .unsupported,
      "\(property) of entity '\(entity.name)' \(reason), which no store supports yet; remove it"
        + " from the model to open a store",
      at: location)
  }
}
