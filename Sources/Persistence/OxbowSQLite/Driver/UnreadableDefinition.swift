/// A part of a database's schema whose text this SQLite does not understand.
///
/// SQLite reports it as damage, `malformed database schema (name) - reason`: another SQLite made
/// it, with other functions or a newer syntax, and the rows are whole.
struct UnreadableDefinition {
  private let name: String
  private let reason: String

  /// `nil` for the message of a damage.
  init?(_ message: String) {
    let prefix = "malformed database schema ("
    guard message.hasPrefix(prefix), let end = message.firstRange(of: ") - ") else { return nil }
    name = String(
      message[message.index(message.startIndex, offsetBy: prefix.count)..<end.lowerBound])
    reason = String(message[end.upperBound...])
    let damages = ["invalid rootpage", "orphan index"]
    guard name != "?", !damages.contains(where: reason.hasPrefix) else { return nil }
  }

  func text(_ path: String) -> String {
    "the database '\(path)' cannot be read: SQLite \(LibraryVersion.current) does not understand the "
      + "definition of '\(name)' in it (\(reason)); open it with the program that made that, and drop "
      + "it there, as with DROP INDEX \"\(name)\"; or use the SQLite of that program"
  }
}
