internal import SwiftDiagnostics

/// Every message of `@Component` and of the markers that it reads.
enum ComponentDiagnostics {
  static func notAClass(_ name: String, _ kind: String) -> Message {
    .error(
      "component.notAClass",
      "files name classes, and '\(name)' is \(kind); define its objects in code, on the builder")
  }

  static func generic(_ name: String) -> Message {
    .error(
      "component.generic",
      "'\(name)' is generic, so one name in a file would stand for many types; register the types "
        + "that are needed on the builder")
  }

  static func local(_ name: String) -> Message {
    .error(
      "component.local",
      "'\(name)' is declared in a function, where files cannot name it; move it out, or register "
        + "it on the builder")
  }

  static func isolated(_ name: String, by actor: String) -> Message {
    .error(
      "component.isolated",
      "objects of '\(name)' belong to '@\(actor)', and a container constructs on no actor; make "
        + "them in code on that actor")
  }

  // MARK: - Traits

  static let emptyName = Message.error("component.emptyName", "the name of a component is empty")

  static func contradiction(_ first: String, _ second: String) -> Message {
    first == second
      ? .error("component.traitTwice", "'.\(first)' is given twice")
      : .error(
        "component.contradiction",
        "'.\(first)' and '.\(second)' contradict each other: an object has one scope")
  }

  static func lazyAndConfined(_ scope: String) -> Message {
    .error(
      "component.lazyAndConfined",
      "'.lazy' and '.\(scope)' contradict each other: a lazy object is one for all threads, and "
        + "objects of this scope are built by their first use anyway")
  }

  // MARK: - Places of markers

  static func misplaced(_ marker: String) -> Message {
    let owner = marker == "FactoryMethod" ? "a method" : "a property or an initializer"
    return .error("component.misplaced", "'@\(marker)' belongs on \(owner)")
  }

  static func outsideComponent(_ marker: String) -> Message {
    .error(
      "component.outside",
      "'@\(marker)' is read by '@Component', and this is not a member of a class with that annotation"
    )
  }

  static func inExtension(_ marker: String) -> Message {
    .error(
      "component.inExtension",
      "'@Component' sees the members of the class itself only; move this one there, or drop "
        + "'@\(marker)'")
  }

  static func ofMainActor(_ name: String) -> Message {
    .error(
      "component.ofMainActor",
      "'\(name)' belongs to the main actor, so a container cannot build it; make it in code and "
        + "hand it what it needs")
  }

  // MARK: - What markers are written on

  static func annotatedTwice(_ name: String) -> Message {
    .error("component.annotatedTwice", "'\(name)' is annotated twice, and is set once")
  }

  static func notSettable(_ name: String, _ reason: UnsettableReason) -> Message {
    .error("component.notSettable", "a container cannot set '\(name)': \(text(reason, name))")
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

  static func notCallable(_ subject: String, _ obstacle: String) -> Message {
    .error("component.notCallable", "a container cannot call \(subject), because it \(obstacle)")
  }

  static let secondInitializer = Message.error(
    "component.secondInitializer",
    "another initializer is annotated already, and an object is constructed by one")

  static func oneForSeveral(_ count: Int) -> Message {
    .error(
      "component.oneForSeveral",
      "one component or value is named, and the initializer needs \(count) arguments; annotate the "
        + "properties, or name the parameters like their components")
  }
}
