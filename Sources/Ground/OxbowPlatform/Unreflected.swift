/// Something whose parts nobody sees who prints, dumps or reflects it, or an object that has it.
///
/// What a container is made from knows the environment, secrets and all of a program's objects, and
/// what is dumped ends up in logs.
package protocol Unreflected: CustomReflectable {}

extension Unreflected {
  /// A mirror without children.
  package var customMirror: Mirror {
    Mirror(self, children: [:], ancestorRepresentation: .suppressed)
  }
}
