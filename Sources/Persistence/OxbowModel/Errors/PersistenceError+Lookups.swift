extension PersistenceError {
  /// Whether a unique value is taken that the call had looked for: another look may find it.
  package var followsLookup: Bool { particulars?.followsLookup ?? false }

  /// Returns a copy that says whether the call had looked for the value.
  package func afterLookup(_ hasLooked: Bool) -> PersistenceError {
    guard hasLooked else { return self }
    var copy = self
    copy.particulars = Particulars(followsLookup: true)
    return copy
  }
}
