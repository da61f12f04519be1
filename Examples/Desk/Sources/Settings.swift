import Foundation
import Oxbow

/// What differs from one installation to the next.
struct Settings: Sendable {
  var store: StoreLocation = .file("desk.sqlite")
  var migrations = StoreMigrations(.automatic, folder: "Migrations")
  var host = "127.0.0.1"
  var port = 8080
  /// How long requests may take that were accepted before the server was asked to end.
  var graceful: Duration = .seconds(20)
}

extension Settings {
  /// Reads `DESK_STORE`, `DESK_MIGRATIONS`, `DESK_HOST` and `DESK_PORT`.
  init(environment: [String: String]) throws {
    self.init()
    if let path = environment["DESK_STORE"] { store = .file(path) }
    if let folder = environment["DESK_MIGRATIONS"] { migrations.folder = folder }
    if let host = environment["DESK_HOST"] { self.host = host }
    guard let text = environment["DESK_PORT"] else { return }
    guard let port = Int(text), (0...65535).contains(port) else { throw SettingsError(port: text) }
    self.port = port
  }
}

struct SettingsError: Error, CustomStringConvertible {
  let port: String

  var description: String { "DESK_PORT is '\(port)', and a port is a number from 0 to 65535" }
}
