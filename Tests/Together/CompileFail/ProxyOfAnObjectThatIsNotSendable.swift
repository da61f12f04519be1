// expect-error: type 'Counter' does not conform to the 'Sendable' protocol
// expect-error: type 'any Service' does not conform to the 'Sendable' protocol

import Oxbow

@Proxied protocol Service {
  func bump() throws -> Int
}

extension ServiceProxy: ServiceForwarding {}

final class Counter: Service {
  var count = 0
  func bump() throws -> Int {
    count += 1
    return count
  }
}

func fixed() -> ServiceProxy { ServiceProxy.fixed(Counter()) }

func bare() -> ServiceProxy { ServiceProxy(source: FixedSource<any Service>(Counter())) }
