internal import SwiftDiagnostics

/// Every message of `@Component`.
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
}
