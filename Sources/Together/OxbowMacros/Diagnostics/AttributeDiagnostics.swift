/// Every message of `@Lazy`, `@Injected`, `@Final`, `@Preference` and `@Attributed`.
enum AttributeDiagnostics {
  static func notAProperty(_ attribute: String) -> String {
    "'@\(attribute)' belongs on a property of a type"
  }

  static func local(_ name: String, _ attribute: String) -> String {
    "'\(name)' is a local variable, and '@\(attribute)' belongs on a property of a type"
      + (attribute == "Lazy" ? "; write 'lazy var'" : "")
  }

  static func global(_ name: String, _ attribute: String) -> String {
    "'\(name)' is a global variable, and '@\(attribute)' belongs on a property of a type"
  }

  static func notStored(_ name: String, _ attribute: String, _ kind: String) -> String {
    "'@\(attribute)' keeps something beside '\(name)', and \(kind) stores nothing; declare it "
      + "in the class, actor or struct itself"
  }

  static func inEntity(_ name: String, _ attribute: String, _ entity: String) -> String {
    "each stored property of the entity '\(entity)' is one of its row, and so is '\(name)'; "
      + "use '@\(attribute)' in another class"
  }

  static func injectedIntoValue(_ name: String, _ owner: String) -> String {
    "'\(owner)' is copied, and a container injects into objects; make it a class, or hand "
      + "'\(name)' to its initializer"
  }

  static func two(_ first: String, _ second: String) -> String {
    "'@\(first)' and '@\(second)' would both read and set the property; keep one of them"
  }

  static func constant(_ name: String, _ attribute: String) -> String {
    attribute == "Final"
      ? "'@Final' makes '\(name)' a constant after its first assignment, so it must be a 'var'"
      : "'@\(attribute)' gives '\(name)' a getter and a setter, so it must be a 'var'"
  }

  static func modifier(_ name: String, _ modifier: String, _ attribute: String) -> String {
    let advice =
      switch modifier {
      case "override": "override it with a getter and a setter of your own"
      case "static", "class": "make it a property of the objects"
      case "lazy" where attribute == "Lazy": "'@Lazy' alone says that"
      default: "leave the modifier out"
      }
    return "'@\(attribute)' does not fit '\(modifier) var \(name)'; \(advice)"
  }

  static func accessors(_ name: String, _ attribute: String) -> String {
    "'@\(attribute)' writes the accessors of '\(name)', which has some already; remove one of "
      + "both" + (attribute == "Attributed" ? "" : ", or write your own with '@Attributed'")
  }

  static let severalNames =
    "several properties are declared at once; declare each by itself"

  static func initialValue(_ name: String, _ attribute: String) -> String {
    let text =
      switch attribute {
      case "Final":
        "'\(name)' would be assigned from the start, and never again; remove the value, or declare "
          + "a 'let'"
      case "Lazy": "'\(name)' is made by the argument of '@Lazy'; remove one of both"
      default: "'\(name)' is injected, so a value of its own would never be seen; remove it"
      }
    return text
  }

  static func noType(_ name: String, _ attribute: String) -> String {
    "'@\(attribute)' needs the type of '\(name)', and a macro sees no inferred ones; write it"
  }

  static func noDefault(_ name: String) -> String {
    "'\(name)' has no value where its store has none; give it a default, or make it optional"
  }
}
