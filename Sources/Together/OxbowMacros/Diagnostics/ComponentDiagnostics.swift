/// Every message of `@Component` and of the markers that it reads.
enum ComponentDiagnostics {
  static func notAClass(_ name: String, _ kind: String) -> String {
    "files name classes, and '\(name)' is \(kind); define its objects in code, on the builder"
  }

  static func generic(_ name: String) -> String {
    "'\(name)' is generic, so one name in a file would stand for many types; register the types "
      + "that are needed on the builder"
  }

  static func local(_ name: String) -> String {
    "'\(name)' is declared in a function, where files cannot name it; move it out, or register "
      + "it on the builder"
  }

  static func isolated(_ name: String, by actor: String) -> String {
    "objects of '\(name)' belong to '@\(actor)', and a container constructs on no actor; make "
      + "them in code on that actor"
  }

  // MARK: - Traits

  static let emptyName = "the name of a component is empty"

  static func contradiction(_ first: String, _ second: String) -> String {
    first == second
      ? "'.\(first)' is given twice"
      : "'.\(first)' and '.\(second)' contradict each other: an object has one scope"
  }

  static func lazyAndConfined(_ scope: String) -> String {
    "'.lazy' and '.\(scope)' contradict each other: a lazy object is one for all threads, and "
      + "objects of this scope are built by their first use anyway"
  }

  // MARK: - Places of markers

  static func misplaced(_ marker: String) -> String {
    let owner = marker == "FactoryMethod" ? "a method" : "a property or an initializer"
    return "'@\(marker)' belongs on \(owner)"
  }

  static func outsideComponent(_ marker: String) -> String {
    "'@\(marker)' is read by '@Component', and this is not a member of a class with that annotation"
  }

  static func inExtension(_ marker: String) -> String {
    "'@Component' sees the members of the class itself only; move this one there, or drop "
      + "'@\(marker)'"
  }

  static func ofMainActor(_ name: String) -> String {
    "'\(name)' belongs to the main actor, so a container cannot build it; make it in code and "
      + "hand it what it needs"
  }

  // MARK: - What markers are written on

  static func annotatedTwice(_ name: String) -> String {
    "'\(name)' is annotated twice, and is set once"
  }

  static func notSettable(_ name: String, _ reason: UnsettableReason) -> String {
    "a container cannot set '\(name)': \(text(reason, name))"
  }

  private static func text(_ reason: UnsettableReason, _ name: String) -> String {
    switch reason {
    case .constant: "it is a constant, and no initializer has a parameter '\(name)'"
    case .hidden: "code beside the class cannot, because it is private"
    case .isStatic: "it is static, and belongs to no object"
    case .noSetter: "it has no setter"
    case .isolated: "it belongs to an actor, or is not available everywhere"
    case .unseenType: "its type is not written, and a macro sees no inferred ones"
    case .several: "several properties are declared at once; declare each by itself"
    }
  }

  static func notCallable(_ subject: String, _ obstacle: String) -> String {
    "a container cannot call \(subject), because it \(obstacle)"
  }

  static let secondInitializer =
    "another initializer is annotated already, and an object is constructed by one"

  static func oneForSeveral(_ count: Int) -> String {
    "one component or value is named, and the initializer needs \(count) arguments; annotate the "
      + "properties, or name the parameters like their components"
  }
}

/// Why code beside a class cannot set one of its properties.
enum UnsettableReason {
  case constant, hidden, isStatic, noSetter, isolated, unseenType, several
}
