/// The scopes that files can name.
package enum Scopes {
  package static let all: [any Scope] = [
    SingletonScope(), PrototypeScope(), ObjectGraphScope(), WeakSingletonScope(),
    ConfinedScope.thread, ConfinedScope.task,
  ]

  package static var names: [String] { all.map(\.name) }

  package static func named(_ name: String) -> (any Scope)? { all.first { $0.name == name } }
}
