internal import OxbowPlatform

/// Whether objects of a type fit.
typealias TypeTest = @Sendable (any Any.Type) -> Bool

/// The answer to "does an object of this type fit there?".
package enum TypeFit: Sendable {
  case fits
  case misfit
  /// The type is a class without the wanted protocol: at most objects of a subclass fit.
  case lacksProtocol
  /// The type is a superclass of the wanted class: at most objects of a subclass fit.
  case isSuperclass
  /// The types cannot tell: the type is a protocol, or may hold nothing.
  case unknown

  /// Compares types as far as the runtime can without an object.
  package static func of<Wanted>(_ type: any Any.Type, in wanted: Wanted.Type) -> TypeFit {
    if type == wanted || type is Wanted.Type { return .fits }
    return compare(type, wanted)
  }

  /// Compares a type with one that a spelled test refuses it for.
  ///
  /// The test is `{ $0 is any P.Type }`, so what it refuses and what is not a protocol itself does
  /// not fit, even where the runtime does not find the protocol.
  static func of<Wanted>(
    _ type: any Any.Type, in wanted: Wanted.Type, whereTested: Bool
  ) -> TypeFit {
    let fit = of(type, in: wanted)
    guard fit == .unknown, whereTested, !(type is any OptionalType.Type), !isOpen(type)
    else { return fit }
    return type is AnyClass ? .lacksProtocol : .misfit
  }

  /// The same for a type that is not spelled.
  static func of(_ type: any Any.Type, inAny wanted: any Any.Type) -> TypeFit {
    func open<Wanted>(_ wanted: Wanted.Type) -> TypeFit { of(type, in: wanted) }
    return _openExistential(wanted, do: open)
  }

  private static func compare<Wanted>(_ type: any Any.Type, _ wanted: Wanted.Type) -> TypeFit {
    if wanted == Any.self { return .fits }
    if let optional = wanted as? any OptionalType.Type {
      return of((type as? any OptionalType.Type)?.wrapped ?? type, inAny: optional.wrapped)
    }
    if let optional = type as? any OptionalType.Type {
      // What may be nil is known to be wrong only where what is not nil is wrong, too.
      return of(optional.wrapped, in: wanted) == .misfit ? .misfit : .unknown
    }
    if isOpen(type) { return refines(type, wanted) ? .fits : fit(ofOpen: type, in: wanted) }
    if isOpen(wanted) { return fit(of: type, inOpen: wanted) }
    if let wantedClass = wanted as? AnyClass, let givenClass = type as? AnyClass {
      return descends(wantedClass, from: givenClass) ? .isSuperclass : .misfit
    }
    return fitOfValues(type, wanted)
  }

  // MARK: - Protocols

  /// An object that is known by a protocol fits a value type only if that has the protocol.
  private static func fit<Wanted>(ofOpen type: any Any.Type, in wanted: Wanted.Type) -> TypeFit {
    guard !(wanted is AnyClass), !isOpen(wanted), !(wanted is any Error.Type),
      let has = test(for: type)
    else { return .unknown }
    let mayHave = has(wanted) || type == AnyHashable.self || bridge(of: wanted).map(has) == true
    return mayHave ? .unknown : .misfit
  }

  private static func fit(of type: any Any.Type, inOpen wanted: any Any.Type) -> TypeFit {
    if wanted == AnyHashable.self { return type is any Hashable.Type ? .fits : .unknown }
    guard let has = test(for: wanted) else { return .unknown }
    if has(type) { return .fits }
    if type is AnyClass { return .lacksProtocol }
    // Every value can become an `AnyObject`.
    if wanted == AnyObject.self || bridge(of: type).map(has) == true { return .unknown }
    return .misfit
  }

  // MARK: - Values

  /// Compares types of which neither is a protocol and one at least is not a class.
  private static func fitOfValues(_ type: any Any.Type, _ wanted: any Any.Type) -> TypeFit {
    if let family = (type as? any ConvertedCollection.Type)?.conversion,
      let other = (wanted as? any ConvertedCollection.Type)?.conversion,
      family.name == other.name
    {
      return fit(of: zip(family.parts, other.parts).map { of($0, inAny: $1) })
    }
    if let given = type as? AnyClass { return areBridged(wanted, given) ? .unknown : .misfit }
    if let wanted = wanted as? AnyClass { return areBridged(type, wanted) ? .unknown : .misfit }
    return isNominal(type) && isNominal(wanted) ? .misfit : .unknown
  }

  /// A collection's fit follows from its parts; an empty one would pass, which is not meant.
  private static func fit(of parts: [TypeFit]) -> TypeFit {
    if parts.allSatisfy({ $0 == .fits }) { return .fits }
    return parts.contains(.misfit) ? .misfit : .unknown
  }

  /// Whether casts may turn values of a type into objects of one of Foundation's classes, or back.
  private static func areBridged(_ type: any Any.Type, _ object: AnyClass) -> Bool {
    if type is any Error.Type { return "\(object)" == "NSError" }
    guard let bridge = bridge(of: type) as? AnyClass else { return false }
    return descends(bridge, from: object) || descends(object, from: bridge)
  }

  /// The class of Foundation that values of a type can become.
  private static func bridge(of type: any Any.Type) -> (any Any.Type)? {
    func open<Value: _ObjectiveCBridgeable>(_ type: Value.Type) -> any Any.Type {
      Value._ObjectiveCType.self
    }
    return (type as? any _ObjectiveCBridgeable.Type).map { open($0) }
  }

  /// Whether a type is a structure or an enumeration: functions, tuples and types of types convert
  /// by rules of their own.
  private static func isNominal(_ type: any Any.Type) -> Bool {
    let name = "\(type)"
    return
      !(name.hasPrefix("(") || name.hasPrefix("@") || name.contains("->")
      || name.hasSuffix(".Type") || name.hasSuffix(".Protocol"))
  }

  // MARK: - Classes

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

/// A collection that a cast converts element by element.
private protocol ConvertedCollection {
  /// What is converted, and the kind of collection.
  static var conversion: (name: String, parts: [any Any.Type]) { get }
}

extension Array: ConvertedCollection {
  fileprivate static var conversion: (name: String, parts: [any Any.Type]) {
    ("Array", [Element.self])
  }
}

extension Set: ConvertedCollection {
  fileprivate static var conversion: (name: String, parts: [any Any.Type]) {
    ("Set", [Element.self])
  }
}

extension Dictionary: ConvertedCollection {
  fileprivate static var conversion: (name: String, parts: [any Any.Type]) {
    ("Dictionary", [Key.self, Value.self])
  }
}

// MARK: - Tests for protocols

extension TypeFit {
  private static let tests = Lock<[ObjectIdentifier: TypeTest?]>([:])

  /// Whether types have a protocol that generic code knows as a type only; nil where only code that
  /// spells the protocol can tell.
  ///
  /// Where `T` is `any P`, `type is T.Type` asks for the type of the protocol itself and is always
  /// false; the right question, `type is any P.Type`, needs the protocol's name. The runtime finds
  /// that type by its name, as for every protocol that is not private to a file and has no
  /// arguments. A conformance that belongs to an actor counts where that actor runs.
  ///
  /// - Parameter existential: `(any P).self`.
  /// - Returns: The test `{ $0 is any P.Type }`.
  static func test(for existential: any Any.Type) -> TypeTest? {
    tests.withLock { tests in
      let id = ObjectIdentifier(existential)
      if let found = tests[id] { return found }
      let test = makeTest(existential)
      tests[id] = .some(test)
      return test
    }
  }

  private static func makeTest(_ existential: any Any.Type) -> TypeTest? {
    guard let name = _mangledTypeName(existential), let metatype = _typeByName(name + "Xp") else {
      return nil
    }
    func test<Metatype>(_ type: Metatype.Type) -> TypeTest { { $0 is Metatype } }
    return _openExistential(metatype, do: test)
  }
}
