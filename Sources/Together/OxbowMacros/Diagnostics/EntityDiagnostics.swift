/// Every message of `@Entity`, `@Attribute` and `@Relationship`.
enum EntityDiagnostics {
  static func notAClass(_ name: String, _ kind: String) -> String {
    "an entity's objects have identity, and '\(name)' is \(kind); "
      + "declare 'final class \(name): ManagedObject'"
  }

  static func generic(_ name: String) -> String {
    "an entity has one set of properties, so '\(name)' cannot be generic"
  }

  static func noSuperclass(_ name: String) -> String {
    "'\(name)' must inherit from 'ManagedObject' or from another entity"
  }

  static func sendable(_ name: String) -> String {
    "'\(name)' cannot be Sendable: a managed object belongs to its context; "
      + "send its 'objectID' and fetch it there"
  }

  static func deinitializer(_ name: String) -> String {
    "'\(name)' cannot have a deinitializer: the context drops objects that are not held anywhere "
      + "and brings them back as it likes; release what an object uses where the unit of work ends"
  }

  static func initializer(_ name: String) -> String {
    "'\(name)' cannot declare a designated initializer: contexts create objects; "
      + "write a convenience function that inserts one and sets its properties"
  }

  static func hook(_ method: String, _ hook: String) -> String {
    "'\(method)' overrides nothing: a class conforms to the protocol of each moment that it wants "
      + "to hear of; write '\(hook)' after the superclass, and leave out 'override' and the call "
      + "of 'super'"
  }

  static func managed(_ name: String) -> String {
    "'@Entity' writes the accessors of '\(name)'; remove '@NSManaged'"
  }

  static let conditional =
    "'@Entity' cannot see which branch of '#if' is compiled; declare the property outside of it"

  static let severalNames =
    "an entity's properties are declared one by one, each with its type"

  static func constant(_ name: String) -> String {
    "'\(name)' is read from the store whenever its object is, so it cannot be a 'let'"
  }

  static func modifier(_ name: String, _ modifier: String) -> String {
    "'\(name)' has no storage in the object that '\(modifier)' could apply to"
  }

  static func observer(_ name: String) -> String {
    "'\(name)' has no storage in the object that could be observed; "
      + "add a computed property that changes both"
  }

  static func noType(_ name: String) -> String {
    "'\(name)' needs a type annotation: a macro sees what is written, not what is inferred"
  }

  static func reserved(_ name: String) -> String {
    "every managed object has a property '\(name)' already; choose another name"
  }

  static func both(_ name: String) -> String {
    "'\(name)' is either an attribute or a relationship; remove one of the two"
  }
}

// MARK: - Attributes

extension EntityDiagnostics {
  static func unsupported(_ name: String, _ type: String) -> String {
    "'\(name)' of type '\(type)' cannot be kept in a store; an attribute is a number, Bool, "
      + "String, Date, Data, UUID, URL or Decimal, an 'AttributeConvertible' type, or an "
      + "optional of one (type aliases of other spellings are not seen)"
  }

  static func collection(_ name: String, _ type: String) -> String {
    "'\(name)' of type '\(type)' is a relationship to many objects; mark it '@Relationship'"
  }

  static func values(_ name: String, _ type: String) -> String {
    "'\(name)' of type '\(type)' is many values, and an attribute is one; write an entity for "
      + "them and a '@Relationship' to it, or an 'AttributeConvertible' type that holds them all"
  }

  static func variesByMoment(_ name: String, _ value: String) -> String {
    "the default of '\(name)' is evaluated once for the model, so every object would get the "
      + "same '\(value)'; make the attribute optional, or set it where the object is inserted"
  }

  static let transientLiteral = "'transient' must be 'true' or 'false', spelled here"

  static func nilAsOfOptional(_ name: String) -> String {
    "'\(name)' can be nil itself, so 'nilAs' has no use; remove it, or the '?' of the type"
  }
}

// MARK: - Relationships

extension EntityDiagnostics {
  static func optionalCollection(_ name: String) -> String {
    "'\(name)' leads to no object when it is empty; remove the '?'"
  }

  static func noDestination(_ name: String, _ type: String) -> String {
    "'\(name)' of type '\(type)' is not a relationship; spell 'T?' for one object, 'Set<T>' for "
      + "many, '[T]' for many in order (type aliases are not seen)"
  }

  static func requiredToOne(_ name: String) -> String {
    "'\(name)' has no object before it is set and after its object is deleted, so its type must "
      + "be optional"
  }

  static func relationshipValue(_ name: String, _ expected: String) -> String {
    "a new object has no related objects yet, so '\(name)' can only start as '\(expected)'"
  }

  static func inverseForm(_ name: String) -> String {
    "the inverse of '\(name)' is spelled as '\\.property', one property of the destination"
  }

  static func inverseRoot(_ inverse: String) -> String {
    "spell the inverse '\\.\(inverse)': with the class in front, the two ends would refer to "
      + "each other in a circle"
  }

  static func outsideEntity(_ attribute: String) -> String {
    "'@\(attribute)' belongs on a property of a class that is an '@Entity'"
  }
}
