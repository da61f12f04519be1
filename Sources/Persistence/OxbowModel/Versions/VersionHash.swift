// What a version hash covers (see docs/decisions/0011-version-hash.md).
//
// The hash of an entity is the SHA-256 of a canonical text of its own declaration, written as 64
// lower-case hexadecimal digits. The text has one line for each fact, its words written as
// "length:bytes" so that no name can imitate another fact. Lines of properties are sorted by the
// bytes of the name. The hash of a model covers the names and hashes of its entities in the same
// order.
//
// Covered, because it decides what a store has: names; parent; abstract; of attributes that are not
// transient: type, optional, and what a derived one is made of, of a composite one its parts; of
// relationships: destination, inverse, to-many, ordered, and optional of a to-one; uniqueness
// constraints; fetch indexes; hash modifiers. Not covered: class names, user info, locations,
// delete rules, counts, default values, rules, renaming identifiers, transient properties, version
// identifiers, order of declaration.

extension EntityDescription {
  /// The version hash of the entity's own declaration, in hexadecimal digits.
  ///
  /// It changes when, and only when, what a store keeps for the entity changes or its modifier
  /// does.
  public var versionHash: String {
    var text = CanonicalText("entity 1")
    text.line("name", name)
    if let parent { text.line("parent", parent) }
    if isAbstract { text.line("abstract") }
    if let versionHashModifier { text.line("modifier", versionHashModifier) }
    text.sortedLines(attributes.filter { !$0.isTransient }.flatMap(\.leaves).map(\.canonicalWords))
    text.sortedLines(relationships.filter { !$0.isTransient }.map(\.canonicalWords))
    text.sortedLines(uniquenessConstraints.map { ["unique"] + $0.sorted(by: utf8Precedes) })
    text.sortedLines(fetchIndexes.map(\.canonicalWords))
    return text.hash
  }
}

extension ManagedObjectModel {
  /// The version hash of the whole model, in hexadecimal digits.
  public var versionHash: String {
    var text = CanonicalText("model 1")
    text.sortedLines(entities.map { ["entity", $0.name, $0.versionHash] })
    return text.hash
  }
}

extension AttributeDescription {
  fileprivate var canonicalWords: [String] {
    ["attribute", name, type.rawValue, isOptional ? "optional" : "required"]
      + (derivation.map { ["derived", $0] } ?? [])
      + (versionHashModifier.map { ["modifier", $0] } ?? [])
  }
}

extension RelationshipDescription {
  fileprivate var canonicalWords: [String] {
    var words = ["relationship", name, destination, isToMany ? "many" : "one"]
    if isToMany {
      if isOrdered { words.append("ordered") }
    } else {
      words.append(isOptional ? "optional" : "required")
    }
    if let inverse { words += ["inverse", inverse] }
    if let versionHashModifier { words += ["modifier", versionHashModifier] }
    return words
  }
}

extension FetchIndexDescription {
  fileprivate var canonicalWords: [String] {
    ["index", name]
      + elements.flatMap { [$0.property, $0.canonicalOrder] }
  }
}

extension FetchIndexDescription.Element {
  fileprivate var canonicalOrder: String {
    type == .rTree ? "rtree" : isAscending ? "ascending" : "descending"
  }
}

private struct CanonicalText {
  private var bytes: [UInt8] = []

  init(_ kind: String) {
    line("oxbow", kind)
  }

  mutating func line(_ words: String...) {
    append(words)
  }

  mutating func sortedLines(_ lines: [[String]]) {
    for line in lines.sorted(by: { $0.lexicographicallyPrecedes($1, by: utf8Precedes) }) {
      append(line)
    }
  }

  var hash: String {
    SHA256.hexadecimalDigits(of: bytes)
  }

  private mutating func append(_ words: [String]) {
    for word in words {
      bytes += String(word.utf8.count).utf8
      bytes.append(UInt8(ascii: ":"))
      bytes += word.utf8
      bytes.append(UInt8(ascii: " "))
    }
    bytes.append(UInt8(ascii: "\n"))
  }
}

/// The order of texts by their bytes, the same on every platform and in every version of Unicode.
private func utf8Precedes(_ a: String, _ b: String) -> Bool {
  a.utf8.lexicographicallyPrecedes(b.utf8)
}
