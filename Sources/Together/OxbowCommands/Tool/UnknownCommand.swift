internal import ArgumentParser
internal import OxbowModel

/// A command that does not exist.
///
/// The parser would complain about the options behind it instead.
enum UnknownCommand {
  /// What to say of arguments that name a command that does not exist; `nil` for all others.
  static func message(_ arguments: [String], of root: any ParsableCommand.Type) -> String? {
    var group = root
    var words: [String] = []
    for argument in arguments {
      let commands = group.configuration.subcommands
      guard !commands.isEmpty, !argument.hasPrefix("-"), argument != "help" else { return nil }
      let names = commands.map { $0._commandName }
      guard let next = commands.first(where: { $0._commandName == argument }) else {
        // Arguments of the group's default command.
        if group.configuration.defaultSubcommand != nil { return nil }
        let owner = words.isEmpty ? "there is" : "'\(words.joined(separator: " "))' has"
        let near = PersistenceError.nearNames(to: argument, among: names).first
        return "\(owner) no command '\(argument.oneLine)'; "
          + (near.map { "did you mean '\($0)'?" } ?? "there are \(PersistenceError.listed(names))")
      }
      words.append(argument)
      group = next
    }
    return nil
  }
}
