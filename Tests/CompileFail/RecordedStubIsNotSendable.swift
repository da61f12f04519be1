// expect-error: capture of 'stub' with non-Sendable type 'Stub' in a '@Sendable' closure

import Oxbow

@Proxied protocol Greeter {
  func greet() throws -> String
}

final class Stub: Greeter {
  var count = 0
  func greet() -> String { "hello" }
}

func proxy(over stub: Stub) -> GreeterProxy {
  GreeterProxy(source: RecordingSource(into: CallRecorder()) { stub })
}
