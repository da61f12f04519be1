internal import OxbowModel

enum SwiftName {
  /// The words that need back quotes as a name.
  private static let keywords: Set<String> = [
    "Any", "Self", "as", "associatedtype", "await", "break", "case", "catch", "class", "continue",
    "default", "defer", "deinit", "do", "else", "enum", "extension", "fallthrough", "false",
    "fileprivate", "for", "func", "guard", "if", "import", "in", "inout", "internal", "is", "let",
    "nil", "operator", "precedencegroup", "private", "protocol", "public", "repeat", "rethrows",
    "return", "static", "struct", "subscript", "super", "switch", "throw", "throws", "true", "try",
    "typealias", "var", "where", "while",
  ]

  static func spelled(_ name: String) -> String { keywords.contains(name) ? "`\(name)`" : name }

  /// Whether a text can be a name at all: letters, digits and `_`.
  static func isPossible(_ name: String) -> Bool {
    guard let first = name.unicodeScalars.first, first == "_" || first.properties.isAlphabetic
    else { return false }
    return name != "_"
      && name.unicodeScalars.allSatisfy {
        $0 == "_" || $0.properties.isAlphabetic || $0.properties.numericType != nil
      }
  }

  /// Why no property of an entity can have a name, or `nil`.
  static func refusal(ofProperty name: String) -> String? {
    if reserved.contains(name) { return "every managed object has a property of this name" }
    if unusable.contains(name) { return "it has another meaning behind a point" }
    return isPossible(name) ? nil : "it is not a name in Swift"
  }

  /// Names that every managed object has already.
  private static let reserved: Set<String> = [
    "objectID", "context", "isFault", "isInserted", "isUpdated", "isDeleted", "hasChanges",
    "hasPersistentChangedValues", "faultError", "entityName", "entityDescription", "entity",
    "description", "hashValue", "customMirror", "fetchValue",
  ]

  private static let unusable: Set<String> = ["self", "init", "Type", "Protocol"]

  /// Types that the sources name, so that no class may be called so.
  private static let types: Set<String> = [
    "Attribute", "AttributeDescription", "AttributeRules", "Bool", "CompositeAttribute",
    "CompositePart", "Data", "Date", "Decimal", "Double", "Entity", "EntityDescription",
    "FetchIndexDescription", "Float", "Int", "Int16",
    "Int32", "Int64", "ManagedObject", "ModelObject", "ObjectState", "Protocol", "Relationship",
    "RelationshipDescription", "RowSlab", "Set", "String", "TransformedData", "Type", "URL", "UUID",
  ]

  static func isPossible(forClass name: String) -> Bool {
    isPossible(name) && !types.contains(name)
  }
}

struct ClassNames {
  private let names: [String: String]

  /// What was named otherwise than the model says, in sentences.
  let notes: [String]

  /// Gives each entity a class of its own: the one that the model names, without its module, when
  /// no other entity has it; otherwise one that is called like the entity.
  init(_ model: ManagedObjectModel) {
    let wanted = model.entities.map { ($0, Self.wanted($0)) }
    let counts = Dictionary(wanted.map { ($1, 1) }, uniquingKeysWith: +)
    var names: [String: String] = [:]
    var notes: [String] = []
    var taken: Set<String> = []
    for (entity, name) in wanted where counts[name] == 1 && SwiftName.isPossible(forClass: name) {
      names[entity.name] = name
      taken.insert(name)
    }
    for (entity, name) in wanted where names[entity.name] == nil {
      let free = Self.free(for: entity.name, taken)
      names[entity.name] = free
      taken.insert(free)
      if name != free {
        let reason = SwiftName.isPossible(name) ? "is taken" : "is not a name in Swift"
        notes.append("entity '\(entity.name)' gets the class '\(free)': '\(name)' \(reason)")
      }
    }
    self.names = names
    self.notes = notes
  }

  subscript(entity: String) -> String { SwiftName.spelled(names[entity] ?? entity) }

  private static func wanted(_ entity: EntityDescription) -> String {
    entity.className.flatMap { $0.split(separator: ".").last.map(String.init) } ?? entity.name
  }

  private static func free(for entity: String, _ taken: Set<String>) -> String {
    var name = entity
    while taken.contains(name) || !SwiftName.isPossible(forClass: name) {
      name = SwiftName.isPossible(name) ? name + "Object" : "Entity" + legal(name)
    }
    return name
  }

  static func legal(_ name: String) -> String {
    String(name.map { SwiftName.isPossible("a\($0)") ? $0 : "_" })
  }
}
