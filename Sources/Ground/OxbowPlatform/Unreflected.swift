/// A type whose parts are not shown when it, or an object that contains it, is printed, dumped or
/// reflected.
///
/// The parts of a container have the environment, secrets and all of a program's objects, and what
/// is dumped ends up in logs.
package protocol Unreflected: CustomReflectable {}

extension Unreflected {
  /// A mirror without children.
  package var customMirror: Mirror {
    Mirror(self, children: [:], ancestorRepresentation: .suppressed)
  }
}
