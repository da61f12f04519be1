extension ModelElement {
  /// Returns the element with the differences between `before` and `after`; what neither of them
  /// mentions stays as it is, and so does the order.
  func updated(from before: ModelElement, to after: ModelElement) -> ModelElement {
    if before == after { return self }
    // The order of their elements is their meaning.
    if Self.wholes.contains(name) { return after }
    var (result, before) = (self, before)
    if before.fetchIndexes != after.fetchIndexes { result.removeOldIndexes(&before) }
    result.updateAttributes(from: before, to: after)
    result.updateChildren(from: before, to: after)
    return result
  }

  private static let wholes: Set<String> = ["uniquenessConstraints", "fetchIndex"]

  /// Attributes that lose their meaning when another one changes.
  private static let companions = [
    "elementID": ["renamingIdentifier"],
    "toMany": ["minCount", "maxCount", "ordered"],
    "defaultDateTimeInterval": ["defaultValueString"],
    "minDateTimeInterval": ["minValueString"],
    "maxDateTimeInterval": ["maxValueString"],
  ]

  private mutating func updateAttributes(from before: ModelElement, to after: ModelElement) {
    for name in (before.attributes + after.attributes).map(\.name)
    where before[name] != after[name] {
      for companion in Self.companions[name] ?? [] where after[companion] == nil {
        self[companion] = nil
      }
      self[name] = after[name]
    }
  }

  /// Removes indexes as Xcode before version 9 wrote them, from `before` too.
  private mutating func removeOldIndexes(_ before: inout ModelElement) {
    children.removeAll { $0.name == "compoundIndexes" }
    for index in children.indices where children[index].name == "attribute" {
      children[index]["indexed"] = nil
    }
    let written = Set(fetchIndexes.map(\.key))
    before.children.removeAll { $0.name == "fetchIndex" && !written.contains($0.key) }
  }

  private var fetchIndexes: [ModelElement] { children.filter { $0.name == "fetchIndex" } }
}

// MARK: - Elements below

extension ModelElement {
  /// What an element is among those beside it.
  struct Key: Hashable {
    let element: String
    let name: String?
  }

  var key: Key { Key(element: name, name: self["name"] ?? self["key"]) }

  private mutating func updateChildren(from before: ModelElement, to after: ModelElement) {
    let old = Dictionary(before.children.map { ($0.key, $0) }) { first, _ in first }
    let successors = after.successors(of: old)
    let written = Set(children.map(\.key))
    children = children.compactMap { child in
      guard let was = old[child.key] else { return child }
      return successors[child.key].map { child.updated(from: was, to: $0) }
    }
    let continued = Set(successors.filter { written.contains($0.key) }.values.map(\.key))
    for child in after.children where !continued.contains(child.key) && old[child.key] != child {
      insert(child)
    }
  }

  /// The elements below by the key that each had before, which its renaming identifier may name.
  private func successors(of old: [Key: ModelElement]) -> [Key: ModelElement] {
    let keys = Set(children.map(\.key))
    var result: [Key: ModelElement] = [:]
    for child in children {
      let before = Key(element: child.name, name: child["elementID"])
      if old[child.key] != nil {
        result[child.key] = child
      } else if child["elementID"] != nil, old[before] != nil, !keys.contains(before) {
        result[before] = child
      }
    }
    return result
  }

  /// The order in which Xcode writes what an element contains.
  private static let order = [
    "entity", "attribute", "relationship", "fetchedProperty", "compoundIndexes", "fetchIndex",
    "uniquenessConstraints", "userInfo", "composite", "fetchRequest", "configuration",
  ]

  /// Adds an element behind those of its kind.
  private mutating func insert(_ child: ModelElement) {
    func rank(_ element: ModelElement) -> Int {
      Self.order.firstIndex(of: element.name) ?? Self.order.count
    }
    let index = children.firstIndex { rank($0) > rank(child) } ?? children.count
    children.insert(child, at: index)
  }
}

// MARK: - What names entities

extension ModelElement {
  /// Renames or removes an entity in the diagram and in the configurations of a document.
  mutating func followEntities(_ successor: (String) -> String?) {
    for list in children.indices where ["elements", "configuration"].contains(children[list].name) {
      children[list].children = children[list].children.compactMap { element in
        guard let name = element["name"] else { return element }
        var element = element
        element["name"] = successor(name)
        return element["name"] == nil ? nil : element
      }
    }
  }
}
