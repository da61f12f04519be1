/// What distinguishes two declarations of one entity, in words.
struct EntityDifference {
  private(set) var texts: [String] = []

  init(_ a: EntityDescription, _ b: EntityDescription) {
    compare("class name", a.className, b.className)
    compare("parent", a.parent, b.parent)
    compare("\"abstract\"", yes(a.isAbstract), yes(b.isAbstract))
    compare("renaming identifier", a.renamingIdentifier, b.renamingIdentifier)
    compare("hash modifier", a.versionHashModifier, b.versionHashModifier)
    compareUserInfo(a, b, asExtension: false)
    compareNames("attribute", a.attributes.map(\.name), b.attributes.map(\.name))
    compareNames("relationship", a.relationships.map(\.name), b.relationships.map(\.name))
    for attribute in a.attributes {
      if let other = b.attributes.first(where: { $0.name == attribute.name }) {
        compare(attribute, other)
      }
    }
    for relationship in a.relationships {
      if let other = b.relationships.first(where: { $0.name == relationship.name }) {
        compare(relationship, other)
      }
    }
    if Set(a.uniquenessConstraints) != Set(b.uniquenessConstraints) {
      texts.append("the uniqueness constraints differ")
    }
    if a.fetchedProperties.sorted(by: \.name) != b.fetchedProperties.sorted(by: \.name) {
      texts.append("the fetched properties differ")
    }
    if Set(a.fetchIndexes) != Set(b.fetchIndexes) { texts.append("the fetch indexes differ") }
  }

  /// What an extension contradicts; what it leaves out does not count.
  init(extending base: EntityDescription, _ other: EntityDescription) {
    if let name = other.className { compare("class name", base.className, name) }
    if let parent = other.parent { compare("parent", base.parent, parent) }
    if other.isAbstract { compare("\"abstract\"", yes(base.isAbstract), "yes") }
    if let identifier = other.renamingIdentifier {
      compare("renaming identifier", base.renamingIdentifier, identifier)
    }
    if let modifier = other.versionHashModifier {
      compare("hash modifier", base.versionHashModifier, modifier)
    }
    compareUserInfo(base, other, asExtension: true)
  }

  private mutating func compare(_ what: String, _ a: String?, _ b: String?) {
    guard a != b else { return }
    let shown = [a, b].map { $0.map { "'\($0)'" } ?? "none" }
    texts.append("the \(what) is \(shown[0]) in one and \(shown[1]) in the other")
  }

  private mutating func compareUserInfo(
    _ a: EntityDescription, _ b: EntityDescription, asExtension: Bool
  ) {
    let keys =
      asExtension
      ? Set(a.userInfo.keys).intersection(b.userInfo.keys)
      : Set(a.userInfo.keys).union(b.userInfo.keys)
    for key in keys.sorted() { compare("user info '\(key)'", a.userInfo[key], b.userInfo[key]) }
  }

  private mutating func compareNames(_ kind: String, _ a: [String], _ b: [String]) {
    for name in Set(a).symmetricDifference(b).sorted() {
      texts.append("the \(kind) '\(name)' is missing in one of them")
    }
  }

  private mutating func compare(_ a: AttributeDescription, _ b: AttributeDescription) {
    guard a != b else { return }
    let before = texts.count
    let name = "of attribute '\(a.name)'"
    compare("type \(name)", a.type.rawValue, b.type.rawValue)
    compare("\"optional\" \(name)", yes(a.isOptional), yes(b.isOptional))
    compare("\"transient\" \(name)", yes(a.isTransient), yes(b.isTransient))
    compare("default \(name)", text(a.defaultValue), text(b.defaultValue))
    compare("renaming identifier \(name)", a.renamingIdentifier, b.renamingIdentifier)
    compare("hash modifier \(name)", a.versionHashModifier, b.versionHashModifier)
    compare("derivation \(name)", a.derivation, b.derivation)
    compare(
      "\"external storage\" \(name)", yes(a.allowsExternalStorage), yes(b.allowsExternalStorage))
    compare(
      "\"preserve after deletion\" \(name)", yes(a.preservesValueInHistoryOnDeletion),
      yes(b.preservesValueInHistoryOnDeletion))
    compare("search \(name)", a.search.documentText, b.search.documentText)
    compare("composite type \(name)", a.compositeName, b.compositeName)
    if a.elements.sorted(by: \.name) != b.elements.sorted(by: \.name) {
      texts.append("the parts \(name) differ")
    }
    if a.rules != b.rules { texts.append("the rules \(name) differ") }
    if texts.count == before { texts.append("the user info \(name) differs") }
  }

  private mutating func compare(_ a: RelationshipDescription, _ b: RelationshipDescription) {
    guard a != b else { return }
    let before = texts.count
    let name = "of relationship '\(a.name)'"
    compare("destination \(name)", a.destination, b.destination)
    compare("inverse \(name)", a.inverse, b.inverse)
    compare("\"to-many\" \(name)", yes(a.isToMany), yes(b.isToMany))
    compare("\"ordered\" \(name)", yes(a.isOrdered), yes(b.isOrdered))
    compare("\"optional\" \(name)", yes(a.isOptional), yes(b.isOptional))
    compare("\"transient\" \(name)", yes(a.isTransient), yes(b.isTransient))
    compare("delete rule \(name)", a.deleteRule.rawValue, b.deleteRule.rawValue)
    compare("smallest count \(name)", "\(a.minimumCount)", "\(b.minimumCount)")
    compare("largest count \(name)", "\(a.maximumCount)", "\(b.maximumCount)")
    compare("renaming identifier \(name)", a.renamingIdentifier, b.renamingIdentifier)
    compare("hash modifier \(name)", a.versionHashModifier, b.versionHashModifier)
    if texts.count == before { texts.append("the user info \(name) differs") }
  }

  private func yes(_ flag: Bool) -> String { flag ? "yes" : "no" }

  private func text(_ value: AttributeValue?) -> String? { value.map { "\($0)" } }
}
