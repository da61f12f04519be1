/// The answer to "does an object of this type fit there?".
package enum TypeFit: Sendable {
  case fits
  case misfit
  /// The types cannot tell: the place is a protocol in generic code, or a type alias.
  case unknown

  /// Compares types as far as the runtime can without an object.
  ///
  /// In generic code `type is Wanted.Type` is false for every protocol, so a "no" counts only between
  /// two classes neither of which descends from the other.
  package static func of<Wanted>(_ type: any Any.Type, in wanted: Wanted.Type) -> TypeFit {
    if type == wanted || type is Wanted.Type { return .fits }
    if Wanted.self == Any.self { return .fits }
    guard let wantedClass = concreteClass(wanted), let givenClass = concreteClass(type) else {
      return .unknown
    }
    return descends(wantedClass, from: givenClass) ? .unknown : .misfit
  }

  /// The class behind a type; nil for values and for protocols, those of classes included.
  private static func concreteClass(_ type: any Any.Type) -> AnyClass? {
    guard let found = type as? AnyClass, found != AnyObject.self else { return nil }
    return found
  }

  private static func descends(_ type: AnyClass, from ancestor: AnyClass) -> Bool {
    var current: AnyClass? = type
    while let step = current {
      if step == ancestor { return true }
      current = superclass(of: step)
    }
    return false
  }
}

/// The class that a class inherits from.
package func superclass(of type: AnyClass) -> AnyClass? { _getSuperclass(type) }
