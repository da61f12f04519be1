/// How well an initializer fits a property: what is compared first counts most.
struct Specificity: Comparable {
  let ranks: [Int]

  static func < (a: Specificity, b: Specificity) -> Bool {
    a.ranks.lexicographicallyPrecedes(b.ranks)
  }
}

/// The property of an object that a value is sought for.
struct InjectedPlace {
  let property: AttributedProperty
  let path: AnyKeyPath?
  /// The class of the object.
  let ownerClass: AnyClass
}

extension PropertyInitializer {
  /// How well the initializer fits; nil when a condition does not hold.
  func specificity(for place: InjectedPlace) -> Specificity? {
    let property = place.property
    if let path, path != place.path { return nil }
    if let name = self.property, name != property.name { return nil }
    guard let owner = rank(ofOwner: place), let type = rank(ofType: property.type) else {
      return nil
    }
    guard protocols.allSatisfy({ wanted in property.protocols.contains { $0 == wanted } }) else {
      return nil
    }
    let isNamed = path != nil || self.property != nil
    return Specificity(ranks: [isNamed ? 1 : 0, owner, type, protocols.count])
  }

  /// Whether the initializer fits by the rule of BloodMagic: types are identical, and so are the
  /// sets of protocols.
  func fitsExactly(_ place: InjectedPlace) -> Bool {
    let property = place.property
    if let path, path != place.path { return false }
    if let name = self.property, name != property.name { return false }
    if let owner, owner != property.owner { return false }
    if let type, type != property.type { return false }
    return Set(protocols.map(ObjectIdentifier.init))
      == Set(property.protocols.map(ObjectIdentifier.init))
  }

  /// 0 where any will do; more the nearer the superclass is.
  private func rank(ofOwner place: InjectedPlace) -> Int? {
    guard let owner else { return 0 }
    var distance = 0
    var current: AnyClass? = place.ownerClass
    while let step = current {
      if step == owner { return Int.max - distance }
      distance += 1
      current = _getSuperclass(step)
    }
    return nil
  }

  /// 0 where any will do, 1 for a subclass of the property's, 2 for the type itself.
  private func rank(ofType wanted: any Any.Type) -> Int? {
    guard let type else { return 0 }
    if type == wanted { return 2 }
    var current: AnyClass? = (type as? AnyClass).flatMap { _getSuperclass($0) }
    while let step = current {
      if step == wanted { return 1 }
      current = _getSuperclass(step)
    }
    return nil
  }
}
