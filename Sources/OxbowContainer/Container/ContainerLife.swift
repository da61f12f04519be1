/// What keeps a container's objects, in the hands of whoever may ask for one.
///
/// A hit on a singleton marks nothing that others could see, so nothing may be taken from the engine
/// while anybody could be asking. Whoever asks has the life in hand: a ``Container`` that the builder
/// returned holds it, and what the container hands out holds it by an `ContainerReference`, which `close()` empties
/// (`docs/decisions/0140`).
final class ContainerLife: Sendable {
  let engine: Engine

  init(_ engine: Engine) { self.engine = engine }

  deinit { engine.takeApart() }
}

extension ContainerLife: ObjectKeeper {
  func keeps(_ object: AnyObject) -> Bool {
    engine.entries.contains { entry in
      guard let existing = entry.provider.existing, type(of: existing) is AnyClass else {
        return false
      }
      return existing as AnyObject === object
    }
  }
}
