extension ManagedObjectModel {
  /// What of the model a store that was written for `other` cannot be read by, in words.
  ///
  /// Defaults, rules, indexes and classes do not count: reading does not need them, and a model in
  /// a store says them in another form.
  package func readingDifferences(from other: ManagedObjectModel) -> [String] {
    entities.flatMap { entity -> [String] in
      guard let found = other.entity(named: entity.name) else {
        return ["'\(entity.name)' is not in the store"]
      }
      return found.readingDifferences(from: entity)
    }
  }

  /// Whether a store that was written for one model can be read by the other without a loss.
  func isRead(like other: ManagedObjectModel) -> Bool {
    readingDifferences(from: other).isEmpty && other.readingDifferences(from: self).isEmpty
  }
}

extension EntityDescription {
  /// The names of its own properties that a store keeps.
  package var storedNames: Set<String> {
    Set(attributes.filter { !$0.isTransient }.map(\.name))
      .union(relationships.filter { !$0.isTransient }.map(\.name))
  }

  /// `self` is what the store has.
  fileprivate func readingDifferences(from mine: EntityDescription) -> [String] {
    var texts: [String] = []
    func compare(_ what: String, _ stored: String?, _ given: String?) {
      guard stored != given else { return }
      texts.append(
        "\(what) of '\(name)' is \(stored ?? "none") in the store and \(given ?? "none") in the model"
      )
    }
    compare("the parent", parent, mine.parent)
    for property in mine.attributes {
      let stored = attributes.first { $0.name == property.name }
      compare("'\(property.name)'", stored?.readingText, property.readingText)
    }
    for property in mine.relationships {
      let stored = relationships.first { $0.name == property.name }
      compare("'\(property.name)'", stored?.readingText, property.readingText)
    }
    return texts
  }
}

extension AttributeDescription {
  fileprivate var readingText: String {
    (isTransient ? "a transient " : isOptional ? "an optional " : "a ") + type.rawValue
  }
}

extension RelationshipDescription {
  fileprivate var readingText: String {
    (isTransient ? "a transient " : "") + (isToMany ? isOrdered ? "an order of " : "many " : "one ")
      + destination
  }
}
