internal import OxbowFoundation

/// The names that old files have for the types of values.
extension TypeFit {
  /// Whether a file may call a type by a name; "unknown" for types that say nothing, such as `Any`.
  static func of(_ type: any Any.Type, named name: String) -> TypeFit {
    let type = unwrapped(type)
    if name == "\(type)" || name == String(reflecting: type) { return .fits }
    if let descent = descent(from: name, type) { return descent }
    guard let test = testsByName[name] else { return isOpen(type) ? .unknown : .misfit }
    if test(type) { return .fits }
    if let raw = rawType(type), test(raw) { return .fits }
    return isOpen(type) ? .unknown : .misfit
  }

  /// The type of the value that a file calls by a name.
  static func type(named name: String) -> (any Any.Type)? { values[name] }

  /// A subclass or superclass named by its bare or full name.
  private static func descent(from name: String, _ type: any Any.Type) -> TypeFit? {
    var current: AnyClass? = type as? AnyClass
    while let step = current {
      if name == "\(step)" || name == String(reflecting: step) { return .fits }
      current = superclass(of: step)
    }
    return nil
  }

  private static let values: [String: any Any.Type] = [
    "String": String.self, "NSString": String.self, "NSMutableString": String.self,
    "Bool": Bool.self, "BOOL": Bool.self, "bool": Bool.self,
    "Int": Int.self, "int": Int.self, "NSInteger": Int.self, "NSUInteger": UInt.self,
    "UInt": UInt.self, "Double": Double.self, "double": Double.self, "CGFloat": Double.self,
    "Float": Float.self, "float": Float.self, "Decimal": Decimal.self,
    "NSDecimalNumber": Decimal.self, "NSURL": URL.self, "URL": URL.self, "NSData": Data.self,
    "Data": Data.self, "NSMutableData": Data.self, "NSDate": Date.self, "Date": Date.self,
    "NSUUID": UUID.self, "UUID": UUID.self,
  ]

  private static let testsByName: [String: @Sendable (any Any.Type) -> Bool] = {
    var tests: [String: @Sendable (any Any.Type) -> Bool] = [
      "NSNumber": isNumber, "int": { $0 is any FixedWidthInteger.Type },
      "NSInteger": { $0 is any FixedWidthInteger.Type },
      "NSUInteger": { $0 is any FixedWidthInteger.Type },
      "CGFloat": { $0 is any BinaryFloatingPoint.Type },
      "NSArray": isArray, "NSMutableArray": isArray, "NSSet": isSet, "NSMutableSet": isSet,
      "NSCountedSet": { isArray($0) || isSet($0) }, "NSDictionary": isMap,
      "NSMutableDictionary": isMap,
    ]
    for (name, type) in values where tests[name] == nil { tests[name] = { $0 == type } }
    return tests
  }()

  private static let isNumber: @Sendable (any Any.Type) -> Bool = {
    $0 is any Numeric.Type || $0 == Bool.self
  }

  private static let isArray: @Sendable (any Any.Type) -> Bool = {
    ($0 as? any InjectableGroup.Type)?.kind == .list
  }

  private static let isSet: @Sendable (any Any.Type) -> Bool = {
    ($0 as? any InjectableGroup.Type)?.kind == .set
  }

  private static let isMap: @Sendable (any Any.Type) -> Bool = {
    ($0 as? any InjectableGroup.Type)?.kind == .map
  }

  /// Whether values of many types fit a type: `Any`, a protocol.
  package static func isOpen(_ type: any Any.Type) -> Bool {
    if type is AnyClass { return false }
    // The runtime has no question for this; it names the metatype of a protocol in its own way.
    let metatype = "\(Swift.type(of: type))"
    return type == AnyHashable.self || metatype.hasSuffix(".Protocol")
      || metatype.hasPrefix("(any ")
  }

  private static func rawType(_ type: any Any.Type) -> (any Any.Type)? {
    (type as? any RawRepresentable.Type).map { raw($0) }
  }

  private static func raw<R: RawRepresentable>(_ type: R.Type) -> any Any.Type { R.RawValue.self }

  private static func unwrapped(_ type: any Any.Type) -> any Any.Type {
    (type as? any OptionalType.Type)?.wrapped ?? type
  }
}
