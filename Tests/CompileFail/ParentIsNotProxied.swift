// expect-error: cannot find type 'NamedForwarding' in scope

import Oxbow

protocol Named {
  func name() throws -> String
}

@Proxied protocol Greeter: Named {
  func greet() throws -> String
}
