/// The scopes that files can name.
enum Scopes {
  static let all: [any Scope] = [
    SingletonScope(), PrototypeScope(), ObjectGraphScope(), WeakSingletonScope(),
    ConfinedScope.thread, ConfinedScope.task,
  ]

  static var names: [String] { all.map(\.name) }

  static func named(_ name: String) -> (any Scope)? { all.first { $0.name == name } }
}
