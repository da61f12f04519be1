// A proxy must not use the default in place of its target. Declaring the requirement again helps.
// expect-error: type 'HasteProxy' does not conform to protocol 'Titled'

import Oxbow

@Proxied protocol Titled {
  func title() throws -> String
}

extension TitledProxy: TitledForwarding {}

@Proxied protocol Haste: Titled {
  func hurry() throws
}

extension Haste {
  func title() throws -> String { "in haste" }
}

extension HasteProxy: HasteForwarding {}

@Proxied protocol Leisure: Titled {
  func title() throws -> String
}

extension Leisure {
  func title() throws -> String { "at leisure" }
}

extension LeisureProxy: LeisureForwarding {}
