internal import OxbowDocuments

extension ModelValidator {
  /// Checks that a derived attribute can be computed and has the type of what it is made of.
  mutating func checkDerivation(
    of attribute: AttributeDescription, in entity: EntityDescription
  ) {
    guard let text = attribute.derivation else { return }
    var check = DerivationCheck(attribute: attribute, entity: entity, text: text)
    guard let problem = check.problem(in: self) else { return }
    self.problem(
      "attribute '\(attribute.name)' of entity '\(entity.name)' is derived from '\(text)'"
        + problem, at: attribute.location, near: check.unknown, among: check.candidates)
  }
}

/// The check of one derived attribute; a problem continues "… is derived from 'x'".
private struct DerivationCheck {
  let attribute: AttributeDescription
  let entity: EntityDescription
  let text: String

  /// A name that does not exist, and those that do.
  var unknown: String?
  var candidates: [String] = []

  mutating func problem(in model: ModelValidator) -> String? {
    guard let derivation = Derivation(text) else {
      return ", which no store can compute; the forms are \(Derivation.forms)"
    }
    if attribute.isTransient { return " and is transient; a value in memory only has no source" }
    switch derivation {
    case .now:
      // Xcode also lets a moment be a number: the seconds since 2001.
      return attribute.type == .date || attribute.type == .double
        ? nil : needs("Date or Double", "a moment")
    case .count(let name):
      if let problem = end(of: [name], isToMany: true, model).problem { return problem }
      return attribute.type.isInteger ? nil : needs("an integer type", "a number of objects")
    case .sum(let name, let source): return sumProblem(name, source, model)
    case .value(let path, let form): return valueProblem(path, form, model)
    }
  }

  private func needs(_ type: String, _ what: String) -> String {
    ", \(what), and has the type \(attribute.type.rawValue); make it \(type)"
  }

  private mutating func sumProblem(
    _ name: String, _ source: String, _ model: ModelValidator
  ) -> String? {
    let (place, problem) = end(of: [name], isToMany: true, model)
    guard let place else { return problem }
    let (found, missing) = self.source(source, of: place, model)
    guard let found else { return missing }
    let isSum: Bool =
      switch found.type {
      case .integer16, .integer32, .integer64: attribute.type.isInteger
      case .float, .double: attribute.type == .float || attribute.type == .double
      case .decimal: attribute.type == .decimal
      default: false
      }
    return isSum
      ? nil
      : ", a sum of \(found.type.rawValue), and has the type \(attribute.type.rawValue); numbers "
        + "can be summed, to a type of their kind"
  }

  private mutating func valueProblem(
    _ path: [String], _ form: Derivation.TextForm?, _ model: ModelValidator
  ) -> String? {
    let (place, problem) = end(of: Array(path.dropLast()), isToMany: false, model)
    guard let place, let name = path.last else { return problem }
    let (found, missing) = source(name, of: place, model)
    guard let found else { return missing }
    if form != nil, found.type != .string || attribute.type != .string {
      return ", a form of a text; both have to be of type String"
    }
    let isSame =
      found.type == attribute.type
      || found.type.isInteger && attribute.type.isInteger && found.type.bits < attribute.type.bits
    return isSame ? nil : needs(found.type.rawValue, "which is \(found.type.rawValue)")
  }

  /// The entity at the end of relationships.
  private mutating func end(
    of path: [String], isToMany: Bool, _ model: ModelValidator
  ) -> (EntityDescription?, problem: String?) {
    var place = entity
    for name in path {
      let chain = model.line(of: place)
      guard let found = chain.flatMap(\.relationships).first(where: { $0.name == name }) else {
        unknown = name
        candidates = chain.flatMap(\.relationships).map(\.name)
        return (nil, ", and '\(name)' is not a relationship of '\(place.name)'")
      }
      guard found.isToMany == isToMany else {
        let hint = isToMany ? "'@count' and '@sum' need one to many" : "take its '@count' or '@sum'"
        let kind = found.isToMany ? "leads to many objects" : "leads to one object"
        return (nil, ", and '\(name)' of '\(place.name)' \(kind); \(hint)")
      }
      // A destination that does not exist is a problem of the relationship.
      guard let next = model.entities[found.destination] else { return (nil, nil) }
      place = next
    }
    return (place, nil)
  }

  /// The attribute that the value is read from.
  private mutating func source(
    _ name: String, of place: EntityDescription, _ model: ModelValidator
  ) -> (AttributeDescription?, problem: String?) {
    let attributes = model.line(of: place).flatMap(\.attributes)
    guard let found = attributes.first(where: { $0.name == name }) else {
      unknown = name
      candidates = attributes.map(\.name)
      return (nil, ", and '\(name)' is not an attribute of '\(place.name)'")
    }
    if found.isTransient {
      return (nil, ", and '\(name)' is transient: the store does not have it")
    }
    if found.allowsExternalStorage {
      return (nil, ", and '\(name)' allows external storage: a value in a file is not copied")
    }
    if let other = found.derivation {
      return (nil, ", and '\(name)' is derived itself; write what it is made of: '\(other)'")
    }
    return (found, nil)
  }
}

extension AttributeType {
  fileprivate var isInteger: Bool { bits > 0 }

  fileprivate var bits: Int {
    switch self {
    case .integer16: 16
    case .integer32: 32
    case .integer64: 64
    default: 0
    }
  }
}
