internal import SwiftDiagnostics

/// Every message of `@Entity`, `@Attribute` and `@Relationship`.
enum EntityDiagnostics {
  static func notAClass(_ name: String, _ kind: String) -> Message {
    .error(
      "entity.notAClass",
      "an entity's objects have identity, and '\(name)' is \(kind); "
        + "declare 'final class \(name): ManagedObject'")
  }

  static func generic(_ name: String) -> Message {
    .error(
      "entity.generic",
      "an entity has one set of properties, so '\(name)' cannot be generic")
  }

  static func noSuperclass(_ name: String) -> Message {
    .error(
      "entity.superclass", "'\(name)' must inherit from 'ManagedObject' or from another entity")
  }

  static func sendable(_ name: String) -> Message {
    .error(
      "entity.sendable",
      "'\(name)' cannot be Sendable: a managed object belongs to its context; "
        + "send its 'objectID' and fetch it there")
  }

  static func deinitializer(_ name: String) -> Message {
    .error(
      "entity.deinit",
      "'\(name)' cannot have a deinitializer: the context drops objects that are not held anywhere and "
        + "brings them back as it likes; release what an object uses where the unit of work ends")
  }

  static func initializer(_ name: String) -> Message {
    .error(
      "entity.init",
      "'\(name)' cannot declare a designated initializer: contexts create objects; "
        + "write a convenience function that inserts one and sets its properties")
  }

  static func hook(_ method: String, _ hook: String) -> Message {
    .error(
      "entity.hook",
      "'\(method)' overrides nothing: a class conforms to the protocol of each moment that it wants "
        + "to hear of; write '\(hook)' after the superclass, and leave out 'override' and the call "
        + "of 'super'")
  }

  static func managed(_ name: String) -> Message {
    .error(
      "entity.managed", "'@Entity' writes the accessors of '\(name)'; remove '@NSManaged'")
  }

  static let conditional = Message.error(
    "entity.conditional",
    "'@Entity' cannot see which branch of '#if' is compiled; declare the property outside of it")

  static let severalNames = Message.error(
    "entity.severalNames", "an entity's properties are declared one by one, each with its type")

  static func constant(_ name: String) -> Message {
    .error(
      "entity.let",
      "'\(name)' is read from the store whenever its object is, so it cannot be a 'let'")
  }

  static func modifier(_ name: String, _ modifier: String) -> Message {
    .error(
      "entity.modifier",
      "'\(name)' has no storage in the object that '\(modifier)' could apply to")
  }

  static func observer(_ name: String) -> Message {
    .error(
      "entity.observer",
      "'\(name)' has no storage in the object that could be observed; "
        + "add a computed property that changes both")
  }

  static func noType(_ name: String) -> Message {
    .error(
      "entity.noType",
      "'\(name)' needs a type annotation: a macro sees what is written, not what is inferred")
  }

  static func reserved(_ name: String) -> Message {
    .error(
      "entity.reserved",
      "every managed object has a property '\(name)' already; choose another name")
  }

  static func both(_ name: String) -> Message {
    .error(
      "entity.both", "'\(name)' is either an attribute or a relationship; remove one of the two")
  }
}

// MARK: - Attributes

extension EntityDiagnostics {
  static func unsupported(_ name: String, _ type: String) -> Message {
    .error(
      "entity.unsupported",
      "'\(name)' of type '\(type)' cannot be kept in a store; an attribute is a number, Bool, "
        + "String, Date, Data, UUID, URL or Decimal, an 'AttributeConvertible' type, or an "
        + "optional of one (type aliases of other spellings are not seen)")
  }

  static func collection(_ name: String, _ type: String) -> Message {
    .error(
      "entity.collection",
      "'\(name)' of type '\(type)' is a relationship to many objects; mark it '@Relationship'")
  }

  static func values(_ name: String, _ type: String) -> Message {
    .error(
      "entity.values",
      "'\(name)' of type '\(type)' is many values, and an attribute is one; write an entity for "
        + "them and a '@Relationship' to it, or an 'AttributeConvertible' type that holds them all")
  }

  static func variesByMoment(_ name: String, _ value: String) -> Message {
    .error(
      "entity.variesByMoment",
      "the default of '\(name)' is evaluated once for the model, so every object would get the "
        + "same '\(value)'; make the attribute optional, or set it where the object is inserted")
  }

  static let transientLiteral = Message.error(
    "entity.transientLiteral", "'transient' must be 'true' or 'false', spelled here")

  static func nilAsOfOptional(_ name: String) -> Message {
    .error(
      "entity.nilAsOfOptional",
      "'\(name)' can be nil itself, so 'nilAs' has no use; remove it, or the '?' of the type")
  }
}

// MARK: - Relationships

extension EntityDiagnostics {
  static func optionalCollection(_ name: String) -> Message {
    .error(
      "relationship.optionalCollection",
      "'\(name)' leads to no object when it is empty; remove the '?'")
  }

  static func noDestination(_ name: String, _ type: String) -> Message {
    .error(
      "relationship.noDestination",
      "'\(name)' of type '\(type)' is not a relationship; spell 'T?' for one object, 'Set<T>' for "
        + "many, '[T]' for many in order (type aliases are not seen)")
  }

  static func requiredToOne(_ name: String) -> Message {
    .error(
      "relationship.required",
      "'\(name)' has no object before it is set and after its object is deleted, so its type must "
        + "be optional")
  }

  static func relationshipValue(_ name: String, _ expected: String) -> Message {
    .error(
      "relationship.value",
      "a new object has no related objects yet, so '\(name)' can only start as '\(expected)'")
  }

  static func inverseForm(_ name: String) -> Message {
    .error(
      "relationship.inverse",
      "the inverse of '\(name)' is spelled as '\\.property', one property of the destination")
  }

  static func inverseRoot(_ inverse: String) -> Message {
    .error(
      "relationship.inverseRoot",
      "spell the inverse '\\.\(inverse)': with the class in front, the two ends would refer to "
        + "each other in a circle")
  }

  static func outsideEntity(_ attribute: String) -> Message {
    .error(
      "entity.outside", "'@\(attribute)' belongs on a property of a class that is an '@Entity'")
  }
}
