// expect-error: Swift cannot pass variadic arguments on, so 'add' cannot be forwarded; take an array

import Oxbow

@Proxied protocol Adder {
  func add(_ numbers: Int...) throws
}

extension AdderProxy: AdderForwarding {}
