// expect-error: capture of 'stub' with non-Sendable type 'Stub' in a '@Sendable' closure
// expect-error: type 'Stub' does not conform to the 'Sendable' protocol

import Oxbow

@Proxied protocol Greeter {
  func greet() throws -> String
}

extension GreeterProxy: GreeterForwarding {}

final class Stub: Greeter {
  var count = 0
  func greet() -> String { "hello" }
}

func proxy(over stub: Stub) -> GreeterProxy {
  GreeterProxy.recording(into: CallRecorder()) { stub }
}
