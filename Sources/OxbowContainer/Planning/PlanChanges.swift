/// What a plan has otherwise than the one that it was made from.
package struct PlanChanges {
  /// Another binding in the place of one.
  package struct Change {
    package let name: String
    /// Whether the new object needs the one that it takes the place of.
    package let keepsOriginal: Bool
    /// Makes the binding, of the old one and the name that this has from now on.
    package let make: (AnyBinding, String) -> AnyBinding
  }

  package var bindings: [Change] = []
  package var placeholders: [(key: String, value: String)] = []

  package init() {}

  /// These changes, and then others.
  package func followed(by others: PlanChanges) -> PlanChanges {
    var all = self
    all.bindings += others.bindings
    all.placeholders += others.placeholders
    return all
  }
}
