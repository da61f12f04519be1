// expect-error: cannot find type 'NamedForwarding' in scope
// expect-error: type 'GreeterProxy' does not conform to protocol 'Named'

import Oxbow

protocol Named {
  func name() throws -> String
}

@Proxied protocol Greeter: Named {
  func greet() throws -> String
}

extension GreeterProxy: GreeterForwarding {}
