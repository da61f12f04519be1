/// An argument in the form of a URI, which is not the path of a file.
///
/// A command that takes it for a path would repeat it, with the password that it may have.
enum LocationArgument {
  /// The commands that take a store on a server.
  private static let commands: Set<String> = [
    "migrate status", "migrate plan", "migrate apply", "migrate undo", "migrate verify",
    "migrate drift", "migrate baseline", "migrate repair", "store info", "store fetch",
    "store copy", "store history", "store history show", "store history consumers",
    "store history forget", "store history purge",
  ]

  /// What to say of arguments with a URI that the command does not take; `nil` for all others.
  static func refusal(_ arguments: [String]) -> String? {
    let command = UsageFailure.words(arguments)
    let given = places(arguments).compactMap(uriScheme)
    let isStoreGiven = arguments.contains { $0 == "--store" || $0.hasPrefix("--store=") }
    let usesEnvironment =
      command.hasPrefix("migrate ") && commands.contains(command) && !isStoreGiven
      && !arguments.contains { ["--help", "-h"].contains($0) }
    let other = usesEnvironment ? ToolEnvironment.store.flatMap(uriScheme) : nil
    for scheme in given + [other].compactMap(\.self) {
      if !["postgres", "postgresql"].contains(scheme) {
        return "'\(scheme)://…' is a URI; give the path of a file, or a store on a server as "
          + "postgres://user@host/database?schema=name."
      }
      if given.contains(scheme), !commands.contains(command) {
        return "'\(scheme)://…' is on a server, and '\(command)' is for files; 'store copy' makes "
          + "a file of a store on a server, and pg_dump makes a backup."
      }
    }
    return nil
  }

  /// The arguments without the values of options that name no place: an author may be a URI.
  private static func places(_ arguments: [String]) -> [String] {
    let others = ["--author", "--run"]
    return zip([""] + arguments, arguments).compactMap { before, argument in
      let isOther = others.contains(before) || others.contains { argument.hasPrefix($0 + "=") }
      return isOther ? nil : argument
    }
  }

  /// The scheme of a URI, which may be the value of an option: "--store=postgres://…".
  private static func uriScheme(_ argument: String) -> Substring? {
    let value = argument.hasPrefix("--") ? argument.drop { $0 != "=" }.dropFirst() : argument[...]
    guard let end = value.firstRange(of: "://") else { return nil }
    let scheme = value[..<end.lowerBound]
    return !scheme.isEmpty && scheme.allSatisfy { $0.isLetter || $0.isNumber } ? scheme : nil
  }
}
